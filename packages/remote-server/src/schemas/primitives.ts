import { didAsKept, BOUNDS } from '@vidimus/core-types'
import { textOfCharacters } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { commaSeparable } from '../input/list-separator.js'

/** DID Core 3.1 */
const DID = /^did:[a-z0-9]+:(?:[A-Za-z0-9._:-]|%[0-9A-Fa-f]{2})*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})$/

const URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s,]+$/
/** an entry of a comma-separated list */
const TOKEN = /^[\w.:/#+-]+$/
/** Also an SD-JWT with its disclosures. */
const COMPACT_JWT = /^[\w-]+\.[\w-]+\.[\w-]*(~[\w.-]*)*$/

export const isDid = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= BOUNDS.did && DID.test(value)

export const did = (description: string) =>
  z
    .string()
    .max(BOUNDS.did)
    .regex(DID, 'must be a DID')
    .overwrite(didAsKept)
    .meta({ description, example: 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0' })

/** The metadata of a field in an agent method's schema, for a request field that is decoded differently. */
export function described(schema: z.core.$ZodType): string {
  const { description } = z.globalRegistry.get(schema) ?? {}
  const { def } = schema._zod
  if (description === undefined && 'innerType' in def) return described(def.innerType as z.core.$ZodType)
  return description ?? ''
}

export const text = (description: string, maxLength = BOUNDS.text) =>
  textOfCharacters(maxLength).meta({ description })

export const hexKey = (description: string) =>
  z
    .string()
    .max(BOUNDS.hexKey)
    .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})+$/, 'must be hexadecimal, two digits for each byte')
    .transform((hex) => hex.replace(/^0x/, '').toLowerCase())
    .meta({ description })

const oneIsAList = (value: unknown) => (typeof value === 'string' ? [value] : value)

/** In JSON a single URI may be given without a list, as in DID Core and the VC data model. */
export const uriList = (description: string, most: number = BOUNDS.listedTexts) =>
  z.preprocess(oneIsAList, listOfText(URI, most)).meta({ description })

export const words = (description: string) =>
  z.preprocess(oneIsAList, listOfText(TOKEN, BOUNDS.listedTexts)).meta({ description })

function listOfText(entry: RegExp, most: number) {
  const list = z.array(textOfCharacters(BOUNDS.text)).max(most)
  return commaSeparable(list, entry)
}

/** Credentials or presentations: compact JWTs or JSON objects. */
export const jwtOrObject = (description: string) =>
  z
    .union([z.string().min(1, 'must be a JWT string or a JSON object'), z.record(z.string(), z.unknown())], {
      error: (issue) => (issue.input === undefined ? 'is required' : 'must be a JWT string or a JSON object'),
    })
    .meta({ description })

export const jwtsOrObjects = (description: string) =>
  commaSeparable(
    z
      .array(jwtOrObject('A credential: JWT or JSON object'))
      .min(1, 'must have at least one credential')
      .max(BOUNDS.credentials)
      .meta({ description }),
    COMPACT_JWT,
  )

export const object = (description: string) => z.record(z.string(), z.unknown()).meta({ description })

/** Sent by clients of other services; has no effect here. */
export const ignored = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description: `Accepted and ignored. ${description}`, deprecated: true })
