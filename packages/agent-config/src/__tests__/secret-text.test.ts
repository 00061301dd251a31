import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  isSecretVariable,
  looksSecret,
  maskLine,
  passwordsIn,
  Redaction,
  secretMember,
  secretShapes,
} from '../secret-text.js'

describe('secret texts', () => {
  for (const key of [
    'secret',
    'password',
    'dbPassword',
    'apiKey',
    'api_key',
    'API-KEY',
    'privateKeyHex',
    'mnemonic',
    'token',
    'accessToken',
    'dbEncryptionKey',
    'credentials',
    'dbCredentials',
  ]) {
    it(`include values of ${key}`, () => assert.ok(looksSecret(key)))
  }
  for (const key of [
    'key',
    'keyManager',
    'port',
    'databaseFile',
    'publicKeyHex',
    'providers',
    'maxCredentials',
    'verifiableCredentials',
  ]) {
    it(`do not include values of ${key}`, () => assert.ok(!looksSecret(key)))
  }

  const secretVariables =
    'KMS_SECRET_KEY KEY DB_PASS DB_PWD DATABASE_PASSWORD API_TOKEN MNEMONIC WALLET_SEED SIGNING_KEY_HEX dbKey BASIC_AUTH'
  for (const name of secretVariables.split(' ')) {
    it(`include the variable ${name}`, () => assert.ok(isSecretVariable(name)))
  }
  const plainVariables =
    'HOST PORT VIDIMUS_DATA_DIR LOG_LEVEL DATABASE_URL PWD KEY_MANAGER ISSUER_PUBLIC_KEY KMS_SECRET_FILE'
  for (const name of plainVariables.split(' ')) {
    it(`do not include the variable ${name}`, () => assert.ok(!isSecretVariable(name)))
  }

  it('include the password in a database URL, encoded and decoded', () => {
    const passwords = (text: string) => [...new Set(passwordsIn(text))]
    assert.deepEqual(passwords('postgres://me:p%40ss@host:5432/db'), ['p%40ss', 'p@ss'])
    assert.deepEqual(passwords('postgres://me:p@ss@host/db'), ['p@ss'])
    assert.deepEqual(passwords('postgres://host/db?user=me&password=abc%ZZ&ssl=on'), ['abc%ZZ'])
    assert.deepEqual(passwords('sqlite:/var/lib/vidimus/agent.sqlite'), [])
    assert.deepEqual(passwords('http://localhost:3332/a'), [])
  })

  const hex = '29739248cad1bd1a0fc4d9b75cd4d2990de535baf5caadfdf8d8f86664aa830c'
  it('include long hex and passwords in URLs', () => {
    const shown = (line: string) => maskLine(line, secretShapes(line), 0).text
    assert.equal(shown(`- '${hex}'`), `- '***'`)
    assert.equal(shown('url: postgres://me:s3cr3t@host/db'), 'url: postgres://me:***@host/db')
    assert.equal(shown("$require: '@veramo/core#Agent'"), "$require: '@veramo/core#Agent'")
  })

  it('are found in lines that are not valid YAML', () => {
    const line = '  { port: 1, "apiKey": abc: def'
    const range = secretMember(line)
    assert.ok(range)
    assert.equal(maskLine(line, [range], 0).text, '  { port: 1, "apiKey": ***')
  })

  it('are masked without misplacing the caret', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{0,30}$/),
        fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 4 }),
        fc.nat(30),
        (line, pairs, place) => {
          const hidden = pairs.map(([a, b]) => ({
            start: Math.min(a, b, line.length),
            end: Math.min(Math.max(a, b), line.length),
          }))
          const caret = Math.min(place, line.length)
          const masked = maskLine(line, hidden, caret)
          const isHidden = (n: number) => hidden.some(({ start, end }) => start <= n && n < end)
          const visible = [...line].filter((_, n) => !isHidden(n)).join('')
          assert.equal(masked.text.replaceAll('***', ''), visible)
          if (caret < line.length && !isHidden(caret)) assert.equal(masked.text[masked.caret], line[caret])
        },
      ),
    )
  })

  describe('in messages from elsewhere', () => {
    it('are removed anywhere if long, and as whole words if short', () => {
      const redaction = new Redaction()
      redaction.add('s3cr3t-value')
      redaction.add('info')
      redaction.add('a')
      assert.equal(
        redaction.apply('a key xs3cr3t-valuex, level info, information'),
        'a key x***x, level ***, information',
      )
    })

    it('are also removed with surrounding white space trimmed', () => {
      const redaction = new Redaction()
      redaction.add(' s3cr3t-value\n')
      assert.equal(redaction.apply('got s3cr3t-value'), 'got ***')
    })

    it('are removed literally, not as patterns', () => {
      const redaction = new Redaction()
      redaction.add('a.c*(+)$')
      assert.equal(redaction.apply('abc a.c*(+)$ .'), 'abc *** .')
    })

    it('are removed completely if one contains another', () => {
      const redaction = new Redaction()
      redaction.add('password')
      redaction.add('password-and-more')
      assert.equal(redaction.apply('got password-and-more'), 'got ***')
    })
  })
})
