import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { unknownField } from '../input/schema-problems.js'

/** Left to the agent, which tells every problem at its own place; here for form fields and the API document. */
const described = (description: string, schema: object) =>
  z
    .unknown()
    .optional()
    .meta({ description, ...schema })

const text = { type: 'string' as const }

const NEEDED = 'must be a JSON object or a list of at least one of them'
const NEITHER =
  'must have a statusListName, to be given an entry of that list, or be a ready entry with its type'
const NO_CHOICE =
  'is not supported: a free index is taken at random out of the whole list; statusListIndex names a certain one'

/** What other services let the caller say about the choice of an index. */
const REFUSED = ['statusListRangeStart', 'statusListRangeEnd', 'indexNotIn']

const FIELDS = {
  statusListName: described('Asks for an entry of the list of this name', text),
  statusPurpose: described('Purpose; needed where the list has several. Of several, all get one index', {
    anyOf: [text, { type: 'array', items: text }],
  }),
  statusListType: described('Type of the list; needed where lists of several types have this name', text),
  listType: described('Another name of `statusListType`', text),
  statusListIndex: described(
    'Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text',
    { anyOf: [{ type: 'integer', minimum: 0 }, text] },
  ),
  did: described('Of a request: who publishes the list; default: the issuer', text),
}

/** What has a `statusListName` is a request, whose fields are known; everything else a ready entry. */
const RequestedStatus = z
  .looseObject({
    ...FIELDS,
    type: described('Of a ready entry: its type; such an entry goes into the credential as it is', text),
  })
  .superRefine((status, context) => {
    const refuse = (message: string, ...path: string[]) => context.addIssue({ code: 'custom', message, path })
    const isRequest = status.statusListName !== undefined
    if (!isRequest && status.type === undefined) refuse(NEITHER)
    if (!isRequest) return
    const known = Object.keys(FIELDS)
    for (const name of Object.keys(status).filter((field) => !known.includes(field))) {
      refuse(REFUSED.includes(name) ? NO_CHOICE : unknownField(name, known), name)
    }
  })
  .meta({
    id: 'RequestedStatus',
    description: 'A request for an entry of a status list (`statusListName`), or a ready entry (`type`)',
  })

/** `credentialStatus` of a credential that is to be issued. */
export const requestedStatus = () =>
  z
    .union([RequestedStatus, z.array(RequestedStatus).min(1, NEEDED).max(BOUNDS.statusEntries)], {
      error: NEEDED,
    })
    .optional()
    .meta({
      description: 'Where the status of the credential will stand: requests for entries and ready entries',
    })
