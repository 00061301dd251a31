import { z } from 'zod'
import { BOUNDS, PAGES } from '../bounds.js'
import { dateTime, duration, textOfCharacters, word } from './fields.js'
import { Alternatives } from './linked-resource.js'
import { PageRequest } from './paging.js'
import { PaymentConditions } from './payment-conditions.js'
import { wantsReceipt } from './status-list.js'
import {
  indicesToCheck,
  indicesToUpdate,
  listIndex,
  listName,
  maxFee,
  onePurposeOrMore,
  publicationWish,
  publishEvery,
  statusListVersion,
  statusMessages,
  statusPurpose,
  statusSize,
} from './status-list-fields.js'

export const StatusListCreateArgs = z.strictObject({
  ...listName,
  statusPurpose: onePurposeOrMore,
  statusListVersion: statusListVersion.optional(),
  // judged with everything else that the size of a list depends on
  length: z
    .int('must be a whole number of entries')
    .optional()
    .meta({ description: 'Entries; default and minimum 131072' }),
  encoding: word('Encoding of the list, if its type has several', ['base64url', 'hex']).optional(),
  statusSize: statusSize.optional().meta({
    description: [
      'Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList,',
      'of which other implementations read 1, 2, 4 and 8. Default: as the purposes require',
    ].join(' '),
  }),
  statusMessages: statusMessages.optional().meta({
    description: 'Meaning of each of the 2^statusSize values; only for BitstringStatusList',
  }),
  ttl: z
    .int('must be a whole number of milliseconds')
    .min(1, 'must be positive')
    .optional()
    .meta({ description: 'Milliseconds for which a copy may be used; whole seconds for TokenStatusList' }),
  validUntil: dateTime('End of the validity of the list').optional(),
  encodedList: z
    .string('must be text')
    .regex(/^[\w+/=-]+$/, 'must be in the encoding of the list')
    .optional()
    .meta({ description: 'Initial entries; default: all 0' }),
  alsoKnownAs: Alternatives.optional().meta({ description: 'Alternative addresses of the list' }),
  address: z
    .enum(['did', 'https'])
    .optional()
    .meta({
      description: [
        'Permanent identity of the list, also used in its entries: its DID URL, or the https address under the',
        'public URL of the service (required for `https`). Default: as configured, `did` as shipped',
      ].join(' '),
    }),
  embeddedProof: z
    .boolean('must be true or false')
    .optional()
    .meta({
      description: [
        'Also sign each version of a BitstringStatusList with a Data Integrity proof, and serve it as JSON-LD for',
        'verifiers that do not read JWTs. Default: as configured, `false` as shipped',
      ].join(' '),
    }),
  publishEvery: publishEvery.optional().meta({
    description: [
      'Publish changes together at this interval, an ISO 8601 duration from `PT1S` to `P31D`; until then they are',
      'stored. Default: each change is published at once',
    ].join(' '),
  }),
  always: z.boolean('must be true or false').optional().meta({
    description:
      'With `publishEvery`: publish a version at each interval, even without changes; default: false',
  }),
  encrypted: z.boolean().optional().meta({ description: 'Default: false' }),
  paymentConditions: PaymentConditions.optional().meta({
    description: 'For encrypted lists; default: only the publisher can read it',
  }),
  series: z.boolean('must be true or false').optional().meta({
    description:
      'Create a series: a name that never fills up. Each member has `length` entries; default: false',
  }),
  period: duration.optional().meta({
    description:
      'For a series: credentials that expire in the same period share members, e.g. `P3M`; at least a day',
  }),
})

export const StatusListUpdateArgs = z.strictObject({
  ...listName,
  statusAction: word('Action to perform', ['revoke', 'suspend', 'reinstate']),
  indices: indicesToUpdate(BOUNDS.indices),
  statusListVersion: statusListVersion.optional(),
  publication: publicationWish,
  receipt: wantsReceipt,
  encrypted: z.boolean().optional().meta({
    description: 'Whether the list is encrypted; a list of the other kind is refused; default: false',
  }),
  paymentConditions: PaymentConditions.optional().meta({
    description: 'New payment conditions; for encrypted lists',
  }),
})

export const StatusListSignArgs = z.strictObject({
  ...listName,
  statusPurpose: statusPurpose.optional().meta({
    description: 'Required if the type has one list per purpose and several have this name',
  }),
  statusListVersion: statusListVersion.optional(),
  resourceType: textOfCharacters(BOUNDS.resourceNameBytes).optional().meta({
    description: 'Resource type it is published under, if several have this name',
  }),
  onlyOtherKeys: z.boolean().optional().meta({
    description: 'Only if the newest version is signed by another key than the current one; default: false',
  }),
})

/** Names a list in place of its publisher and its name. */
const listAddress = textOfCharacters(BOUNDS.didUrl).optional()

export const StatusListCheckArgs = z.strictObject({
  ...listName,
  did: listName.did.optional().meta({
    description:
      'DID of the publisher. With an address: expected signer of the list, if the list does not name its issuer',
  }),
  statusListName: listName.statusListName.optional().meta({
    description: 'Name of the list; alternatives: `statusListCredential`, `uri` or `token`',
  }),
  statusPurpose,
  // united, at least one of them
  index: listIndex.optional().meta({ description: 'Index to check' }),
  indices: indicesToCheck(BOUNDS.indices).optional(),
  indexRangeStart: listIndex.optional().meta({ description: 'First index of a range' }),
  indexRangeEnd: listIndex.optional().meta({ description: 'Last index of a range, inclusive' }),
  statusListCredential: listAddress.meta({
    description:
      'Address of the list, a DID URL or an https address, also of other publishers. With did and statusListName, it must name the same list',
  }),
  uri: listAddress.meta({ description: 'Address of the list, as tokens name it' }),
  token: z.string().min(1).optional().meta({
    description:
      'A token that names list and index: a JWT, an SD-JWT, or a CWT in base64url. Its own signature is not checked',
  }),
  issuer: textOfCharacters(BOUNDS.didUrl).optional().meta({
    description:
      'Issuer of the credentials of a list that is served over https: the list must be signed by it, or by one of its status issuers',
  }),
  statusSize: statusSize.optional().meta({
    description: 'Bits per entry; must match the list. Default 2 for older lists that do not say',
  }),
  statusMessage: statusMessages.optional().meta({
    description: 'Messages of the values, one for each; must match the list',
  }),
  state: z
    .enum(['stored', 'published'], 'must be stored or published')
    .optional()
    .meta({
      description: [
        '`stored`: including changes that are not published yet, for lists of the account with `publishEvery`;',
        '`published`: what verifiers see (the default)',
      ].join(' '),
    }),
  makeFeePayment: z.boolean().optional().meta({
    description: 'Pay the fee of an encrypted list if not yet paid; default: true',
  }),
  maxFee: maxFee.optional().meta({
    description: 'Maximum that this call may pay, in CHEQ; default: the limit of the installation',
  }),
})

/** Names a series of the account. */
export const StatusListMembersArgs = z.strictObject({
  did: listName.did,
  statusListName: listName.statusListName.meta({ description: 'Name of the series' }),
  ...PageRequest.omit({ page: true }).shape,
})

export const StatusListFactsArgs = z.strictObject({
  did: listName.did,
  lists: z
    .array(z.strictObject({ statusListName: listName.statusListName, resourceType: z.string() }))
    .max(PAGES.most, `must not hold more than ${PAGES.most} lists`),
})

export const StatusListSearchArgs = z.strictObject({ ...listName, statusPurpose: statusPurpose.optional() })

/** A version of a list, of any type. */
export const StatusListEntriesArgs = z.strictObject({
  ...listName,
  resourceType: textOfCharacters(BOUNDS.word)
    .optional()
    .meta({ description: 'Purpose of the list, for types with one list per purpose' }),
  resourceId: textOfCharacters(BOUNDS.word)
    .optional()
    .meta({ description: 'Id of the version; default: the newest' }),
})

/** Published content, for serving to verifiers. */
export const StatusListContentArgs = z.strictObject({
  resourceType: z.string('must be text'),
  data: z.string('must be the content in base64url'),
})

export const StatusListLocateArgs = z.strictObject({
  statusListId: z.string('must be the id of a list').meta({ description: 'As in its https address' }),
})

export const StatusListAggregationArgs = z.strictObject({
  did: listName.did.optional().meta({ description: 'Only lists published by this DID' }),
})
