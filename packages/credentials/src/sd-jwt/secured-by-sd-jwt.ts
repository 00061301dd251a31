import type { CredentialFormat, ReadCredential } from '@vidimus/core-types'
import { isCertifiedIssuer } from '@vidimus/verification-methods'
import { checkSameMembers } from '../jwt/presented-form.js'
import { verifyByCertificates } from '../jwt/verify-by-certificates.js'
import { verifyJwt } from '../jwt/verify-jwt.js'
import type { ParsedSdJwt } from './parse-sd-jwt.js'
import { isSdJwtEnvelope } from './sd-jwt-form.js'

/** A credential as stated by its SD-JWT, not yet verified. */
export interface ReadSdJwtCredential extends ReadCredential {
  sdJwt: ParsedSdJwt
  /** the JWT with its disclosures */
  secured: string
}

/** Common behavior of both SD-JWT credential formats. */
export const securedBySdJwt = {
  checkShown(shown, { credential }) {
    if (!isSdJwtEnvelope(shown)) checkSameMembers(shown, credential)
  },
  verify: ({ sdJwt: { parsed }, issuer }, { documentOf, context }) =>
    isCertifiedIssuer(issuer)
      ? verifyByCertificates(parsed, issuer, context)
      : verifyJwt(parsed, issuer, 'assertionMethod', documentOf),
} satisfies Pick<CredentialFormat<ReadSdJwtCredential>, 'checkShown' | 'verify'>
