import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { didAsKept } from '../did-spelling.js'
import { textOfBytes, word } from './fields.js'
import { PaymentConditions } from './payment-conditions.js'

const NO_PUBLISHER = 'must be the DID that publishes the list'
const NO_INDEX = 'must be a whole number from 0 on'

/** Whether there is such an index, and how many there are, the list says. */
export const listIndex = z.int(NO_INDEX).min(0, NO_INDEX)

/** What names a list, in every method. */
export const listName = {
  did: z
    .string(NO_PUBLISHER)
    .min(1, NO_PUBLISHER)
    .overwrite(didAsKept)
    .meta({ description: 'DID of the publisher of the status list' }),
  statusListName: textOfBytes(
    'Name of the DID-Linked Resource that holds the list',
    BOUNDS.resourceNameBytes,
  ),
  listType: word('Type of the status list, one of the configured ones', [
    'StatusList2021',
    'BitstringStatusList',
    'TokenStatusList',
  ]),
}

export const statusPurpose = word('Purpose of the status list', [
  'revocation',
  'suspension',
  'message',
  'refresh',
])

export const statusListVersion = textOfBytes(
  'Version of the resource, for people',
  BOUNDS.resourceNameBytes,
  0,
)

/** What {@link listIndex} says, for documents: entries are looked at only once their number is right. */
export const indexItems = { items: { type: 'integer', minimum: 0 } }

/** @param most - as it is configured */
export const indicesToUpdate = (most: number) =>
  z
    // the number first: no problem for each of a million
    .array(z.unknown(), 'must be a list of whole numbers')
    .min(1, 'must hold at least one index')
    .max(most, `must not hold more than ${most} indices`)
    .meta({ ...indexItems, description: 'Indices to update; repeated ones count once' })
    .pipe(z.array(listIndex))

export const StatusListUpdateArgs = z.strictObject({
  ...listName,
  statusAction: word('Action to perform', ['revoke', 'suspend', 'reinstate']),
  indices: indicesToUpdate(BOUNDS.indices),
  statusListVersion: statusListVersion.optional(),
  encrypted: z.boolean().optional().meta({
    description: 'Which kind of list is meant; a list of the other kind is refused; default: false',
  }),
  paymentConditions: PaymentConditions.optional().meta({
    description: 'Conditions from now on; for encrypted lists',
  }),
})
