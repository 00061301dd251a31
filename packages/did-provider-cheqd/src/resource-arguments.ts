import { alternativesProblem, BOUNDS, type LinkedResourceCreateArgs } from '@vidimus/core-types'
import { isUuid } from '@vidimus/ledger'
import { z } from 'zod'
import { parseInput } from './parse-input.js'

const BASE64URL = /^[A-Za-z0-9_-]+$/

/** Limits of the ledger are in bytes of UTF-8. */
const text = (least: number, most: number) =>
  z.string('must be a string').refine((value) => {
    const bytes = Buffer.byteLength(value)
    return bytes >= least && bytes <= most
  }, `must have ${least} to ${most} bytes`)

const AlternativeUri = z.strictObject({
  uri: text(1, BOUNDS.alternativeUriBytes),
  description: text(0, BOUNDS.alternativeDescriptionBytes),
})

const Did = z.string('must be a string')
const Name = {
  did: Did,
  resourceName: text(1, BOUNDS.resourceNameBytes),
  resourceType: text(1, BOUNDS.resourceNameBytes),
}

export const CreateArguments = z.strictObject({
  ...Name,
  data: z
    .string('must be base64url without padding')
    .refine(isBase64Url, 'must be base64url without padding')
    .transform((encoded) => Buffer.from(encoded, 'base64url'))
    .refine(({ length }) => length <= BOUNDS.resourceBytes, `must have 1 to ${BOUNDS.resourceBytes} bytes`),
  resourceVersion: text(0, BOUNDS.resourceNameBytes).optional(),
  alsoKnownAs: z
    .array(AlternativeUri)
    .superRefine((all, context) => {
      const message = alternativesProblem(all)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
    .optional(),
  resourceId: z.string().refine(isUuid, 'must be a UUID').optional(),
  expectedPrevious: z.string().refine(isUuid, 'must be the UUID of a version, or null').nullable().optional(),
})

export const NameArguments = z.object(Name)
export const VersionArguments = z.object({ did: Did, resourceId: z.string('must be a string') })
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
