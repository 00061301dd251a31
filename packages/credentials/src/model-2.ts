import {
  formatPath,
  isDid,
  isJsonObject,
  parseUsual,
  type Problem,
  schemaSentence,
} from '@vidimus/core-types'
import { z } from 'zod'
import { VC_CONTEXT_2 } from './jwt/jwt-claims.js'

const URL_TEXT = /^[a-z][a-z0-9+.-]*:[^\s]+$/i
/** A time with its zone (XML Schema 1.1, `dateTimeStamp`). */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const Url = z.string('must be a URL').regex(URL_TEXT, 'must be a URL')
export const Timestamp = z
  .string('must be a date and time with its time zone')
  .regex(TIMESTAMP, 'must be a date and time with its time zone')

const Types = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: 'must be a type or a list of types',
})

/** A single value, or a non-empty list. */
const oneOrMore = (one: z.ZodType, what: string) =>
  anyForm([one, z.array(one).min(1)], `must be ${what}, or a list of them`)

/** One of several forms, with one message if none matches: a union may report only one of them. */
const anyForm = (forms: [z.ZodType, ...z.ZodType[]], sentence: string) =>
  z.custom((value) => forms.some((form) => form.safeParse(value).success), { error: sentence })

const typed = (id: z.ZodType) => z.looseObject({ type: Types, id })
const Typed = oneOrMore(typed(Url.optional()), 'an object with a type')

const LanguageValue = z.strictObject({
  '@value': z.string(),
  '@language': z.string().optional(),
  '@direction': z.enum(['ltr', 'rtl']).optional(),
})
const Label = anyForm(
  [z.string(), LanguageValue, z.array(LanguageValue).min(1)],
  'must be a text, or an object with @value, or a list of them',
).optional()

const Subject = z.looseObject({ id: Url.optional() }).refine((subject) => Object.keys(subject).length > 0)

/** Subresource Integrity section 3.5, with the lengths of SHA-256, SHA-384 and SHA-512. */
const SRI_DIGEST =
  /^(sha256-[A-Za-z0-9+/]{43}=|sha384-[A-Za-z0-9+/]{64}|sha512-[A-Za-z0-9+/]{86}==)(\?[\x21-\x7e]*)?$/
const SriDigests = z.string().refine((text) => text.split(/\s+/).every((digest) => SRI_DIGEST.test(digest)))

/** In base58btc or base64url, the encodings of Controlled Identifiers v1.0 section 2.4. */
const Multibase = z.string().regex(/^(z[1-9A-HJ-NP-Za-km-z]+|u[A-Za-z0-9_-]+)$/)

const RelatedResource = z
  .looseObject({ id: Url, digestSRI: SriDigests.optional(), digestMultibase: Multibase.optional() })
  .refine(({ digestSRI, digestMultibase }) => digestSRI !== undefined || digestMultibase !== undefined)

/** @see Verifiable Credentials Data Model v2.0 section 5.3 */
const RelatedResources = oneOrMore(
  RelatedResource,
  'an object with a URL as its id and a valid digestSRI or digestMultibase',
).refine((resources) => areDistinct([resources].flat().map(valueOrId)), 'must not name a resource twice')

const areDistinct = (values: readonly unknown[]): boolean => new Set(values).size === values.length

const named = (object: z.ZodType) =>
  anyForm([z.string(), object], 'must be a URL, or an object with one as its id')

/** Common members of credentials and presentations. */
const Document = z.looseObject({
  '@context': z
    .array(
      z.union([Url, z.looseObject({})], { error: 'must be a URL or an object' }),
      'must be a list of contexts',
    )
    .refine(([first]) => first === VC_CONTEXT_2, `must begin with "${VC_CONTEXT_2}"`),
  id: Url.optional(),
  type: Types,
  termsOfUse: Typed.optional(),
})

const Credential = Document.extend({
  name: Label,
  description: Label,
  issuer: named(z.looseObject({ id: z.string(), name: Label, description: Label })),
  credentialSubject: oneOrMore(Subject, 'an object with at least one member'),
  validFrom: Timestamp.optional(),
  validUntil: Timestamp.optional(),
  credentialStatus: Typed.optional(),
  credentialSchema: oneOrMore(typed(Url), 'an object with a type and a URL as its id').optional(),
  refreshService: Typed.optional(),
  evidence: Typed.optional(),
  relatedResource: RelatedResources.optional(),
})

const Presentation = Document.extend({
  holder: named(z.looseObject({ id: z.string() })).optional(),
  verifiableCredential: oneOrMore(z.looseObject({}), 'an object').optional(),
})

/**
 * Violations of data model 2.0 in a credential.
 *
 * @see Verifiable Credentials Data Model v2.0 section 4
 */
export function credentialProblems2(credential: Record<string, unknown>): Problem[] {
  const problems = problemsUnder(Credential, credential, 'VerifiableCredential')
  if (!isDid(valueOrId(credential.issuer))) problems.push(refusal('its issuer must be a DID'))
  const { validFrom, validUntil } = credential
  if (Date.parse(String(validFrom)) > Date.parse(String(validUntil))) {
    problems.push(refusal('its validUntil is before its validFrom'))
  }
  return problems
}

/** The same for a presentation. @see Verifiable Credentials Data Model v2.0 section 4.13 */
export const presentationProblems2 = (presentation: Record<string, unknown>): Problem[] =>
  problemsUnder(Presentation, presentation, 'VerifiablePresentation')

/** The id of a value given as an id or as an object with one. */
export const valueOrId = (value: unknown): unknown => (isJsonObject(value) ? value.id : value)

function problemsUnder(schema: z.ZodType, document: Record<string, unknown>, type: string): Problem[] {
  const { error } = parseUsual(schema, document, schemaSentence)
  const problems = (error?.issues ?? []).map(({ path, message }) =>
    refusal(`its ${formatPath(path)} ${message}`),
  )
  const hasType = [document.type].flat().includes(type)
  return hasType ? problems : [...problems, refusal(`its type must include "${type}"`)]
}

const refusal = (message: string): Problem => ({ path: '', message })
