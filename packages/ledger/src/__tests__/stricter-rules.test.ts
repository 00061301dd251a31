import assert from 'node:assert/strict'
import { stricterProblems, validateMessage, type DidDocPayload, type LedgerMessage } from '../index.js'
import { STRICTER_RULES } from '../stricter-rules.js'
import { createDid, createResource, didDoc, ed25519Key, newDid, signed, updateDid } from './signing.js'

const key = ed25519Key()
const did = newDid()
const doc = didDoc(did, [key])
const [method] = doc.verificationMethod
const embedded = (members: Record<string, unknown>) => JSON.stringify(JSON.stringify(members))
const own = { id: `${did}#x`, type: 'JsonWebKey2020', controller: did }
const jwk = (text: string) => ({
  id: `${did}#key-1`,
  controller: did,
  verificationMethodType: 'JsonWebKey2020',
  verificationMaterial: text,
})

const creating = (changes: Partial<DidDocPayload>): LedgerMessage => {
  const message = createDid(doc)
  return {
    ...signed(message, [`${did}#key-1`, key]),
    type: 'createDidDoc',
    payload: { ...message.payload, ...changes },
  }
}

const X = Buffer.from(key.publicKeyHex, 'hex').toString('base64url')
const OKP = `{"crv":"Ed25519","kty":"OKP","x":"${X}"}`
const LOW_ORDER = Buffer.from([1, ...Buffer.alloc(31)]).toString('base64url')

describe('stricterProblems', () => {
  it('finds nothing in messages created by the service', () => {
    assert.deepEqual(stricterProblems(creating({})), [])
    assert.deepEqual(stricterProblems(creating({ verificationMethod: [jwk(OKP)] })), [])
    assert.deepEqual(stricterProblems(creating({ assertionMethod: [embedded(own)] })), [])
    assert.deepEqual(stricterProblems(signed(createResource(did, {}))), [])
  })

  for (const [why, message, path] of [
    [
      'a low-order key',
      creating({ verificationMethod: [jwk(`{"crv":"Ed25519","kty":"OKP","x":"${LOW_ORDER}"}`)] }),
      'verificationMethod[0].verificationMaterial',
    ],
    [
      'a JWK with trailing text',
      creating({ verificationMethod: [jwk(`${OKP} ${OKP}`)] }),
      'verificationMethod[0].verificationMaterial',
    ],
    [
      'a JWK with a duplicate member',
      creating({ verificationMethod: [jwk(OKP.replace('{', '{"kid":"a","kid":"b",'))] }),
      'verificationMethod[0].verificationMaterial',
    ],
    [
      'a JWK in padded base64',
      creating({ verificationMethod: [jwk(OKP.replace(X, `${X}=`))] }),
      'verificationMethod[0].verificationMaterial',
    ],
    [
      'a point off the curve',
      creating({
        verificationMethod: [jwk(`{"crv":"P-256","kty":"EC","x":"${X}","y":"${X}"}`)],
      }),
      'verificationMethod[0].verificationMaterial',
    ],
    [
      'an embedded method that an update would truncate',
      creating({ assertionMethod: [embedded({ ...own, publicKeyJwk: `{"kid":"${did}#x"}` })] }),
      'assertionMethod[0]',
    ],
    [
      'an embedded method whose empty query an update would remove',
      creating({ assertionMethod: [embedded({ ...own, id: `${did}?#x` })] }),
      'assertionMethod[0]',
    ],
    ['an unpaired surrogate', creating({ context: ['https://x.example/\ud800'] }), 'context[0]'],
    ['a NUL in an alias', creating({ alsoKnownAs: ['a\0b'] }), 'alsoKnownAs[0]'],
    ['a name with NUL', signed(createResource(did, { name: 'a\0' })), 'name'],
    [
      'a priority beyond 32 bits',
      creating({
        service: [
          {
            id: `${did}#s`,
            serviceType: 'x',
            serviceEndpoint: [],
            recipientKeys: [],
            routingKeys: [],
            accept: [],
            priority: 2 ** 32,
          },
        ],
      }),
      'service[0].priority',
    ],
  ] as [string, LedgerMessage, string][]) {
    it(`finds ${why}, which the ledger accepts`, () => {
      validateMessage('testnet', message)
      assert.deepEqual(
        stricterProblems(message).map((problem) => problem.path),
        [path],
      )
    })
  }

  it('finds them in updates as well', () => {
    const assertionMethod = [embedded({ ...own, alias: `${did}#y` })]
    const message = signed(updateDid({ ...doc, assertionMethod }), [`${did}#key-1`, key])
    assert.match(stricterProblems(message)[0]?.message ?? '', /an update of the document would damage it/)
  })

  it('has a reason for each rule', () => {
    for (const { reason } of STRICTER_RULES) assert.match(reason, /^[A-Z].*\.$/)
    assert.ok(method)
  })
})
