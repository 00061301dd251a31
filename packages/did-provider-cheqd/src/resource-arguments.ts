import { MOST_ALTERNATIVES, type LinkedResourceCreateArgs } from '@vidimus/core-types'
import { isUuid } from '@vidimus/ledger'
import { z } from 'zod'
import { parseInput } from './parse-input.js'

const MAX_DATA_BYTES = 2_097_152
const BASE64URL = /^[A-Za-z0-9_-]+$/

/** Limits of the ledger are in bytes of UTF-8. */
const text = (least: number, most: number) =>
  z.string('has to be a string').refine((value) => {
    const bytes = Buffer.byteLength(value)
    return bytes >= least && bytes <= most
  }, `has to have ${least} to ${most} bytes`)

const AlternativeUri = z.strictObject({ uri: text(1, 256), description: text(0, 128) })

const Did = z.string('has to be a string')
const Name = { did: Did, resourceName: text(1, 64), resourceType: text(1, 64) }

export const CreateArguments = z.strictObject({
  ...Name,
  data: z
    .string('has to be base64url without padding')
    .refine(isBase64Url, 'has to be base64url without padding')
    .transform((encoded) => Buffer.from(encoded, 'base64url'))
    .refine(({ length }) => length <= MAX_DATA_BYTES, `has to have 1 to ${MAX_DATA_BYTES} bytes`),
  resourceVersion: text(0, 64).optional(),
  alsoKnownAs: z
    .array(AlternativeUri)
    .max(MOST_ALTERNATIVES, `has to hold at most ${MOST_ALTERNATIVES}`)
    .optional(),
  resourceId: z.string().refine(isUuid, 'has to be a UUID').optional(),
  expectedPrevious: z
    .string()
    .refine(isUuid, 'has to be the UUID of a version, or null')
    .nullable()
    .optional(),
})

export const NameArguments = z.object(Name)
export const VersionArguments = z.object({ did: Did, resourceId: z.string('has to be a string') })
export const DidArguments = z.object({ did: Did })

/** No four characters can end in one that carries six bits alone. */
function isBase64Url(encoded: string): boolean {
  return BASE64URL.test(encoded) && encoded.length % 4 !== 1
}

/** @throws AgentError `invalid_input` with every problem */
export const readCreateArguments = (args: LinkedResourceCreateArgs) => parseInput(CreateArguments, args)
/** @throws AgentError `invalid_input` with every problem */
export const readNameArguments = (args: unknown) => parseInput(NameArguments, args)
/** @throws AgentError `invalid_input` with every problem */
export const readVersionArguments = (args: unknown) => parseInput(VersionArguments, args)
/** @throws AgentError `invalid_input` with every problem */
export const readDidArguments = (args: unknown) => parseInput(DidArguments, args)
