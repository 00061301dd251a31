import assert from 'node:assert/strict'
import { BitstringStatusList, StatusList2021, TokenStatusList } from '../index.js'

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)
const encoded = (json: string) => Buffer.from(json).toString('base64url')
const HEADER = encoded('{"typ":"statuslist+jwt","alg":"EdDSA"}')

/** What a stranger may have published as a list. */
const CONTENTS = {
  'JSON as a whole': DEEP,
  'a member of a credential': `{"type":["VerifiableCredential"],"credentialSubject":${DEEP}}`,
  'the entries of an older layout': `{"StatusList2021":{"encodedList":${DEEP}}}`,
  'the header of a JWT': `${encoded(`{"typ":${DEEP}}`)}.${encoded('{}')}.c2ln`,
  'the payload of a JWT': `${HEADER}.${encoded(`{"status_list":${DEEP}}`)}.c2ln`,
}

describe('a list that is nested too deep', () => {
  for (const type of [StatusList2021, BitstringStatusList, TokenStatusList]) {
    for (const [what, content] of Object.entries(CONTENTS)) {
      it(`is none: ${what}, as ${type.type}`, async () => {
        const read = async () => type.parse(Buffer.from(content))
        await assert.rejects(read, { code: 'malformed_list' })
      })
    }
  }
})
