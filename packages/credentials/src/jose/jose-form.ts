import {
  bytesOfBase64Url,
  isJsonObject,
  parseForeignJson,
  problemsError,
  type Problem,
} from '@vidimus/core-types'
import { joseType } from '@vidimus/verification-methods'
import { VC_CONTEXT_2 } from '../jwt/jwt-claims.js'
import { firstNames } from '../jwt/presented-form.js'

/** A text that an object of data model 2.0 can enclose. */
export interface EnvelopedForm {
  /** its `typ`, and its media type without `application/` */
  typ: string
  /** the type of an object that encloses it as its `id` */
  enveloped: 'EnvelopedVerifiableCredential' | 'EnvelopedVerifiablePresentation'
}

const typesOf = (what: 'vc' | 'vp') =>
  [undefined, 'jwt', `${what}+jwt`, `${what}-ld+jwt`, `${what}+ld+jwt`, `${what}+ld+json+jwt`] as const

/**
 * The values of `typ` that each form may have, `undefined` for none: a token that was signed for another purpose is
 * never taken for a credential or presentation.
 *
 * @see RFC 8725 section 3.11; RFC 7515 section 4.1.9
 */
export const TYP_TABLE: Readonly<Record<string, readonly (string | undefined)[]>> = {
  jwt_vc: [undefined, 'jwt'],
  'vc+jwt': typesOf('vc'),
  jwt_vp: [undefined, 'jwt'],
  'vp+jwt': typesOf('vp'),
  'dc+sd-jwt': ['dc+sd-jwt', 'vc+sd-jwt'],
  'vc+sd-jwt': ['vc+sd-jwt'],
}

/** Problems of the `typ` of a form in {@link TYP_TABLE}. */
export function typProblems(form: string, typ: unknown): Problem[] {
  const types = TYP_TABLE[form] ?? []
  if (types.includes(joseType(typ))) return []
  const allowed = types.map((one) => one ?? 'absent').join(', ')
  const found = typ === undefined ? 'absent' : JSON.stringify(typ).slice(0, MOST_CHARACTERS)
  return [{ path: '', message: `its typ is ${found}, but that of a ${form} must be one of: ${allowed}` }]
}

const MOST_CHARACTERS = 60

/** A data model 2.0 document that is itself the payload of a JWT. */
export interface JoseForm extends EnvelopedForm {
  typ: 'vc+jwt' | 'vp+jwt'
  /** `cty` of the JWT */
  cty: 'vc' | 'vp'
}

export const JOSE_CREDENTIAL: JoseForm = {
  typ: 'vc+jwt',
  cty: 'vc',
  enveloped: 'EnvelopedVerifiableCredential',
}
export const JOSE_PRESENTATION: JoseForm = {
  typ: 'vp+jwt',
  cty: 'vp',
  enveloped: 'EnvelopedVerifiablePresentation',
}

/**
 * The JWT enclosed in an object of the data model.
 *
 * @see Verifiable Credentials Data Model v2.0 section 4.13
 */
export const jwtEnvelope = ({ typ, enveloped }: EnvelopedForm, jwt: string): Record<string, unknown> => ({
  '@context': [VC_CONTEXT_2],
  id: `data:application/${typ},${jwt}`,
  type: enveloped,
})

/** The enclosed JWT; `undefined` for anything else. */
export function jwtInEnvelope({ typ, enveloped }: EnvelopedForm, shown: unknown): string | undefined {
  if (!isJsonObject(shown) || ![shown.type].flat().includes(enveloped)) return undefined
  if (![shown['@context']].flat().includes(VC_CONTEXT_2)) return undefined
  const { type, text } = dataIn(shown.id) ?? {}
  return type !== undefined && type !== 'jwt' && TYP_TABLE[typ]?.includes(type) ? text : undefined
}

/**
 * Whether an object encloses a JWT of this form: then its content is that of the JWT, and it has no other.
 *
 * @throws AgentError `invalid_credential` for members that nobody signed
 */
export function isEnvelope(form: EnvelopedForm, shown: Record<string, unknown>): boolean {
  if (jwtInEnvelope(form, shown) === undefined) return false
  const { '@context': _, id: _id, type: _type, ...others } = shown
  const names = Object.keys(others)
  if (names.length === 0) return true
  const message = `an ${form.enveloped} has no members beside @context, id and type: ${firstNames(names)}`
  throw problemsError('invalid_credential', [{ path: 'jwt', message }])
}

/**
 * The media type and the text of a `data:` URL.
 *
 * @returns `undefined` for anything else
 * @see RFC 2397
 */
function dataIn(url: unknown): { type: string | undefined; text: string } | undefined {
  const comma = typeof url === 'string' ? url.indexOf(',') : -1
  if (typeof url !== 'string' || comma < 0 || !/^data:/i.test(url)) return undefined
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const data = percentDecoded(url.slice(comma + 1))
  const isEncoded = parameters.at(-1)?.trim().toLowerCase() === 'base64'
  if (data === undefined || (isEncoded && !/^[A-Za-z0-9+/]*={0,2}$/.test(data))) return undefined
  const text = isEncoded ? Buffer.from(data, 'base64').toString('latin1') : data
  return { type: joseType(mediaType.trim()), text }
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * The JWT of a document of this form: the text itself, an enveloped text, or `proof.jwt` of an object.
 *
 * @returns `undefined` for other forms
 */
export function joseJwt(form: JoseForm, shown: unknown): string | undefined {
  const proof = isJsonObject(shown) ? shown.proof : undefined
  const jwt = typeof shown === 'string' ? shown : isJsonObject(proof) ? proof.jwt : jwtInEnvelope(form, shown)
  return typeof jwt === 'string' && isOfForm(form, jwt) ? jwt : undefined
}

/**
 * Recognized by `typ`; without a known `typ`, by a payload that is itself a data model 2.0 document: the specification
 * recommends `typ` but does not require it.
 *
 * @see W3C Securing Verifiable Credentials using JOSE and COSE section 3.1
 */
function isOfForm({ typ, cty }: JoseForm, jwt: string): boolean {
  const [header, payload] = jwt.split('.', 2)
  const stated = joseType(objectIn(header)?.typ)
  if (stated !== undefined && stated !== 'jwt') return TYP_TABLE[typ]?.includes(stated) === true
  const { vc, vp, type, '@context': context } = objectIn(payload) ?? {}
  const documentType = cty === 'vc' ? 'VerifiableCredential' : 'VerifiablePresentation'
  return (
    vc === undefined &&
    vp === undefined &&
    [context].flat()[0] === VC_CONTEXT_2 &&
    [type].flat().includes(documentType)
  )
}

/** The JSON object in a part of a JWT; `undefined` if it is not one. */
export function objectIn(part: string | undefined): Record<string, unknown> | undefined {
  try {
    const bytes = part === undefined ? undefined : bytesOfBase64Url(part)
    const value = bytes && parseForeignJson(bytes)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
