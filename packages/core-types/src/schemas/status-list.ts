import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { mayCost } from './cost.js'
import { VerificationCheck } from './credentials.js'
import { problems } from './fields.js'
import { LinkedResourceMetadata } from './linked-resource.js'
import { pageEnd } from './paging.js'
import { listIndex } from './status-list-fields.js'

export const StatusReport = z.object({
  status: z.int().meta({ description: 'Value of the entry' }),
  valid: z
    .boolean()
    .meta({ description: 'The value is 0: no purpose of the list applies, not only this one' }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  message: z.string().exactOptional(),
})

/** A published version; frozen, as callers that get the same version share it. */
export const StatusListPublication = z.object({
  resource: z
    .record(z.string(), z.unknown())
    .meta({ description: 'The published list, in the form of its type' }),
  resourceMetadata: LinkedResourceMetadata,
})

/** A list of a series. */
export const StatusListMember = z.object({
  statusListName: z.string(),
  resourceType: z.string(),
  series: z.string().meta({ description: 'Name of the series' }),
  state: z.enum(['ready', 'open', 'full', 'closed']).meta({
    description:
      '`ready`: the next one; `open`: indices are allocated in it; `full`: no longer; `closed`: and all of its credentials have expired',
  }),
  expireBefore: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'With a `period`: its credentials expire before this',
  }),
})

/** A name whose lists never fill up. */
export const StatusListSeriesFacts = z.object({
  name: z.string(),
  length: z.int().exactOptional().meta({ description: 'Entries of each member; absent: the default' }),
  period: z.string().exactOptional(),
  members: z.int().meta({ description: 'How many there are' }),
})

export const StatusListMembersResult = z.object({
  series: z.array(StatusListSeriesFacts).meta({ description: 'One for each resource type with this name' }),
  members: z.array(StatusListMember).meta({ description: 'The newest first' }),
  next: pageEnd.next,
})

/** How full a list is. */
export const StatusListFill = z.object({
  allocated: z.int().exactOptional().meta({
    description:
      'For the account that publishes it: entries that are given out, which includes those in use already and those that a restore skipped',
  }),
  entries: z.int().exactOptional().meta({
    description:
      'For the account that publishes it: how many there are; absent if that is not known without reading the list',
  }),
})

/** What accounts that publish a list are told of it. */
export const StatusListFacts = StatusListFill.extend({
  statusListName: z.string(),
  resourceType: z.string(),
  member: StatusListMember.exactOptional().meta({ description: 'If it is a member of a series' }),
})

export const StatusListFactsResult = z.object({ lists: z.array(StatusListFacts) })

const ofSeries = {
  series: StatusListSeriesFacts.exactOptional().meta({
    description: 'If it is a series: the resource is that of a member',
  }),
}

export const StatusListCreateResult = StatusListPublication.extend({
  created: z.literal(true),
  encrypted: z.boolean(),
  ...ofSeries,
  warnings: z
    .array(z.object({ code: z.string(), message: z.string() }))
    .exactOptional()
    .meta({ description: 'What to know of the list: `rarely_read` if few verifiers read such a list' }),
  ...mayCost,
})

export const StatusListUpdateResult = StatusListPublication.extend({
  updated: z.literal(true).meta({ description: 'The update is durably stored' }),
  published: z.boolean().exactOptional().meta({
    description:
      'Of lists with `publishEvery`: whether the change is in `resource`, the version that is published now',
  }),
  visibleFrom: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'If it is not published yet: when it will be',
  }),
  changed: z.array(z.int()).meta({
    description:
      'Indices changed by this call, ascending; empty: no version was published, unless for new payment conditions',
  }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  unsuspended: z.boolean().exactOptional(),
  status: z.int().exactOptional().meta({ description: 'Of a custom state' }),
  message: z.string().exactOptional().meta({ description: 'Of a custom state' }),
  receipt: z.string().exactOptional().meta({
    description: 'If requested: a compact JWS of the publisher that states what this call did',
  }),
  publication: z.enum(['done', 'pending']).exactOptional().meta({
    description: 'If waited for: whether the static publication has this version, or it is pending',
  }),
  ...mayCost,
})

export const StatusListSignResult = StatusListPublication.extend({
  signed: z.boolean().meta({
    description: 'Whether a version was published; false if the current key already signed the newest one',
  }),
  validUntil: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'Of the version in `resource`, if it has one',
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
  signedBy: z.string().exactOptional().meta({
    description:
      'Who signed a list that is served over https, where the request names no credential: a DID, an https address, or `anchor:` and the name of a trust anchor',
  }),
  results: z
    .array(StatusReport.extend({ index: z.int() }))
    .exactOptional()
    .meta({ description: 'One for each index, ascending' }),
})

export const StatusListSearchResult = StatusListPublication.extend({
  found: z.literal(true),
  ...ofSeries,
  member: StatusListMember.exactOptional().meta({ description: 'If the list is a member of a series' }),
  ...StatusListFill.shape,
  publishEvery: z.string().exactOptional().meta({
    description: 'For the account that publishes it: how often changes are published; absent: at once',
  }),
  always: z.boolean().exactOptional().meta({
    description: 'Whether versions are published at this interval even without changes',
  }),
  waiting: z
    .int()
    .exactOptional()
    .meta({ description: 'Number of entries whose changes are not published yet' }),
  visibleFrom: z
    .string()
    .exactOptional()
    .meta({ format: 'date-time', description: 'When the next version is due' }),
})

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
  mediaType: z.string().exactOptional().meta({ description: 'Of the content, if the type has one' }),
  ttlMs: z.number().exactOptional().meta({ description: 'Milliseconds for which a copy may be used' }),
  validUntil: z.string().exactOptional().meta({ format: 'date-time' }),
})

/** Where a list is published. */
export const StatusListLocation = z.object({
  did: z.string().brand<'did'>(),
  statusListName: z.string().brand<'status list name'>(),
  resourceType: z.string(),
})

/** A list that has an https address under the public URL of the service. */
export const LocatedStatusList = StatusListLocation.extend({
  url: z
    .string()
    .exactOptional()
    .meta({ description: 'The https address, if that is the identity of the list' }),
})

/** The properties of a configured status list type. */
export const StatusListTypeFacts = z.object({
  type: z.string().meta({ description: 'The `listType` of the API' }),
  entryType: z.string(),
  purposes: z.array(z.string()),
  statusSizes: z.array(z.int()),
  resourceTypes: z
    .array(z.string())
    .meta({ description: 'Resource types that lists of this type are published under' }),
  defaultLength: z.int().meta({ description: 'Entries of a new list, unless its creator chooses' }),
  minLength: z.int().meta({ description: 'Entries of the smallest list' }),
  embedsProofs: z.boolean().meta({ description: 'Whether versions can have an embedded proof as well' }),
})

/** What a value of an entry means, as the type of the list reports it. */
const StatusListValue = z.object({
  value: z.int(),
  entries: z.int().meta({ description: 'How many entries have it' }),
  valid: z.boolean().meta({ description: 'For every purpose of the list' }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  message: z.string().exactOptional().meta({ description: 'Its name' }),
  actions: z.array(z.string()).meta({ description: 'Named actions that lead to another value' }),
})

/** All entries of a version of a list, whatever its type. */
export const StatusListEntries = z.object({
  resourceId: z.string(),
  statusSize: z.int().meta({ description: 'Bits of an entry' }),
  order: z.enum(['msb', 'lsb', 'lsb-in-entry']).meta({
    description: 'Order of the bits of an entry in the bytes, see docs/status-lists.md',
  }),
  purposes: z.array(z.string()),
  encrypted: z.boolean(),
  untrusted: z.string().exactOptional().meta({
    description: 'Why verifiers must not trust this version, such as a key that its publisher no longer has',
  }),
  length: z.int().meta({ description: 'Number of entries; 0 if it is encrypted' }),
  bits: z.string().exactOptional().meta({
    description: 'The bits of all entries: gzip, then base64url; absent if the list is encrypted',
  }),
  values: z.array(StatusListValue).meta({ description: 'The values that occur, or have a name' }),
})

/** An index that belongs to one credential from now on. */
export const StatusListAllocation = z.object({
  listType: z.string(),
  statusListName: z.string().meta({ description: 'Name of the list; of a series, the member' }),
  index: z.int(),
  entryMember: z.enum(['credentialStatus', 'status']).meta({
    description: 'Member of the credential that the entries go into; `status` holds only one',
  }),
  entries: z
    .array(z.record(z.string(), z.unknown()))
    .meta({ description: 'One for each purpose, in the order requested' }),
  contexts: z.array(z.string()).meta({ description: 'Contexts that the credential needs for them' }),
})

export const StatusListAllocationsTogether = z.object({
  allocations: z.array(StatusListAllocation).meta({ description: 'One for each request, in order' }),
  contexts: z.array(z.string()).meta({
    description: 'Contexts that the credential needs for the ready entries',
  }),
})

export const StatusListUpdateCredentialResult = StatusListUpdateResult.extend({
  did: z.string().meta({ description: 'Publisher of the list' }),
  statusListName: z.string(),
  listType: z.string(),
  index: z.int().meta({ description: 'The entry of the list that the credential names' }),
})

/** `typ` of receipts, which nothing else has. */
export const RECEIPT_TYP = 'status-receipt+jwt'

/** What an update is answered with besides, where the caller wants that. */
export const wantsReceipt = z
  .boolean('must be true or false')
  .optional()
  .meta({ description: 'Return a signed `receipt` of the update; default: false' })

export const receiptText = z
  .string('must be a receipt: a compact JWS')
  .min(1, 'must be a receipt: a compact JWS')
  .meta({ description: 'The receipt of an update: a compact JWS' })

/** What a receipt says. */
export const StatusReceipt = z.object({
  iss: z.string().meta({ description: 'DID of the publisher, who signed it' }),
  iat: z.int().min(0).meta({ description: 'When it was signed, in seconds since 1970' }),
  list: z.string().meta({ description: 'Address of the status list, as credentials name it' }),
  indices: z.array(listIndex).min(1).max(BOUNDS.indices).meta({ description: 'Indices of the call' }),
  action: z.string().min(1).meta({ description: 'Action of the call, such as `revoke`' }),
  status: z.int().min(0).max(255).meta({ description: 'Value that each of the entries has in that version' }),
  resourceId: z.string().meta({ description: 'Id of the version of the list' }),
  resourceVersion: z.string().meta({ description: 'Version set by the publisher; may be empty' }),
  checksum: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: 'SHA-256 of its content, in hex' }),
})

export const StatusListReceiptVerifyArgs = z.strictObject({ receipt: receiptText })

export const StatusListReceiptVerifyResult = z.object({
  verified: z.boolean(),
  receipt: StatusReceipt.exactOptional().meta({ description: 'Its signed content' }),
  checks: z.array(VerificationCheck).meta({
    description:
      'Checks that were made: `format`, `signature`, `version` (the publisher has published it, with that checksum), `status` (its entries say so). For encrypted lists `status` is absent: only those who can read them can check their entries',
  }),
  problems: problems.meta({ description: 'Why it did not verify' }),
})
