import { createHash } from 'node:crypto'
import { problemsError, type SigningRelationship } from '@vidimus/core-types'
import type { DIDDocument } from 'did-resolver'
import { absoluteId, allowedMethods, type AllowedMethod } from './allowed-methods.js'
import type { DocumentSource } from './did-documents.js'
import { demandSupportedKeys } from './unsupported-key.js'
import { isSameVerifyingKey, memberTexts, type VerifyingKey } from './verifying-key.js'

/** The most keys of a document that are compared with a name that is no DID URL. */
const MOST_COMPARED = 100

const THUMBPRINT_URN = 'urn:ietf:params:oauth:jwk-thumbprint:sha-256:'

/** SHA-256 in base64url. */
const THUMBPRINT = /^[A-Za-z0-9_-]{43}$/

/**
 * The verification method that the `kid` of a JWT leads to: a DID URL or `#fragment` of the signer, its bare DID, a bare
 * fragment, or the thumbprint of a key, bare or as a URN. Methods with the same key count once, as documents may list a
 * key in several encodings.
 *
 * @returns an absolute DID URL of the signer; whether there is such a method is not known of a DID URL or `#fragment`
 * @throws AgentError `invalid_credential` at the path `jwt` for a `kid` of another DID, which is never resolved, and for one
 *   that leads to no key that the relationship allows, or to several; `algorithm_not_supported`, `did_not_resolvable`,
 *   `did_deactivated`
 */
export async function methodNamedByKid(
  kid: string,
  did: string,
  relationship: SigningRelationship,
  documentOf: DocumentSource,
): Promise<string> {
  const id = absoluteId(did, kid)
  if (id.startsWith(`${did}#`)) return id
  if (kid === '' || (/^did:/i.test(kid) && kid !== did))
    throw refused(`the kid of the signature is "${kid}", which is not a key of "${did}"`)
  const document = await documentOf(did)
  const [first, ...others] = candidates(document, did, relationship, kid)
  if (!first) demandSupportedKeys(document, relationship, kid === did ? undefined : `${did}#${kid}`)
  if (!first) throw refused(`"${kid}" is not a key in the ${relationship} of "${did}"`)
  const other = others.find(({ publicKey }) => !isSameVerifyingKey(publicKey, first.publicKey))
  if (!other) return first.id
  throw refused(
    `the kid "${kid}" leads to several keys in the ${relationship} of "${did}": ${first.id}, ${other.id}`,
  )
}

function candidates(
  document: DIDDocument,
  did: string,
  relationship: SigningRelationship,
  kid: string,
): AllowedMethod[] {
  if (kid === did) return [...few(document, did, relationship)]
  const byFragment = [...allowedMethods(document, relationship, `${did}#${kid}`)]
  const thumbprint = kid.startsWith(THUMBPRINT_URN) ? kid.slice(THUMBPRINT_URN.length) : kid
  if (!THUMBPRINT.test(thumbprint)) return byFragment
  const byThumbprint = [...few(document, did, relationship)].filter(
    ({ publicKey }) => jwkThumbprint(publicKey) === thumbprint,
  )
  return [...byFragment, ...byThumbprint]
}

function* few(
  document: DIDDocument,
  did: string,
  relationship: SigningRelationship,
): Generator<AllowedMethod> {
  let compared = 0
  for (const method of allowedMethods(document, relationship)) {
    compared += 1
    if (compared > MOST_COMPARED)
      throw refused(`the kid is no DID URL, and "${did}" has more than ${MOST_COMPARED} keys`)
    yield method
  }
}

/** The thumbprint of a key, with SHA-256. @see RFC 7638 section 3 */
const jwkThumbprint = (key: VerifyingKey): string =>
  createHash('sha256')
    .update(JSON.stringify(memberTexts(key)))
    .digest('base64url')

/** The same as a URI. @see RFC 9278 */
export const jwkThumbprintUri = (key: VerifyingKey): string => `${THUMBPRINT_URN}${jwkThumbprint(key)}`

const refused = (message: string) => problemsError('invalid_credential', [{ path: 'jwt', message }])
