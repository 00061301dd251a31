import { BOUNDS } from '@vidimus/core-types'
import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { described } from './primitives.js'
import { unknownField } from '../input/schema-problems.js'

/** Left to the agent, which reports every problem at its own path; here for form fields and the API document. */
function leftToAgent(schema: z.ZodType) {
  const { $schema, ...asJson } = z.toJSONSchema(schema, { io: 'input' })
  return z.unknown().optional().meta(asJson)
}

const NEEDED = 'must be a JSON object or a list of at least one of them'
const NEITHER = 'must have a statusListName, to get an entry of that list, or be a ready entry with its type'
const NO_CHOICE =
  'is not supported: a random free index of the whole list is allocated; use statusListIndex for a specific one'

/** Index allocation options of other services. */
const REFUSED = ['statusListRangeStart', 'statusListRangeEnd', 'indexNotIn']

const { shape } = schemas.CredentialStatusRequest
const KNOWN = Object.keys(shape) as (keyof typeof shape)[]
const FIELDS = Object.fromEntries(KNOWN.map((name) => [name, leftToAgent(shape[name])])) as Record<
  keyof typeof shape,
  ReturnType<typeof leftToAgent>
>

/** With a `statusListName` it is a request, whose fields are known; otherwise a ready entry. */
const RequestedStatus = z
  .looseObject({
    ...FIELDS,
    type: leftToAgent(schemas.CredentialStatusEntry.shape.type),
  })
  .superRefine((status, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path })
    const isRequest = status.statusListName !== undefined
    if (!isRequest && status.type === undefined) refuse(NEITHER)
    if (!isRequest) return
    for (const name of Object.keys(status).filter((field) => !Object.hasOwn(FIELDS, field))) {
      refuse(REFUSED.includes(name) ? NO_CHOICE : unknownField(name, KNOWN), name)
    }
  })
  .meta({
    id: 'RequestedStatus',
    description: 'A request for an entry of a status list (`statusListName`), or a ready entry (`type`)',
  })

/** `credentialStatus` of a new credential. */
export const requestedStatus = () =>
  z
    .union([RequestedStatus, z.array(RequestedStatus).min(1, NEEDED).max(BOUNDS.statusEntries)], {
      error: NEEDED,
    })
    .optional()
    .meta({
      description: described(schemas.CredentialIssueArgs.shape.credentialStatus),
    })
