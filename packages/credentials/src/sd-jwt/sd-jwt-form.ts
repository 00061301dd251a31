import { isJsonObject } from '@vidimus/core-types'
import { joseType } from '@vidimus/verification-methods'
import { isEnvelope, jwtInEnvelope, objectIn, type EnvelopedForm } from '../jose/jose-form.js'
import { shownText } from '../jwt/presented-form.js'

/** Separator after the JWT of an SD-JWT and after each disclosure (RFC 9901 section 4). */
export const SEPARATOR = '~'

export const SD_JWT_VC = 'dc+sd-jwt'
export const VC_SD_JWT = 'vc+sd-jwt'

export const ENVELOPED_SD_JWT: EnvelopedForm = { typ: VC_SD_JWT, enveloped: 'EnvelopedVerifiableCredential' }
/** SD-JWT VCs formerly had the type of the other form, so this reads both. */
const ANY_SD_JWT: EnvelopedForm = { ...ENVELOPED_SD_JWT, typ: SD_JWT_VC }

/**
 * The SD-JWT in a presented value: the text itself, an enveloped text, or `proof.jwt` of an object.
 *
 * @returns `undefined` for a value that is not an SD-JWT, with or without disclosures
 */
export function shownSdJwt(shown: unknown): string | undefined {
  const text = shownText(shown) ?? jwtInEnvelope(ANY_SD_JWT, shown)
  return text?.includes(SEPARATOR) ? text : undefined
}

/** Whether an object encloses an SD-JWT and nothing else. @throws AgentError `invalid_credential` */
export const isSdJwtEnvelope = (shown: Record<string, unknown>): boolean => isEnvelope(ANY_SD_JWT, shown)

/** Whether an SD-JWT secures a credential of data model 2.0: SD-JWT VCs formerly used the same `typ`. */
export function isOfDataModel(sdJwt: string): boolean {
  const [header, payload] = sdJwt.split(SEPARATOR, 1)[0]?.split('.', 2) ?? []
  const claims = objectIn(payload)
  return joseType(objectIn(header)?.typ) === VC_SD_JWT && isJsonObject(claims) && '@context' in claims
}
