import type { IAgentContext } from '@veramo/core-types'
import {
  isDid,
  problemsError,
  type AgentError,
  type CertificateVerifyArgs,
  type CertificateVerifyResult,
  type DetachedSignature,
  type ICertificates,
  type IKeyCertificates,
  type KeyCertificate,
} from '@vidimus/core-types'
import { unsupportedKeyOf } from './unsupported-key.js'
import { rsaJwkOfHex, verifyingKeyOfHex } from './verifying-key.js'
import { isSignatureOfKey } from './verify-signature.js'

/** Whether an issuer is called as only certificates can say: by an https address. */
export const isCertifiedIssuer = (issuer: unknown): issuer is string =>
  typeof issuer === 'string' && !isDid(issuer) && /^https:\/\//i.test(issuer)

/**
 * An https address in the one spelling in which issuers are compared and returned: the URL parser's, without the slash
 * that may end a bare host. Whoever compares or shows it then means the host that was verified.
 *
 * @returns `undefined` for any other spelling, and for an address that no certificate can name
 */
export function canonicalIssuer(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const canBeNamed = url?.protocol === 'https:' && !url.username && !url.password && !address.includes('#')
  const plain = address.replace(/^(https:\/\/[^/?]+)\/$/, '$1')
  return canBeNamed && url.href.replace(/\/$/, '') === plain ? plain : undefined
}

/**
 * A media type in a header, in any case, with or without `application/` (RFC 7515 4.1.9); a value that is no text fits
 * nothing.
 */
export const joseType = (typ: unknown): string | undefined =>
  typeof typ === 'string' || typ === undefined
    ? typ?.toLowerCase().replace(/^application\//, '')
    : JSON.stringify(typ)

/**
 * The certificates in a header, as JWTs have them.
 *
 * @returns `undefined` for a header without
 * @see RFC 7515 section 4.1.6
 */
export function certificatesIn(header: Readonly<Record<string, unknown>>): string[] | undefined {
  const { x5c } = header
  const isChain = Array.isArray(x5c) && x5c.length > 0 && x5c.every((one) => typeof one === 'string')
  return isChain ? x5c : undefined
}

/**
 * Verifies a signature by certificates instead of a DID document: those of the issuer, which lead to a trust anchor.
 *
 * @throws AgentError `invalid_credential`
 */
export async function signerOfCertificates(
  signature: DetachedSignature,
  args: CertificateVerifyArgs,
  context: IAgentContext<{}>,
): Promise<Omit<CertificateVerifyResult, 'publicKey'>> {
  const { certificateVerify } = context.agent as Partial<ICertificates>
  if (typeof certificateVerify !== 'function')
    throw refused('this agent has no plugin that verifies certificates')
  const { publicKey, ...verified } = await certificateVerify(args)
  const key = verifyingKeyOfHex(publicKey)
  if (!key) throw unsupportedKey(publicKey)
  if (!isSignatureOfKey(key, signature)) {
    throw refused('the signature does not match the key of its certificate (x5c)')
  }
  return verified
}

/**
 * The certificates of a key of the account in scope; `undefined` where it has none, or was not given to the DID: a key
 * that others have put into its document does not decide in whose name it issues.
 */
export async function certificatesOfKey(
  kid: string,
  did: string,
  context: IAgentContext<{}>,
): Promise<(KeyCertificate & { issuer: string }) | undefined> {
  const { keyCertificateGet } = context.agent as Partial<IKeyCertificates>
  const found = typeof keyCertificateGet === 'function' ? await keyCertificateGet({ kid, did }) : null
  return found?.issuer === undefined ? undefined : { ...found, issuer: found.issuer }
}

function unsupportedKey({ type, publicKeyHex }: CertificateVerifyResult['publicKey']): AgentError {
  const name = unsupportedKeyOf({ publicKeyJwk: rsaJwkOfHex(publicKeyHex) ?? { kty: type } }) ?? type
  const message = `the key of its certificate (x5c) is ${name}, which is not supported`
  return problemsError('algorithm_not_supported', [{ path: 'jwt', message }])
}

const refused = (message: string) => problemsError('invalid_credential', [{ path: 'jwt', message }])
