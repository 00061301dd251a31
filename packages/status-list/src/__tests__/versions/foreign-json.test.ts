import assert from 'node:assert/strict'
import { BitstringStatusList, StatusList2021, TokenStatusList } from '../../index.js'

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)
const encoded = (json: string) => Buffer.from(json).toString('base64url')
const jwt = (header: string, payload: string) => `${encoded(header)}.${encoded(payload)}.c2ln`

const CREDENTIAL = `{"type":["VerifiableCredential"],"credentialSubject":${DEEP}}`
const OLDER = `{"StatusList2021":{"encodedList":${DEEP}}}`
const DEEP_HEADER = jwt(`{"typ":${DEEP}}`, '{}')

/** Content that another party may have published as a list. */
const PUBLISHED = [
  [StatusList2021, 'a credential', CREDENTIAL],
  [StatusList2021, 'the older layout', OLDER],
  [BitstringStatusList, 'a credential', CREDENTIAL],
  [BitstringStatusList, 'the older layout', OLDER],
  [BitstringStatusList, 'the header of a JWT', DEEP_HEADER],
  [BitstringStatusList, 'the payload of a JWT', jwt('{"typ":"vc+jwt","alg":"EdDSA"}', CREDENTIAL)],
  [TokenStatusList, 'the header of a JWT', DEEP_HEADER],
  [
    TokenStatusList,
    'the payload of a JWT',
    jwt('{"typ":"statuslist+jwt","alg":"EdDSA"}', `{"status_list":${DEEP}}`),
  ],
] as const

describe('a deeply nested list', () => {
  for (const [type, what, content] of PUBLISHED) {
    it(`is refused: ${what}, as ${type.type}`, () => {
      assert.throws(() => type.parse(Buffer.from(content)), {
        code: 'malformed_list',
        message: /nested too deep/,
      })
    })
  }
})
