import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import type { SigningContext, VerifyingContext } from '@vidimus/core-types'
import { newKeyPair, privateKeyObject } from '@vidimus/verification-methods'
import { TemplateName } from '../template-name.js'

const ISSUER = 'did:example:issuer'
const KEY = `${ISSUER}#key-1`
const NOW = new Date('2026-03-01T12:00:00Z')

/** What a format needs from an agent: the key by which it holds a DID, and its signature. */
function issuer() {
  const { privateKeyHex, publicKeyHex } = newKeyPair('Ed25519')
  const privateKey = privateKeyObject('Ed25519', Buffer.from(privateKeyHex, 'hex'))
  const key = { kid: 'k', kms: 'local', type: 'Ed25519', publicKeyHex: '' }
  const agent = {
    didHeldKey: () => Promise.resolve({ methodId: KEY, key }),
    keyManagerSign: ({ data }: { data: string }) =>
      Promise.resolve(sign(null, Buffer.from(data, 'hex'), privateKey).toString('base64url')),
  }
  const publicKeyJwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: Buffer.from(publicKeyHex, 'hex').toString('base64url'),
  }
  const method = { id: KEY, type: 'JsonWebKey', controller: ISSUER, publicKeyJwk }
  const document = { id: ISSUER, verificationMethod: [method], assertionMethod: [KEY] }
  const verifying = { documentOf: () => Promise.resolve(document), now: NOW } as unknown as VerifyingContext
  const issue = async () => {
    const args = { issuerDid: ISSUER, attributes: { name: 'Ada' } }
    const signer = await TemplateName.prepareIssue(args, NOW, { agent } as unknown as SigningContext)
    return signer({ contexts: [] })
  }
  return { issue, verifying }
}

describe('TemplateName', () => {
  it('verifies what it issued', async () => {
    const { issue, verifying } = issuer()
    const credential = await issue()
    assert.ok(TemplateName.recognises(credential))
    const read = TemplateName.read(credential)
    assert.equal(read.issuer, ISSUER)
    assert.equal(await TemplateName.verify(read, verifying), KEY)
  })

  it('rejects credentials that were changed or signed by somebody else', async () => {
    const { issue, verifying } = issuer()
    const credential = await issue()
    const changed = { ...credential, credentialSubject: { name: 'Eve' } }
    for (const shown of [changed, await issuer().issue()]) {
      await assert.rejects(async () => TemplateName.verify(TemplateName.read(shown), verifying), {
        code: 'invalid_credential',
      })
    }
  })

  it('recognises no other format', () => {
    for (const shown of ['text', 7, null, {}, { proof: { type: 'JwtProof2020', jwt: 'a.b.c' } }]) {
      assert.equal(TemplateName.recognises(shown), false)
      assert.throws(() => TemplateName.read(shown), { code: 'invalid_credential' })
    }
  })
})
