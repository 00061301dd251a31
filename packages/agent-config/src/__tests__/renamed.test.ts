import assert from 'node:assert/strict'
import { renamedMistakes } from '../renamed.js'
import { parseRequire } from '../require-reference.js'

const mistakesIn = (text: string) => {
  const parsed = parseRequire(text)
  assert.ok('reference' in parsed)
  return renamedMistakes(parsed.reference)
}

describe('references to renamed exports', () => {
  it('are refused with the line to write instead', () => {
    const examples: [string, string][] = [
      ['@vidimus/account-manager#Accounts', "write $require: '@vidimus/accounts#Accounts'"],
      [
        '@vidimus/account-manager?t=object#migrations',
        "write $require: '@vidimus/custody?t=object#migrations'",
      ],
      [
        '@vidimus/account-manager?t=function#inOneUnit',
        "write $require: '@vidimus/custody?t=function#inOneUnit'",
      ],
      [
        '@vidimus/account-manager#AccountUsagePlugin',
        "write $require: '@vidimus/accounts#AccountUsagePlugin' with $args: [{ $ref: /accounts }, { $ref: /quotas }]",
      ],
      [
        '@vidimus/presentation#DIDJwtPlugin',
        "write $require: '@vidimus/credentials#DIDJwtPlugin' and beside it, for credentials, " +
          "- $require: '@vidimus/credentials#CredentialsPlugin'",
      ],
    ]
    for (const [text, advice] of examples) {
      assert.deepEqual(mistakesIn(text), [{ message: 'was renamed', advice }])
    }
  })

  it('suggest where to look for a name that never existed', () => {
    const [mistake] = mistakesIn('@vidimus/account-manager#Unknown')
    assert.match(mistake?.advice ?? '', /@vidimus\/accounts, @vidimus\/custody, @vidimus\/idempotency/)
  })

  it('are accepted for names that still exist, even names of JavaScript built-ins', () => {
    assert.deepEqual(mistakesIn('@vidimus/accounts#Accounts'), [])
    assert.deepEqual(mistakesIn('@vidimus/presentation#PresentationPlugin'), [])
    assert.deepEqual(mistakesIn('constructor#Accounts'), [])
  })
})
