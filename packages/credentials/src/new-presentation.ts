import { problemsError, type PresentationRequest, type ReadCredential } from '@vidimus/core-types'
import { jwtEnvelope, JOSE_CREDENTIAL, joseJwt } from './jose/jose-form.js'
import { VC_CONTEXT_2 } from './jwt/jwt-claims.js'
import { ENVELOPED_SD_JWT, isOfDataModel, SEPARATOR } from './sd-jwt/sd-jwt-form.js'

/**
 * A new presentation of data model 2.0, unsigned.
 *
 * @param format - the format to sign it in
 * @throws AgentError `invalid_input` for a credential that is not an object of data model 2.0
 * @see Verifiable Credentials Data Model v2.0 section 4.13
 */
export const newPresentation2 = ({ holderDid, credentials }: PresentationRequest, format: string) => ({
  '@context': [VC_CONTEXT_2],
  type: ['VerifiablePresentation'],
  holder: holderDid,
  verifiableCredential: credentials.map((credential, index) => presentedObject(credential, index, format)),
})

function presentedObject(
  { secured }: ReadCredential,
  index: number,
  format: string,
): Record<string, unknown> {
  if (typeof secured !== 'string') return secured
  if (joseJwt(JOSE_CREDENTIAL, secured) !== undefined) return jwtEnvelope(JOSE_CREDENTIAL, secured)
  if (secured.includes(SEPARATOR) && isOfDataModel(secured)) return jwtEnvelope(ENVELOPED_SD_JWT, secured)
  const message = `cannot be in a ${format}, which takes credentials of the data model 2.0; use jwt_vp or dc+sd-jwt`
  throw problemsError('invalid_input', [{ path: `credentials[${index}]`, message }])
}
