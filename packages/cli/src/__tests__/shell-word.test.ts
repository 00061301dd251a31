import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { shellWord } from '../shell-word.js'

describe('a shell word', () => {
  it('stays as it is if possible', () => {
    for (const text of ['acme', 'a.b@c-d_1', './agent.yml', 'http://127.0.0.1:3332/did/create']) {
      assert.equal(shellWord(text), text)
    }
  })

  it('is quoted if the shell would interpret it', () => {
    assert.equal(shellWord('a b'), `'a b'`)
    assert.equal(shellWord(''), `''`)
    assert.equal(shellWord('http://[::1]:3332/'), `'http://[::1]:3332/'`)
  })

  it('reaches a command unchanged', function () {
    if (process.platform === 'win32') this.skip()
    const text = fc.string({ unit: fc.constantFrom(...`ab '"\\$\`!*?[](){}<>|&;#~\t\n=`), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 20, maxLength: 20 }), (words) => {
        const command = `printf '%s\\0' ${words.map(shellWord).join(' ')}`
        const printed = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })
        assert.deepEqual(printed.split('\0').slice(0, -1), words)
      }),
      { numRuns: 20 },
    )
  })
})
