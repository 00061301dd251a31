import assert from 'node:assert/strict'
import { requestFields, RESERVED } from '../fields.js'
import { isRemoteCommand, remoteOperations } from '../remote-command-line.js'

const commands = remoteOperations.map(({ operation, words }) => ({
  id: operation.id,
  words,
  line: words.join(' '),
}))

describe('commands of a service elsewhere', () => {
  it('have words of their own, none of which begin those of another', () => {
    for (const { id, line } of commands) {
      const same = commands.filter((other) => other.id !== id && `${other.line} `.startsWith(`${line} `))
      assert.deepEqual(same, [], line)
    }
  })

  it('are named as the API names its operations', () => {
    const lines = commands.map(({ line }) => line)
    for (const line of [
      'did list',
      'did rotate-key',
      'custody key create',
      'key rotate',
      'credential issue',
      'credential-status create unencrypted',
      'credential-status job report',
      'presentation verify',
      'account usage',
      'webhook dead-letters',
    ]) {
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
    }
    assert.ok(commands.every(({ words }) => words.every((word) => /^[a-z][a-z-]*$/.test(word))))
    assert.ok(isRemoteCommand(['did', 'list']))
    for (const local of [['start'], ['key'], ['key', 'update'], ['did']]) assert.ok(!isRemoteCommand(local))
  })

  it('take every field as an option of its own, but no private key', () => {
    for (const { operation, words } of remoteOperations) {
      const fields = requestFields(operation, words.at(-2) ?? '')
      const options = fields.map(({ option }) => option)
      assert.equal(new Set(options).size, options.length, operation.id)
      assert.ok(
        options.every((option) => !RESERVED.includes(option)),
        operation.id,
      )
      assert.ok(
        fields.every(({ name }) => !/private|^keys$/i.test(name)),
        operation.id,
      )
    }
  })
})
