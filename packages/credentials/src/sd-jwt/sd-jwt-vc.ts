import type { VerifiableCredential } from '@veramo/core-types'
import {
  isDid,
  isJsonObject,
  problemsError,
  type CredentialFormat,
  type CredentialIssueArgs,
  type Problem,
} from '@vidimus/core-types'
import { isCertifiedIssuer } from '@vidimus/verification-methods'
import { typProblems } from '../jose/jose-form.js'
import { readValidity } from '../jwt/jwt-claims.js'
import { findIssuer } from '../jwt/sign-jwt.js'
import { newSubjectId } from '../new-credential.js'
import { wholeSeconds } from '../validity.js'
import { disclosureFrameProblems, reservedNames } from './disclosure-frame.js'
import { bindingOf } from './holder-key.js'
import { parseSdJwt, type ParsedSdJwt } from './parse-sd-jwt.js'
import { isOfDataModel, SD_JWT_VC, shownSdJwt } from './sd-jwt-form.js'
import { SdJwtPresentations } from './sd-jwt-presentations.js'
import { securedBySdJwt, type ReadSdJwtCredential } from './secured-by-sd-jwt.js'
import { signSdJwt } from './sign-sd-jwt.js'

/**
 * Claims that cannot be selectively disclosed (SD-JWT VC, section on registered claims), and `aud`, which restricts the
 * audience.
 */
const NEVER_HIDDEN = ['iss', 'nbf', 'exp', 'aud', 'cnf', 'vct', 'vct#integrity', 'status']

/** Claims that callers cannot set. */
const OWN_CLAIMS = [...NEVER_HIDDEN, 'iat', 'sub', 'jti', 'proof', 'credentialStatus']

/** Arguments for data model credentials, for which an SD-JWT VC has no members. */
const OF_THE_DATA_MODEL = [
  '@context',
  'type',
  'name',
  'description',
  'credentialSchema',
  'termsOfUse',
  'refreshService',
  'evidence',
] as const

/**
 * SD-JWT VCs: top-level claims of a JWT, some of which the holder can withhold.
 *
 * @see draft-ietf-oauth-sd-jwt-vc; RFC 9901
 */
export const SdJwtVcCredentials: CredentialFormat<ReadSdJwtCredential> = {
  id: SD_JWT_VC,
  mediaTypes: ['application/dc+sd-jwt'],
  ownArguments: ['vct', 'disclosureFrame', 'cnf'],
  statusMember: 'status',
  recognises(shown) {
    const text = shownSdJwt(shown)
    return text !== undefined && !isOfDataModel(text)
  },
  read: readSdJwtVc,
  ...securedBySdJwt,
  async prepareIssue(args, now, context) {
    const problems = argumentProblems(args)
    if (problems.length > 0) throw problemsError('invalid_input', problems)
    const { issuerDid, credentialId, validFrom, validUntil, disclosureFrame } = args
    const { iss, header, sign } = await findIssuer(issuerDid, now, context)
    const binding = await bindingOf(args, context)
    const { id: _, ...claims } = args.attributes
    const subject = newSubjectId(args)
    return async ({ status }) => {
      const payload = {
        iss,
        iat: wholeSeconds(now),
        ...(validFrom !== undefined && { nbf: wholeSeconds(validFrom) }),
        ...(validUntil !== undefined && { exp: wholeSeconds(validUntil) }),
        vct: args.vct,
        ...(credentialId !== undefined && { jti: credentialId }),
        ...(subject !== undefined && { sub: subject }),
        ...binding,
        ...(status && { status }),
        ...claims,
      }
      return readSdJwtVc(await signSdJwt(payload, disclosureFrame, { ...header, typ: SD_JWT_VC }, sign))
        .credential
    }
  },
  presentations: SdJwtPresentations,
}

/**
 * Reads an SD-JWT VC with its disclosed claims.
 *
 * @throws AgentError `invalid_credential` with every problem
 */
export function readSdJwtVc(shown: unknown): ReadSdJwtCredential {
  const sdJwt = parseSdJwt(shownSdJwt(shown) ?? '')
  const { parsed, claims, text } = sdJwt
  const problems = typProblems(SD_JWT_VC, parsed.header.typ)
  const refuse = (message: string) => problems.push({ path: '', message })
  const { iss, sub, vct, status, cnf } = claims
  if (!isDid(iss) && !isCertifiedIssuer(iss)) refuse('its iss must be a DID, or an https address')
  if (typeof vct !== 'string' || vct === '') refuse('its vct must be a text that names its type')
  if (sub !== undefined && typeof sub !== 'string') refuse('its sub must be a text')
  if (status !== undefined && !isJsonObject(status)) refuse('its status must be an object')
  if (cnf !== undefined && !isJsonObject(cnf)) refuse('its cnf must be an object')
  // With it, the older `typ` means a credential of the data model.
  hiddenClaims(sdJwt, [...NEVER_HIDDEN, '@context']).forEach(refuse)
  const validity = readValidity(claims, {}, problems)
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  const proof = { type: 'SdJwtProof', jwt: text }
  return {
    sdJwt,
    secured: text,
    issuer: String(iss),
    subjects: typeof sub === 'string' ? [sub] : [],
    validity,
    credential: { ...claims, proof } as unknown as VerifiableCredential,
  }
}

/**
 * A sentence for each claim that must not be selectively disclosable, but is, or has such a part: what is withheld
 * would decide nothing.
 */
export const hiddenClaims = (
  { disclosed, hiding }: Pick<ParsedSdJwt, 'disclosed' | 'hiding'>,
  never: readonly string[],
): string[] => {
  const claims = disclosed.filter(({ path }) => path.length === 1).map(({ path: [name = ''] }) => name)
  const parts = hiding.map(([name = '']) => name)
  return [...new Set([...claims, ...parts])]
    .filter((name) => never.includes(name))
    .map((name) => `its ${name} must not be selectively disclosable`)
}

function argumentProblems(args: CredentialIssueArgs): Problem[] {
  const { vct, attributes, disclosureFrame } = args
  const { id: _, ...claims } = attributes
  const unsaid = OF_THE_DATA_MODEL.filter((name) => args[name] !== undefined)
  const taken = OWN_CLAIMS.filter((name) => Object.hasOwn(claims, name))
  return [
    ...(vct === undefined ? [{ path: 'vct', message: `is required, as the type of a ${SD_JWT_VC}` }] : []),
    ...unsaid.map((path) => ({
      path,
      message: `is not a member of a ${SD_JWT_VC}; put all claims into attributes`,
    })),
    ...taken.map((name) => ({
      path: `attributes.${name}`,
      message: `is a registered claim of the ${SD_JWT_VC}`,
    })),
    ...reservedNames(claims, 'attributes'),
    ...(disclosureFrame === undefined ? [] : disclosureFrameProblems(disclosureFrame, claims)),
  ]
}
