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
      'Default: the purpose of the list, if it has only one. With several, one entry is created for each, all with',
      'the same index, even if each purpose has its own list',
    ].join(' '),
  }),
  statusListIndex: listIndex
    .optional()
    .meta({ description: 'The index to take; default: a random free one' }),
})

const registeredFor = RegisteredCredential.optional().meta({
  description: 'Credential that the entry is for, to be registered with it; default: none',
})

const atMostEntries = `must not hold more than ${BOUNDS.statusEntries}`

/** For one credential. */
export const StatusListAllocateOneArgs = StatusListAllocateArgs.extend({ register: registeredFor })

/** The requests of one credential. */
export const StatusListAllocateTogetherArgs = z.strictObject({
  requests: z
    .array(StatusListAllocateArgs, 'must be a list of requests')
    .max(BOUNDS.statusEntries, atMostEntries)
    .meta({ description: 'Each gets an index' }),
  entries: z
    .array(z.looseObject({}, 'must be an object'), 'must be a list of entries')
    .max(BOUNDS.statusEntries, atMostEntries)
    .meta({ description: 'Ready entries of `credentialStatus`' }),
  entryMember: z
    .enum(['credentialStatus', 'status'], 'must be credentialStatus or status, or omitted')
    .optional()
    .meta({
      description:
        'Only member that the credential can hold its entry in; list types that use another are ignored',
    }),
  register: registeredFor,
})

const credentialAction = z.enum(['revoke', 'suspend', 'reinstate'], 'must be revoke, suspend or reinstate')

const UpdateCredentialArgs = z.strictObject({
  credential: z
    .union([z.string(), z.looseObject({})], {
      error: 'must be a JWT, an SD-JWT or a JSON object whose proof holds one',
    })
    .optional()
    .meta({ description: 'The credential: JWT or SD-JWT, or JSON with one as its proof' }),
  credentialId: credentialId.optional().meta({
    description: 'Instead of `credential`: the id of a credential in the register of the account',
  }),
  statusAction: credentialAction.optional().meta({ description: 'Action to perform; required' }),
  action: credentialAction
    .optional()
    .meta({ description: 'Former name of `statusAction`', deprecated: true }),
  listType: listName.listType.optional().meta({ description: 'Which of its entries, if ambiguous' }),
  statusListVersion: statusListVersion.optional(),
  publication: publicationWish,
  receipt: wantsReceipt,
})

export const StatusListUpdateCredentialArgs = UpdateCredentialArgs.refine(
  ({ statusAction, action }) => statusAction !== undefined || action !== undefined,
  { path: ['statusAction'], error: 'is required' },
).refine(({ statusAction, action }) => statusAction === undefined || action === undefined, {
  path: ['action'],
  error: 'is the former name of statusAction; leave it out',
})

/** Veramo only names `credential`. */
export const CredentialStatusCheckArgs = z.looseObject({
  credential: z.looseObject({}, 'must be a credential as an object'),
  makeFeePayment: z.boolean().optional().meta({
    description: 'Default false: verifying is free of charge unless requested otherwise',
  }),
  maxFee: maxFee.optional().meta({ description: 'Maximum that this call may pay, in CHEQ' }),
})
