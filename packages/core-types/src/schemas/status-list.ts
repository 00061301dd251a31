import { z } from 'zod'
import { mayCost } from './cost.js'
import { LinkedResourceMetadata } from './linked-resource.js'

export const StatusReport = z.object({
  status: z.int().meta({ description: 'Value of the entry' }),
  valid: z.boolean().meta({ description: 'Nothing speaks against the credential under this purpose' }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  message: z.string().exactOptional(),
})

/** A published version; frozen, as callers that get the same version share it. */
export const StatusListPublication = z.object({
  resource: z.record(z.string(), z.unknown()).meta({ description: 'The published list, as its type has it' }),
  resourceMetadata: LinkedResourceMetadata,
})

export const StatusListCreateResult = StatusListPublication.extend({
  created: z.literal(true),
  encrypted: z.boolean(),
  ...mayCost,
})

export const StatusListUpdateResult = StatusListPublication.extend({
  updated: z.literal(true).meta({ description: 'The list durably holds what was asked' }),
  changed: z.array(z.int()).meta({
    description:
      'The indices that this call changed, ascending; empty: no version was made, unless for new payment conditions',
  }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  unsuspended: z.boolean().exactOptional(),
  status: z.int().exactOptional().meta({ description: 'Of a custom state' }),
  message: z.string().exactOptional().meta({ description: 'Of a custom state' }),
  publication: z.enum(['done', 'pending']).exactOptional().meta({
    description: 'Where it was waited for: whether the static publication has this version, or still gets it',
  }),
  ...mayCost,
})

export const StatusListSignResult = StatusListPublication.extend({
  signed: z.boolean().meta({
    description: 'Whether a version was made; not where the key that signs now has signed the newest one',
  }),
  validUntil: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'Of the version in `resource`, where it says',
  }),
  ...mayCost,
})

const report = StatusReport.shape

export const StatusListCheckResult = z.object({
  checked: z.literal(true),
  ...report,
  status: report.status.exactOptional(),
  valid: report.valid.exactOptional(),
  purpose: z.string().exactOptional(),
  results: z
    .array(StatusReport.extend({ index: z.int() }))
    .exactOptional()
    .meta({ description: 'One for each index, ascending' }),
})

export const StatusListSearchResult = StatusListPublication.extend({ found: z.literal(true) })

/** A fee that the service paid for the account, to unlock an encrypted list of someone else. */
export const StatusListPayment = z.object({
  id: z.string().meta({ description: 'UUID; the memo of the transfer on the ledger' }),
  network: z.string(),
  did: z.string().meta({ description: 'Publisher of the list' }),
  statusListName: z.string(),
  feePaymentAddress: z.string(),
  feePaymentAmount: z.string().meta({ description: 'With its unit: `20000000000ncheq` are 20 CHEQ' }),
  txHash: z.string(),
  paidAt: z.string().meta({ format: 'date-time' }),
})

/** A server's data about a published list. */
export const StatusListDelivery = z.object({
  mediaType: z.string().exactOptional().meta({ description: 'Of the content, where the type has one' }),
  ttlMs: z.number().exactOptional().meta({ description: 'Milliseconds for which a copy may be used' }),
  validUntil: z.string().exactOptional().meta({ format: 'date-time' }),
})

/** Where a list is published. */
export const StatusListLocation = z.object({
  did: z.string(),
  statusListName: z.string(),
  resourceType: z.string(),
})

/** A list that has an https address under the public URL of the service. */
export const LocatedStatusList = StatusListLocation.extend({
  url: z
    .string()
    .exactOptional()
    .meta({ description: 'The https address, where that is what the list calls itself' }),
})

/** The properties of a configured status list type. */
export const StatusListTypeFacts = z.object({
  type: z.string().meta({ description: 'The `listType` of the API' }),
  entryType: z.string(),
  purposes: z.array(z.string()),
  statusSizes: z.array(z.int()),
  resourceTypes: z.array(z.string()).meta({ description: 'Under which lists of this type are published' }),
})

/** An index that belongs to one credential from now on. */
export const StatusListAllocation = z.object({
  listType: z.string(),
  index: z.int(),
  entryMember: z.enum(['credentialStatus', 'status']).meta({
    description: 'Which member of the credential the entries go into; `status` holds one alone',
  }),
  entries: z
    .array(z.record(z.string(), z.unknown()))
    .meta({ description: 'One for each purpose, in the order asked for' }),
  contexts: z.array(z.string()).meta({ description: 'What `@context` of the credential must hold for them' }),
})

export const StatusListAllocationsTogether = z.object({
  allocations: z.array(StatusListAllocation).meta({ description: 'One for each request, in their order' }),
  contexts: z.array(z.string()).meta({
    description: 'What `@context` of the credential must hold for the entries that the caller wrote',
  }),
})

export const StatusListUpdateCredentialResult = StatusListUpdateResult.extend({
  did: z.string().meta({ description: 'Publisher of the list' }),
  statusListName: z.string(),
  listType: z.string(),
  index: z.int().meta({ description: 'The entry of the list that the credential names' }),
})
