import { createHash, randomBytes } from 'node:crypto'
import type { CredentialIssueArgs, CredentialVerifyResult } from '@vidimus/core-types'
import { JoseCredentials } from '../jose/jose-credentials.js'
import { JwtCredentials } from '../jwt/jwt-credentials.js'
import { SdJwtVcCredentials } from '../sd-jwt/sd-jwt-vc.js'
import { SdJwtCredentials } from '../sd-jwt/vc-sd-jwt.js'
import { ForeignSigner } from './foreign-signer.js'
import { createKeyDid, createTestAgent, statusPlugin, type KeyKind } from './test-agent.js'
import { NOW } from './verification-setup.js'

export const VCT = 'https://credentials.example/identity'
export const V2 = 'https://www.w3.org/ns/credentials/v2'

/** An agent that knows every form as text, an issuer and a holder in it, and an issuer outside. */
export async function sdJwtSetUp(keys: { issuer?: KeyKind; holder?: KeyKind } = {}) {
  const status = statusPlugin((id) => ({ revoked: id === 'urn:revoked', verified: id !== 'urn:revoked' }))
  const formats = [JwtCredentials, JoseCredentials, SdJwtVcCredentials, SdJwtCredentials]
  const test = createTestAgent({ options: { clock: () => NOW, formats }, plugins: [status] })
  // Veramo's did:key makes no keys of P-256.
  const ownDid = (kind: KeyKind = 'Ed25519') =>
    createKeyDid(test.agent, kind, kind === 'Secp256r1' ? 'did:jwk' : 'did:key')
  const { did } = await ownDid(keys.issuer)
  const { did: holderDid } = await ownDid(keys.holder)
  const issuer = new ForeignSigner('did:test:issuer', test.documents)
  const issue = (args: Partial<CredentialIssueArgs> = {}) => {
    const { format = 'dc+sd-jwt' } = args
    const own = format === 'dc+sd-jwt' ? { vct: VCT } : {}
    const subject = { subjectDid: holderDid, attributes: { given_name: 'Ada', age: 36 } }
    return test.agent.credentialIssue({ format, issuerDid: did, ...own, ...subject, ...args })
  }
  const verify = (credential: unknown): Promise<CredentialVerifyResult> =>
    test.agent.credentialVerify({ credential } as never)
  const publicJwk = async (of: string) => {
    const [method] = (await test.resolver.resolve(of)).didDocument?.verificationMethod ?? []
    return method?.publicKeyJwk
  }
  return { ...test, did, holderDid, issuer, issue, verify, publicJwk }
}

/** A disclosure as RFC 9901 section 4.2 writes it: salt, name and value, or salt and value. */
export const disclosure = (...parts: unknown[]): string =>
  Buffer.from(JSON.stringify([randomBytes(16).toString('base64url'), ...parts])).toString('base64url')

export const digest = (text: string, hash = 'sha256'): string =>
  createHash(hash).update(text).digest('base64url')

/** An SD-JWT VC that an external issuer signs by hand. */
export function foreignSdJwt(
  issuer: ForeignSigner,
  claims: Record<string, unknown>,
  disclosures: readonly string[] = [],
  header: Record<string, unknown> = {},
): string {
  const payload = { iss: issuer.did, vct: VCT, iat: NOW.getTime() / 1000, ...claims }
  return [issuer.sign(payload, { typ: 'dc+sd-jwt', ...header }), ...disclosures, ''].join('~')
}

/** Header and payload of an SD-JWT, unverified, and its disclosures. */
export function partsOf(sdJwt: string) {
  const [jwt = '', ...disclosures] = sdJwt.split('~')
  const [header, payload] = jwt
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>)
  return { jwt, header, payload, disclosures: disclosures.filter((text) => text !== '') }
}
