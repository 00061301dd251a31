import { alternativesProblem, BOUNDS, isPointInTime, NO_TIME } from '@vidimus/core-types'
import {
  indexItems,
  indicesToUpdate,
  listIndex,
  listName,
  PaymentConditions,
  statusListVersion,
  StatusListUpdateArgs,
  statusPurpose,
  textOfBytes,
} from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { StatusMessageSchema } from './types/status-messages.js'

const maxFee = z
  .number('must be an amount in CHEQ from 0 on')
  .min(0, 'must be an amount in CHEQ from 0 on')
  .max(1_000_000_000, 'must be at most 1000000000 CHEQ')

const statusSize = z.int('must be a whole number of bits').min(1, 'must be a whole number of bits')
const messages = z
  .array(StatusMessageSchema, 'must be a list of messages')
  .max(BOUNDS.statusMessages, 'has too many messages')

const statusListCreate = (lengths: { least: number; most: number }) =>
  z.strictObject({
    ...listName,
    statusPurpose: z.union([statusPurpose, z.array(statusPurpose).min(1, 'must hold at least one purpose')]),
    statusListVersion: statusListVersion.optional(),
    // judged with everything else that the size of a list depends on
    length: z
      .int('must be a whole number of entries')
      .meta({ minimum: lengths.least, maximum: lengths.most })
      .optional(),
    encoding: z.string().optional(),
    statusSize: statusSize.optional(),
    statusMessages: messages.optional(),
    ttl: z.int('must be a whole number of milliseconds').min(1, 'must be positive').optional(),
    validUntil: z.iso
      .datetime({ offset: true, error: 'must be a date and time as ISO 8601 has it, with Z or an offset' })
      .refine(isPointInTime, NO_TIME)
      .optional(),
    encodedList: z.string('must be text').optional(),
    encrypted: z.boolean().optional(),
    paymentConditions: PaymentConditions.optional(),
    address: z.enum(['did', 'https'], 'must be did or https').optional(),
    alsoKnownAs: z
      .array(
        z.strictObject({
          uri: textOfBytes('Where else the list is found', BOUNDS.alternativeUriBytes),
          description: textOfBytes('What is found there', BOUNDS.alternativeDescriptionBytes, 0),
        }),
      )
      .superRefine((all, context) => {
        const message = alternativesProblem(all)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      })
      .optional(),
  })

const statusListCheck = (maxIndices: number) =>
  z.strictObject({
    ...listName,
    statusPurpose,
    index: listIndex.optional(),
    indices: z
      .array(z.unknown(), 'must be a list of whole numbers')
      .max(maxIndices, `must not hold more than ${maxIndices} indices`)
      .meta(indexItems)
      .pipe(z.array(listIndex))
      .optional(),
    indexRangeStart: listIndex.optional(),
    indexRangeEnd: listIndex.optional(),
    statusListCredential: z.string('must be the DID URL of the list').optional(),
    statusSize: statusSize.optional(),
    statusMessage: messages.optional(),
    makeFeePayment: z.boolean().optional(),
    maxFee: maxFee.optional(),
  })

const StatusListSearch = z.strictObject({ ...listName, statusPurpose: statusPurpose.optional() })

const StatusListAllocate = z.strictObject({
  ...listName,
  listType: listName.listType.optional(),
  statusPurpose: z
    .union(
      [
        statusPurpose,
        z.array(statusPurpose).min(1, 'must hold at least one purpose').max(BOUNDS.statusEntries),
      ],
      {
        error: 'must be a purpose, or a list of them',
      },
    )
    .optional(),
  statusListIndex: listIndex.optional(),
})

const atMostEntries = `must not hold more than ${BOUNDS.statusEntries}`

const StatusListAllocateTogether = z.strictObject({
  requests: z
    .array(StatusListAllocate, 'must be a list of requests')
    .max(BOUNDS.statusEntries, atMostEntries),
  entries: z
    .array(z.looseObject({}, 'must be an object'), 'must be a list of entries')
    .max(BOUNDS.statusEntries, atMostEntries),
})

const StatusListUpdateCredential = z.strictObject({
  credential: z.union([z.string(), z.looseObject({})], {
    error: 'must be a JWT or a JSON object whose proof holds one',
  }),
  action: z.enum(['revoke', 'suspend', 'reinstate'], 'must be revoke, suspend or reinstate'),
  listType: listName.listType.optional(),
  statusListVersion: statusListVersion.optional(),
})

const StatusListDelivery = z.strictObject({
  resourceType: z.string('must be text'),
  data: z.string('must be the content in base64url'),
})

const StatusListLocate = z.strictObject({ statusListId: z.string('must be the id of a list') })

const StatusListAggregation = z.strictObject({ did: listName.did.optional() })

const CredentialStatusCheck = z.looseObject({
  credential: z.looseObject({}, 'must be a credential as an object'),
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
  statusListUpdate: StatusListUpdateArgs.extend({ indices: indicesToUpdate(maxIndices) }),
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
  statusListForms: StatusListDelivery,
  statusListLocate: StatusListLocate,
  statusListAggregation: StatusListAggregation,
})
export type ArgumentSchemas = ReturnType<typeof argumentSchemas>
