import assert from 'node:assert/strict'
import { renamedMistakes } from '../renamed.js'
import { parseRequire } from '../require-reference.js'

const mistakesIn = (text: string) => {
  const parsed = parseRequire(text)
  assert.ok('reference' in parsed)
  return renamedMistakes(parsed.reference)
}

describe('references to what has another name', () => {
  it('are refused with the line to write', () => {
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

  it('say where to look for what they did not have either', () => {
    const [mistake] = mistakesIn('@vidimus/account-manager#Unknown')
    assert.match(mistake?.advice ?? '', /@vidimus\/accounts, @vidimus\/custody, @vidimus\/idempotency/)
  })

  it('are none for what has the name that it had, even where that is a name of JavaScript', () => {
    assert.deepEqual(mistakesIn('@vidimus/accounts#Accounts'), [])
    assert.deepEqual(mistakesIn('@vidimus/presentation#PresentationPlugin'), [])
    assert.deepEqual(mistakesIn('constructor#Accounts'), [])
  })
})
