import type { VerifiablePresentation } from '@veramo/core-types'
import {
  problemsError,
  type AgentError,
  type PresentationFormat,
  type PresentationRequest,
  type Problem,
  type ReadPresentation,
} from '@vidimus/core-types'
import { isSignatureOfKey, joseType, jwkThumbprintUri } from '@vidimus/verification-methods'
import { readValidity } from '../jwt/jwt-claims.js'
import { parseJwt, type ParsedJwt } from '../jwt/jwt-form.js'
import { checkSameMembers } from '../jwt/presented-form.js'
import { subjectIds } from '../jwt/read-credential.js'
import { findSigner } from '../jwt/sign-jwt.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import { wholeSeconds } from '../validity.js'
import { chosenDisclosures } from './disclosure-frame.js'
import { holderBinding, keyInHex, type HolderBinding } from './holder-key.js'
import { digestOf, parseSdJwt, type ParsedSdJwt } from './parse-sd-jwt.js'
import { isOfDataModel, SD_JWT_VC, SEPARATOR, shownSdJwt } from './sd-jwt-form.js'

/** An SD-JWT with its key binding JWT, not yet verified. */
export interface ReadKeyBinding extends ReadPresentation {
  parsed: ParsedJwt
  binding: HolderBinding
}

const TYP = 'kb+jwt'

/** How long a key binding without an expiry of its own is accepted (RFC 9901 section 7.3). */
const LONGEST_MS = 3_600_000

/**
 * SD-JWTs presented by the holder of the bound key: selected disclosures, followed by a JWT over them, for one verifier
 * and one nonce.
 *
 * @see RFC 9901 section 4.3
 */
export const SdJwtPresentations: PresentationFormat<ReadKeyBinding> = {
  id: SD_JWT_VC,
  mediaTypes: ['application/dc+sd-jwt'],
  ownArguments: ['presentationFrame'],
  recognises: (shown) => shownSdJwt(shown) !== undefined,
  read: readKeyBinding,
  checkShown(shown, { parsed: { payload }, holder, credentials }) {
    const { iat, exp, aud, nonce } = payload
    checkSameMembers(shown, { iss: holder, nbf: iat, exp, aud: [aud], nonce })
    return credentials
  },
  async verify({ parsed, binding }, { documentOf }) {
    if ('did' in binding) {
      const named = { ...parsed, header: { ...parsed.header, kid: binding.kid } }
      return verifyJwt(named, binding.did, 'authentication', documentOf)
    }
    const { key } = binding
    const { header, signingInput, signature } = parsed
    const signed = Buffer.from(signingInput)
    if (!isSignatureOfKey(key, { algorithm: header.alg, signed, signature }))
      throw refused('its key binding is not signed with the key of its cnf')
    return jwkThumbprintUri(key)
  },
  async present(request, context) {
    const { holderDid: did, audience, nonce, now, ends } = request
    const { sdJwt, key } = shownCredential(request)
    const sign = await findSigner(did, 'authentication', context, key)
    const claims = { iat: wholeSeconds(now), exp: wholeSeconds(ends), aud: audience[0], nonce }
    const payload = { ...claims, sd_hash: digestOf(sdJwt.text, sdJwt.hash) }
    const jwt = sdJwt.text + (await sign(payload, { typ: TYP }, false))
    const said = { nbf: claims.iat, exp: claims.exp, iss: did, aud: [...audience] }
    return { ...said, ...(nonce !== undefined && { nonce }), proof: { type: 'SdJwtProof', jwt } }
  },
}

/**
 * Reads an SD-JWT with its key binding.
 *
 * @throws AgentError `invalid_credential` if it is not an SD-JWT, `invalid_presentation` with every problem
 * @see RFC 9901 section 7.3
 */
function readKeyBinding(shown: unknown): ReadKeyBinding {
  const text = shownSdJwt(shown) ?? ''
  const end = text.lastIndexOf(SEPARATOR) + 1
  if (end === text.length) {
    throw problemsError('invalid_presentation', [
      refusal('it has no key binding: a JWT of its holder after the last disclosure'),
    ])
  }
  const sdJwt = parseSdJwt(text.slice(0, end))
  const parsed = parseJwt(text.slice(end))
  const { payload, header } = parsed
  const { aud, nonce, iat, sd_hash: digest } = payload
  const binding = holderBinding(sdJwt.claims.cnf)
  const problems: Problem[] = []
  const refuse = (message: string) => problems.push(refusal(message))
  if (joseType(header.typ) !== TYP) refuse(`the typ of its key binding must be ${TYP}`)
  if (!binding) refuse('its cnf has no key that its holder could sign with')
  if (typeof aud !== 'string') refuse('the aud of its key binding must be a text')
  if (typeof nonce !== 'string') refuse('the nonce of its key binding must be a text')
  if (iat === undefined) refuse('its key binding has no iat')
  if (digest === undefined || digest !== digestOf(sdJwt.text, sdJwt.hash)) {
    refuse('the sd_hash of its key binding is not that of the SD-JWT before it')
  }
  const validity = readValidity(payload, {}, problems)
  if (problems.length > 0 || !binding) throw problemsError('invalid_presentation', problems)
  const ends = validity.notAfter.length > 0 ? validity.notAfter : [Number(iat) * 1000 + LONGEST_MS]
  const holder = boundHolder(sdJwt, binding)
  const credentials = [sdJwt.text]
  const presentation = { holder, verifiableCredential: credentials, proof: { type: 'SdJwtProof', jwt: text } }
  return {
    parsed,
    binding,
    holder,
    audience: [String(aud)],
    nonce,
    validity: { ...validity, notAfter: ends },
    presentation: presentation as unknown as VerifiablePresentation,
    credentials,
  }
}

/** The holder that the issuer bound the credential to: its subject, if it has one. */
function boundHolder({ claims: { sub, credentialSubject } }: ParsedSdJwt, binding: HolderBinding): string {
  const [subject, ...others] = subjectIds(credentialSubject)
  if (typeof sub === 'string') return sub
  if (subject !== undefined && others.length === 0) return subject
  return 'did' in binding ? binding.did : jwkThumbprintUri(binding.key)
}

/**
 * The credential to present.
 *
 * @throws AgentError `invalid_input` with every problem
 */
function shownCredential({ credentials, audience, nonce, presentationFrame }: PresentationRequest) {
  const [credential, ...others] = credentials
  const text = shownSdJwt(credential?.secured)
  const problems: Problem[] = []
  const refuse = (path: string, message: string) => problems.push({ path, message })
  if (others.length > 0) refuse('credentials', `must hold one credential, as a ${SD_JWT_VC} shows one`)
  if (audience.length === 0) refuse('audience', 'is required: a key binding is made for one verifier')
  if (nonce === undefined) refuse('nonce', 'is required: a key binding contains the nonce of a verifier')
  if (text === undefined) refuse('credentials[0]', 'is not an SD-JWT; use jwt_vp or vp+jwt for other forms')
  const sdJwt = text === undefined ? undefined : parseSdJwt(text)
  const binding = sdJwt && holderBinding(sdJwt.claims.cnf)
  const key = binding && 'key' in binding ? keyInHex(binding.key) : undefined
  if (sdJwt && !key) refuse('credentials[0]', 'is not bound to a key (cnf.jwk), so it cannot be presented')
  const chosen = sdJwt && presentationFrame && chosenIn(sdJwt, presentationFrame)
  if (chosen) problems.push(...chosen.problems)
  if (problems.length > 0 || !sdJwt || !key) throw problemsError('invalid_input', problems)
  if (!chosen) return { sdJwt, key }
  return { sdJwt: parseSdJwt([sdJwt.jwt, ...chosen.texts, ''].join(SEPARATOR)), key }
}

/** A frame describes `attributes` as of issuance. */
function chosenIn({ text, claims, disclosed }: ParsedSdJwt, frame: Record<string, unknown>) {
  if (!isOfDataModel(text)) return chosenDisclosures(frame, claims, disclosed, [])
  return chosenDisclosures(frame, claims.credentialSubject, disclosed, ['credentialSubject'])
}

const refusal = (message: string): Problem => ({ path: '', message })

const refused = (message: string): AgentError =>
  problemsError('invalid_credential', [{ path: 'jwt', message }])
