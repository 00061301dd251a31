import type { VerifiableCredential } from '@veramo/core-types'
import {
  problemsError,
  type CredentialFormat,
  type NewCredentialArgs,
  type Problem,
} from '@vidimus/core-types'
import { membersOfPayload, payloadProblems } from '../jose/read-jose.js'
import { readValidity } from '../jwt/jwt-claims.js'
import { subjectIds } from '../jwt/read-credential.js'
import { findSigner } from '../jwt/sign-jwt.js'
import { valueOrId } from '../model-2.js'
import { newCredential2 } from '../new-credential.js'
import { wholeSeconds } from '../validity.js'
import { disclosureFrameProblems, reservedNames } from './disclosure-frame.js'
import { bindingOf } from './holder-key.js'
import { parseSdJwt } from './parse-sd-jwt.js'
import { isOfDataModel, shownSdJwt, VC_SD_JWT } from './sd-jwt-form.js'
import { hiddenClaims } from './sd-jwt-vc.js'
import { securedBySdJwt, type ReadSdJwtCredential } from './secured-by-sd-jwt.js'
import { signSdJwt } from './sign-sd-jwt.js'

/** Members and claims that decide about a credential, and none of whose parts can be withheld. */
const DECISIVE = [
  ...[
    '@context',
    'type',
    'issuer',
    'validFrom',
    'validUntil',
    'credentialStatus',
    'credentialSchema',
    'termsOfUse',
  ],
  ...['iss', 'nbf', 'exp', 'aud', 'cnf', 'status'],
]

/**
 * Credentials of data model 2.0 as SD-JWT: the payload is the credential itself, and its holder can withhold claims
 * about the subject.
 *
 * @see W3C Securing Verifiable Credentials using JOSE and COSE section 3.2; RFC 9901
 */
export const SdJwtCredentials: CredentialFormat<ReadSdJwtCredential> = {
  id: VC_SD_JWT,
  mediaTypes: ['application/vc+sd-jwt'],
  ownArguments: ['disclosureFrame', 'document'],
  recognises(shown) {
    const text = shownSdJwt(shown)
    return text !== undefined && isOfDataModel(text)
  },
  read: readSdJwtCredential,
  ...securedBySdJwt,
  async prepareIssue(args, now, context) {
    const problems = argumentProblems(args)
    if (problems.length > 0) throw problemsError('invalid_input', problems)
    const { issuerDid: iss, validUntil, disclosureFrame } = args
    const sign = await findSigner(iss, 'assertionMethod', context)
    const binding = await bindingOf(args, context)
    return async (status) => {
      const payload = {
        ...newCredential2(args, status, now),
        ...(status.status && { status: status.status }),
        ...binding,
        iss,
        iat: wholeSeconds(now),
        ...(validUntil !== undefined && { exp: wholeSeconds(validUntil) }),
      }
      const frame = disclosureFrame && { credentialSubject: disclosureFrame }
      const text = await signSdJwt(payload, frame, { typ: VC_SD_JWT, cty: 'vc' }, sign)
      return readSdJwtCredential(text).credential
    }
  },
}

/**
 * Reads a data model 2.0 credential with its disclosed claims.
 *
 * @throws AgentError `invalid_credential` with every problem
 */
export function readSdJwtCredential(shown: unknown): ReadSdJwtCredential {
  const sdJwt = parseSdJwt(shownSdJwt(shown) ?? '')
  const { claims, text } = sdJwt
  const { cnf: _, ...members } = membersOfPayload(claims)
  const hidden = [
    ...(sdJwt.hiding.some((path) => path.length === 0)
      ? ['its members must not be selectively disclosable, only those of its credentialSubject']
      : []),
    ...hiddenClaims(sdJwt, DECISIVE),
  ].map((message): Problem => ({ path: '', message }))
  const problems = [...payloadProblems(claims, members), ...hidden]
  const validity = readValidity(claims, members, problems)
  if (problems.length > 0) throw problemsError('invalid_credential', problems)
  const credential = { ...members, proof: { type: 'SdJwtProof', jwt: text } }
  return {
    sdJwt,
    secured: text,
    issuer: String(valueOrId(members.issuer)),
    subjects: subjectIds(members.credentialSubject),
    validity,
    credential: credential as unknown as VerifiableCredential,
  }
}

function argumentProblems(args: NewCredentialArgs): Problem[] {
  const { attributes, disclosureFrame, termsOfUse, evidence, credentialSchema, refreshService, document } =
    args
  const { id: _, ...claims } = attributes
  const given = Object.entries({
    attributes,
    termsOfUse,
    evidence,
    credentialSchema,
    refreshService,
    document,
  })
  return [
    ...given.flatMap(([name, value]) => reservedNames(value, name)),
    ...(disclosureFrame === undefined ? [] : disclosureFrameProblems(disclosureFrame, claims)),
  ]
}
