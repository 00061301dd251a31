import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { credentialId, RegisteredCredential } from './credential-register.js'
import { wantsReceipt } from './status-list.js'
import {
  listIndex,
  listName,
  maxFee,
  onePurposeOrMore,
  publicationWish,
  statusListVersion,
} from './status-list-fields.js'

export const StatusListAllocateArgs = z.strictObject({
  ...listName,
  listType: listName.listType.optional().meta({
    description: 'Default: the one configured type that has a list of this name',
  }),
  statusPurpose: onePurposeOrMore.optional().meta({
    description: [
      'Default: the purpose of the list, where it has one alone. With several an entry is made for each of them, all with',
      'the same index, also where each purpose has a list of its own',
    ].join(' '),
  }),
  statusListIndex: listIndex
    .optional()
    .meta({ description: 'The index to take; default: a free one that nobody can foretell' }),
})

const registeredFor = RegisteredCredential.optional().meta({
  description: 'The credential that it is for, which is registered with its entry: default none',
})

const atMostEntries = `must not hold more than ${BOUNDS.statusEntries}`

/** For one credential. */
export const StatusListAllocateOneArgs = StatusListAllocateArgs.extend({ register: registeredFor })

/** The requests of one credential. */
export const StatusListAllocateTogetherArgs = z.strictObject({
  requests: z
    .array(StatusListAllocateArgs, 'must be a list of requests')
    .max(BOUNDS.statusEntries, atMostEntries)
    .meta({ description: 'Each is given an index' }),
  entries: z
    .array(z.looseObject({}, 'must be an object'), 'must be a list of entries')
    .max(BOUNDS.statusEntries, atMostEntries)
    .meta({ description: 'Entries of `credentialStatus` that the caller wrote' }),
  entryMember: z
    .enum(['credentialStatus', 'status'], 'must be credentialStatus or status, or left out')
    .optional()
    .meta({
      description: 'Where alone the credential can hold its entry; lists of other types are not looked at',
    }),
  register: registeredFor,
})

export const StatusListUpdateCredentialArgs = z.strictObject({
  credential: z
    .union([z.string(), z.looseObject({})], {
      error: 'must be a JWT, an SD-JWT or a JSON object whose proof holds one',
    })
    .optional()
    .meta({ description: 'The credential: JWT or SD-JWT, or JSON with one as its proof' }),
  credentialId: credentialId.optional().meta({
    description: 'In place of `credential`: the id of one that is in the register of the account',
  }),
  action: z.enum(['revoke', 'suspend', 'reinstate'], 'must be revoke, suspend or reinstate'),
  listType: listName.listType
    .optional()
    .meta({ description: 'Which of its entries, where several could be meant' }),
  statusListVersion: statusListVersion.optional(),
  publication: publicationWish,
  receipt: wantsReceipt,
})

/** Veramo only names `credential`. */
export const CredentialStatusCheckArgs = z.looseObject({
  credential: z.looseObject({}, 'must be a credential as an object'),
  makeFeePayment: z.boolean().optional().meta({
    description: 'Default false: verifying costs nothing unless asked to',
  }),
  maxFee: maxFee.optional().meta({ description: 'The most that this call pays, in CHEQ' }),
})
