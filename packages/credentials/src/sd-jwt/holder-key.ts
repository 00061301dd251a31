import {
  isDid,
  isJsonObject,
  problemsError,
  type CredentialIssueArgs,
  type PublicKeyInHex,
  type SigningContext,
} from '@vidimus/core-types'
import {
  allowedMethods,
  documentSource,
  hasPrivateMembers,
  isSigningKey,
  publicKeyHexOf,
  unsupportedKeyOf,
  verifyingKeyOfMethod,
  type VerifyingKey,
} from '@vidimus/verification-methods'
import { newSubjectId } from '../new-credential.js'
import { atPath } from '../refusal-path.js'

/** The holder that an SD-JWT is bound to: a key, or a key of a DID (RFC 7800 sections 3.2 and 3.4). */
export type HolderBinding = { key: VerifyingKey } | { kid: string; did: string }

/**
 * The claim `cnf` of a new credential: the given key, or the first authentication key of its subject.
 *
 * @returns nothing if no key is given and the subject is not a DID
 * @throws AgentError `did_not_resolvable`, `did_deactivated` and `invalid_input`, with a detail at `cnf.jwk` or the subject
 */
export async function bindingOf(
  args: CredentialIssueArgs,
  context: SigningContext,
): Promise<{ cnf?: { jwk: VerifyingKey['jwk'] } }> {
  if (args.cnf) return { cnf: { jwk: givenKey(args.cnf.jwk).jwk } }
  const subject = newSubjectId(args)
  if (!isDid(subject)) return {}
  return atPath(args.subjectDid === undefined ? 'attributes.id' : 'subjectDid', async () => {
    const document = await documentSource(context)(subject)
    const [method] = allowedMethods(document, 'authentication')
    if (method) return { cnf: { jwk: method.publicKey.jwk } }
    const message = `"${subject}" has no authentication key to bind the credential to`
    throw problemsError('invalid_input', [{ path: 'did', message }])
  })
}

/** @throws AgentError `invalid_input`, which repeats no member */
function givenKey(jwk: Record<string, unknown>): VerifyingKey {
  const refused = (message: string) => problemsError('invalid_input', [{ path: 'cnf.jwk', message }])
  if (hasPrivateMembers(jwk)) throw refused('has private members; send the public key alone')
  const binding = holderBinding({ jwk })
  if (binding && 'key' in binding && isOnCurve(binding.key)) return binding.key
  const unsupported = unsupportedKeyOf({ publicKeyJwk: jwk as { kty: string } })
  throw refused(
    unsupported === undefined
      ? 'must be the JWK of a public key that can sign'
      : `is ${unsupported}, which is not supported`,
  )
}

/** Others were checked when they were read. */
const isOnCurve = (key: VerifyingKey): boolean => !isSigningKey(key) || publicKeyHexOf(key) !== undefined

/** The binding in a `cnf`; `undefined` for other kinds, and for keys that cannot sign. */
export function holderBinding(cnf: unknown): HolderBinding | undefined {
  if (!isJsonObject(cnf)) return undefined
  const { jwk, kid } = cnf
  if (isJsonObject(jwk)) {
    const method = { id: '', type: 'JsonWebKey', controller: '', publicKeyJwk: jwk as { kty: string } }
    const key = verifyingKeyOfMethod(method)
    return key && { key }
  }
  const did = typeof kid === 'string' ? kid.split('#', 1)[0] : undefined
  return typeof kid === 'string' && isDid(did) && did !== kid ? { kid, did } : undefined
}

/** The key in the terms of a KMS; `undefined` if it is not a point on its curve, or of a kind that no KMS here holds. */
export function keyInHex(key: VerifyingKey): PublicKeyInHex | undefined {
  const publicKeyHex = isSigningKey(key) ? publicKeyHexOf(key) : undefined
  return publicKeyHex === undefined ? undefined : { type: key.type, publicKeyHex }
}
