import { alternativesProblem, BOUNDS, didAsKept, isPointInTime, NO_TIME } from '@vidimus/core-types'
import { z } from 'zod'
import { PaymentConditions } from './encryption/payment-conditions.js'
import { StatusMessageSchema } from './types/status-messages.js'

/** Limits of the ledger are in bytes of UTF-8. */
const text = (least: number, most: number) =>
  z.string('has to be text').refine((value) => {
    const bytes = Buffer.byteLength(value)
    return bytes >= least && bytes <= most
  }, `has to have ${least} to ${most} bytes`)

const index = z.int('has to be a whole number from 0 on').min(0, 'has to be a whole number from 0 on')

const maxFee = z
  .number('has to be an amount in CHEQ from 0 on')
  .min(0, 'has to be an amount in CHEQ from 0 on')
  .max(1_000_000_000, 'has to be at most 1000000000 CHEQ')

/** What {@link index} says, for the schema of the plugin: entries are looked at only once their number is right. */
const INDICES = { items: { type: 'integer', minimum: 0 } }

const list = {
  did: z
    .string('has to be the DID that publishes the list')
    .min(1, 'has to be the DID that publishes the list')
    .overwrite(didAsKept),
  statusListName: text(1, BOUNDS.resourceNameBytes),
  listType: z.string('has to be a type of status list'),
}

const statusPurpose = z.string('has to be a purpose')
const statusSize = z.int('has to be a whole number of bits').min(1, 'has to be a whole number of bits')
const messages = z
  .array(StatusMessageSchema, 'has to be a list of messages')
  .max(BOUNDS.statusMessages, 'has too many messages')
const statusListVersion = text(0, BOUNDS.resourceNameBytes)

const statusListCreate = (lengths: { least: number; most: number }) =>
  z.strictObject({
    ...list,
    statusPurpose: z.union([
      statusPurpose,
      z.array(statusPurpose).min(1, 'has to hold at least one purpose'),
    ]),
    statusListVersion: statusListVersion.optional(),
    // judged with everything else that the size of a list depends on
    length: z
      .int('has to be a whole number of entries')
      .meta({ minimum: lengths.least, maximum: lengths.most })
      .optional(),
    encoding: z.string().optional(),
    statusSize: statusSize.optional(),
    statusMessages: messages.optional(),
    ttl: z.int('has to be a whole number of milliseconds').min(1, 'has to be positive').optional(),
    validUntil: z.iso
      .datetime({ offset: true, error: 'has to be a date and time as ISO 8601 has it, with Z or an offset' })
      .refine(isPointInTime, NO_TIME)
      .optional(),
    encodedList: z.string('has to be text').optional(),
    encrypted: z.boolean().optional(),
    paymentConditions: PaymentConditions.optional(),
    alsoKnownAs: z
      .array(
        z.strictObject({
          uri: text(1, BOUNDS.alternativeUriBytes),
          description: text(0, BOUNDS.alternativeDescriptionBytes),
        }),
      )
      .superRefine((all, context) => {
        const message = alternativesProblem(all)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      })
      .optional(),
  })

const statusListUpdate = (maxIndices: number) =>
  z.strictObject({
    ...list,
    statusAction: z.string('has to be an action').min(1, 'has to be an action'),
    // the number first: no problem for each of a million
    indices: z
      .array(z.unknown(), 'has to be a list of whole numbers')
      .min(1, 'has to hold at least one index')
      .max(maxIndices, `must not hold more than ${maxIndices} indices`)
      .meta(INDICES)
      .pipe(z.array(index)),
    statusListVersion: statusListVersion.optional(),
    encrypted: z.boolean().optional(),
    paymentConditions: PaymentConditions.optional(),
  })

const statusListCheck = (maxIndices: number) =>
  z.strictObject({
    ...list,
    statusPurpose,
    index: index.optional(),
    indices: z
      .array(z.unknown(), 'has to be a list of whole numbers')
      .max(maxIndices, `must not hold more than ${maxIndices} indices`)
      .meta(INDICES)
      .pipe(z.array(index))
      .optional(),
    indexRangeStart: index.optional(),
    indexRangeEnd: index.optional(),
    statusListCredential: z.string('has to be the DID URL of the list').optional(),
    statusSize: statusSize.optional(),
    statusMessage: messages.optional(),
    makeFeePayment: z.boolean().optional(),
    maxFee: maxFee.optional(),
  })

const StatusListSearch = z.strictObject({ ...list, statusPurpose: statusPurpose.optional() })

const StatusListAllocate = z.strictObject({
  ...list,
  listType: list.listType.optional(),
  statusPurpose: z
    .union(
      [
        statusPurpose,
        z.array(statusPurpose).min(1, 'has to hold at least one purpose').max(BOUNDS.statusEntries),
      ],
      {
        error: 'has to be a purpose, or a list of them',
      },
    )
    .optional(),
  statusListIndex: index.optional(),
})

const atMostEntries = `must not hold more than ${BOUNDS.statusEntries}`

const StatusListAllocateTogether = z.strictObject({
  requests: z
    .array(StatusListAllocate, 'has to be a list of requests')
    .max(BOUNDS.statusEntries, atMostEntries),
  entries: z
    .array(z.looseObject({}, 'has to be an object'), 'has to be a list of entries')
    .max(BOUNDS.statusEntries, atMostEntries),
})

const StatusListUpdateCredential = z.strictObject({
  credential: z.union([z.string(), z.looseObject({})], {
    error: 'has to be a JWT or a JSON object whose proof holds one',
  }),
  action: z.enum(['revoke', 'suspend', 'reinstate'], 'has to be revoke, suspend or reinstate'),
  listType: list.listType.optional(),
  statusListVersion: statusListVersion.optional(),
})

const StatusListDelivery = z.strictObject({
  resourceType: z.string('has to be text'),
  data: z.string('has to be the content in base64url'),
})

const CredentialStatusCheck = z.looseObject({
  credential: z.looseObject({}, 'has to be a credential as an object'),
  makeFeePayment: z.boolean().optional(),
  maxFee: maxFee.optional(),
})

/**
 * The arguments of each method.
 *
 * @param maxIndices - in one call
 * @param lengths - of new lists, whatever their type
 */
export const argumentSchemas = (maxIndices: number, lengths: { least: number; most: number }) => ({
  statusListCreate: statusListCreate(lengths),
  statusListUpdate: statusListUpdate(maxIndices),
  statusListCheck: statusListCheck(maxIndices),
  statusListSearch: StatusListSearch,
  statusListTypes: z.object({}),
  statusListAllocate: StatusListAllocate,
  statusListAllocateTogether: StatusListAllocateTogether,
  statusListUpdateCredential: StatusListUpdateCredential,
  checkCredentialStatus: CredentialStatusCheck,
  statusListPayments: z.object({
    limit: z.int().optional(),
    page: z.int().optional(),
    after: z.string().optional(),
  }),
  statusListFees: z.object({}),
  statusListDelivery: StatusListDelivery,
})
export type ArgumentSchemas = ReturnType<typeof argumentSchemas>
