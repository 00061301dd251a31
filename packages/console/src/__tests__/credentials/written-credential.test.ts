import assert from 'node:assert/strict'
import { handedOut, readCredential } from '../../credentials/written-credential.js'

describe('a written credential', () => {
  it('is a token, JSON, or the id of one', () => {
    const jwt = 'eyJhbGciOiJFZERTQSJ9.e30.c2ln'
    for (const token of [jwt, `${jwt}~`, `${jwt}~WyJhIl0~`, `${jwt}~WyJhIl0~${jwt}`]) {
      assert.deepEqual(readCredential(`\n ${token} `), { credential: token })
    }
    assert.deepEqual(readCredential(' {"id": "urn:x"}\n'), { credential: { id: 'urn:x' } })
    for (const id of ['urn:uuid:1', 'https://issuer.example/1', 'did:web:a.example#1']) {
      assert.deepEqual(readCredential(id), { credentialId: id })
    }
  })

  it('is refused with what is wrong', () => {
    const refused: [string, RegExp][] = [
      ['', /Paste/],
      ['{"a":', /JSON/],
      ['words of people', /neither/],
      ['nothing', /neither/],
    ]
    for (const [text, says] of refused) {
      const read = readCredential(text)
      assert.match('problem' in read ? read.problem : '', says, text)
    }
  })

  it('is handed out as its token, or as JSON', () => {
    assert.equal(handedOut({ proof: { jwt: 'a.b.c' } }), 'a.b.c')
    const embedded = { proof: { type: 'DataIntegrityProof' } }
    assert.deepEqual(JSON.parse(handedOut(embedded)), embedded)
    assert.equal(handedOut({}), '{}')
  })
})
