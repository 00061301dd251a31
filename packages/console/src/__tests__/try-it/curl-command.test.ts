import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { curlCommand } from '../../try-it/curl-command.js'

const KEY = 'vidimus_c0ffee'

/** The arguments that curl would get from a shell. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\0'`)], {
    env: { ...process.env, VIDIMUS_KEY: KEY },
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1)

describe('curl command', () => {
  it('sends exactly the given request, whatever it contains', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'))
    fc.assert(
      fc.property(text, text, fc.boolean(), (path, body, shown) => {
        const request = { method: 'POST', path: `/a?b=${path}`, headers: { 'x-a': 'b' }, body, keyed: true }
        assert.deepEqual(argumentsOf(curlCommand('https://id.example', request, shown ? KEY : undefined)), [
          '-X',
          'POST',
          `https://id.example/a?b=${path}`,
          '-H',
          `x-api-key: ${KEY}`,
          '-H',
          'x-a: b',
          '-d',
          body,
        ])
      }),
      { numRuns: 40 },
    )
  })

  it('contains no key unless requested, and none for open operations', () => {
    const request = { method: 'GET', path: '/did/list', headers: {}, keyed: true }
    assert.equal(
      curlCommand('http://a', request),
      `curl 'http://a/did/list' \\\n  -H "x-api-key: $VIDIMUS_KEY"`,
    )
    assert.equal(curlCommand('http://a', { ...request, keyed: false }, KEY), `curl 'http://a/did/list'`)
  })
})
