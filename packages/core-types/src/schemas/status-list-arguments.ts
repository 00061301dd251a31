import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { dateTime, textOfCharacters, word } from './fields.js'
import { Alternatives } from './linked-resource.js'
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
  encoding: word('Encoding of the list, where its type has several', ['base64url', 'hex']).optional(),
  statusSize: statusSize.optional().meta({
    description: [
      'Bits for each entry: 1 for StatusList2021; 1, 2, 4 or 8 for TokenStatusList; 1 to 8 for BitstringStatusList,',
      'of which others read 1, 2, 4 and 8. Default: what the purposes need',
    ].join(' '),
  }),
  statusMessages: statusMessages.optional().meta({
    description:
      'What the values mean, one for each of the 2^statusSize values; for BitstringStatusList alone',
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
    .meta({ description: 'Entries to start with; default: all of them 0' }),
  alsoKnownAs: Alternatives.optional().meta({ description: 'Other addresses of the list' }),
  address: z
    .enum(['did', 'https'])
    .optional()
    .meta({
      description: [
        'Which address the list calls itself and its entries name, for good: its DID URL, or the https address under the',
        'public URL of the service, without which `https` is refused. Default: as configured, `did` as shipped',
      ].join(' '),
    }),
  encrypted: z.boolean().optional().meta({ description: 'Default: false' }),
  paymentConditions: PaymentConditions.optional().meta({
    description: 'Of an encrypted list; default: nobody but the publisher can unlock it',
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
    description: 'Which kind of list is meant; a list of the other kind is refused; default: false',
  }),
  paymentConditions: PaymentConditions.optional().meta({
    description: 'Conditions from now on; for encrypted lists',
  }),
})

export const StatusListSignArgs = z.strictObject({
  ...listName,
  statusPurpose: statusPurpose.optional().meta({
    description: 'Needed where the type has one list for each purpose, and there are several of the name',
  }),
  statusListVersion: statusListVersion.optional(),
  resourceType: textOfCharacters(BOUNDS.resourceNameBytes).optional().meta({
    description: 'Under which resource type it is published, where there are several of the name',
  }),
  onlyOtherKeys: z.boolean().optional().meta({
    description: 'Only where another key has signed the newest version than signs now; default: false',
  }),
})

/** Names a list in place of its publisher and its name. */
const listAddress = textOfCharacters(BOUNDS.didUrl).optional()

export const StatusListCheckArgs = z.strictObject({
  ...listName,
  did: listName.did.optional().meta({
    description:
      'DID of the publisher. Beside an address: who must have signed the list, where it does not name its issuer',
  }),
  statusListName: listName.statusListName.optional().meta({
    description: 'Name of the list; in its place: `statusListCredential`, `uri` or `token`',
  }),
  statusPurpose,
  // united, at least one of them
  index: listIndex.optional().meta({ description: 'Index to check' }),
  indices: indicesToCheck(BOUNDS.indices).optional(),
  indexRangeStart: listIndex.optional().meta({ description: 'First index of a range' }),
  indexRangeEnd: listIndex.optional().meta({ description: 'Last index of a range, inclusive' }),
  statusListCredential: listAddress.meta({
    description:
      'Address of the list, a DID URL or an https address, also of lists of others. Beside did and statusListName it must name the same list',
  }),
  uri: listAddress.meta({ description: 'Address of the list, as tokens name it' }),
  token: z.string().min(1).optional().meta({
    description:
      'A token, which names list and index: a JWT, an SD-JWT, or a CWT in base64url. Its own signature is not looked at',
  }),
  statusSize: statusSize.optional().meta({
    description: 'Bits for each entry; must agree with the list. Default 2 for older lists that do not say',
  }),
  statusMessage: statusMessages.optional().meta({
    description: 'Messages of the values, one for each; must agree with the list',
  }),
  makeFeePayment: z.boolean().optional().meta({
    description:
      'Default true: pays what the conditions of an encrypted list demand, where that was not done',
  }),
  maxFee: maxFee.optional().meta({
    description: 'The most that this call pays, in CHEQ; default: what the installation allows',
  }),
})

export const StatusListSearchArgs = z.strictObject({ ...listName, statusPurpose: statusPurpose.optional() })

/** Published content, for serving to verifiers. */
export const StatusListContentArgs = z.strictObject({
  resourceType: z.string('must be text'),
  data: z.string('must be the content in base64url'),
})

export const StatusListLocateArgs = z.strictObject({
  statusListId: z.string('must be the id of a list').meta({ description: 'As in its https address' }),
})

export const StatusListAggregationArgs = z.strictObject({
  did: listName.did.optional().meta({ description: 'Those that it publishes alone' }),
})
