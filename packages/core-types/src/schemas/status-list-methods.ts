import { z } from 'zod'
import type { DescribedMethod } from '../plugin-schema.js'
import { did } from './fields.js'
import { indicesToCheck, indicesToUpdate } from './status-list-fields.js'
import * as args from './status-list-arguments.js'
import * as credentials from './status-list-credentials.js'
import * as results from './status-list.js'
import * as restores from './status-list-restore.js'
import { pageEnd, PageRequest } from './paging.js'

/** The settings of an installation. */
export interface StatusListLimits {
  /** in one call */
  maxIndices: number
  /** of new lists, whatever their type */
  lengths: { least: number; most: number }
}

/** The agent methods of status lists: their purpose, arguments and results. */
export const statusListMethods = ({ maxIndices, lengths }: StatusListLimits) =>
  ({
    statusListCreate: {
      description: 'Publishes a new status list',
      arguments: args.StatusListCreateArgs.extend({
        length: args.StatusListCreateArgs.shape.length.meta({
          minimum: lengths.least,
          maximum: lengths.most,
        }),
      }),
      returns: results.StatusListCreateResult,
    },
    statusListUpdate: {
      description: 'Revokes, suspends, reinstates or sets another state of entries of a status list',
      arguments: args.StatusListUpdateArgs.extend({ indices: indicesToUpdate(maxIndices) }),
      returns: results.StatusListUpdateResult,
    },
    statusListReceiptVerify: {
      description: 'Verifies the receipt of an update: its signer, its version and the status of its entries',
      arguments: results.StatusListReceiptVerifyArgs,
      returns: results.StatusListReceiptVerifyResult,
    },
    statusListSign: {
      description: 'Publishes an unchanged version of a status list, signed with the current key',
      arguments: args.StatusListSignArgs,
      returns: results.StatusListSignResult,
    },
    statusListRenew: {
      description:
        'Signs status lists again before they expire, and publishes waiting changes, in the background',
      arguments: z.object({}),
      returns: z.object({ renewed: z.int() }),
    },
    statusListRestoreIdentify: {
      description: 'Reports which status list a published copy is of, after verifying it',
      arguments: restores.StatusListIdentifyArgs,
      returns: results.StatusListLocation,
    },
    statusListRestore: {
      description: 'Brings a status list back after the database was restored from a backup',
      arguments: restores.StatusListRestoreArgs,
      returns: restores.StatusListRestoreResult,
    },
    statusListPublishWaiting: {
      description: 'Publishes the changes of all status lists of a DID that are stored but not published yet',
      arguments: z.strictObject({ did: did('The DID') }),
      returns: z.object({ published: z.int() }),
    },
    statusListCheck: {
      description: 'Reports the status of entries of a status list',
      arguments: args.StatusListCheckArgs.extend({ indices: indicesToCheck(maxIndices).optional() }),
      returns: results.StatusListCheckResult,
    },
    statusListSearch: {
      description: 'Reads a status list',
      arguments: args.StatusListSearchArgs,
      returns: results.StatusListSearchResult,
    },
    statusListEntries: {
      description: 'Reads all entries of a version of a status list, of any type, and what their values mean',
      arguments: args.StatusListEntriesArgs,
      returns: results.StatusListEntries,
    },
    statusListMembers: {
      description: 'Lists the members of a series of status lists, newest first',
      arguments: args.StatusListMembersArgs,
      returns: results.StatusListMembersResult,
    },
    statusListFacts: {
      description: 'Reports how full status lists of a DID are, and which are members of series',
      arguments: args.StatusListFactsArgs,
      returns: results.StatusListFactsResult,
    },
    statusListTypes: {
      description: 'Lists the configured types of status lists',
      arguments: z.object({}),
      returns: z.array(results.StatusListTypeFacts),
    },
    statusListPayments: {
      description: 'Lists the fees paid for the account to read encrypted status lists of others',
      arguments: PageRequest,
      returns: z.object({ payments: z.array(results.StatusListPayment), ...pageEnd }),
    },
    statusListFees: {
      description: 'Reports the fees the account has spent today and its limit, in CHEQ by network',
      arguments: z.object({}),
      returns: z.record(z.string(), z.object({ used: z.number(), limit: z.number() })),
    },
    statusListAllocate: {
      description: 'Allocates an index of a status list for a credential',
      arguments: credentials.StatusListAllocateOneArgs,
      returns: results.StatusListAllocation,
    },
    statusListAllocateTogether: {
      description: 'Allocates all status list indices that a credential requests, or none',
      arguments: credentials.StatusListAllocateTogetherArgs,
      returns: results.StatusListAllocationsTogether,
    },
    statusListUpdateCredential: {
      description: 'Revokes, suspends or reinstates a credential in the status list that it names',
      arguments: credentials.StatusListUpdateCredentialArgs,
      returns: results.StatusListUpdateCredentialResult,
    },
    checkCredentialStatus: {
      description: 'Reports whether a credential is revoked, suspended or in force',
      arguments: credentials.CredentialStatusCheckArgs,
      returns: z.looseObject({ revoked: z.boolean(), verified: z.boolean() }),
    },
    statusListDelivery: {
      description:
        'Describes how a published resource is served to verifiers; null if it is not a status list',
      arguments: args.StatusListContentArgs,
      returns: results.StatusListDelivery.nullable(),
    },
    statusListForms: {
      description: 'Returns a published status list in every available form; none if it is not a status list',
      arguments: args.StatusListContentArgs,
      returns: z.object({ forms: z.array(z.object({ mediaType: z.string(), data: z.string() })) }),
    },
    statusListLocate: {
      description: 'Finds where the status list with an id is published; null if there is none',
      arguments: args.StatusListLocateArgs,
      returns: results.LocatedStatusList.nullable(),
    },
    statusListAggregation: {
      description: 'Lists the https addresses of status lists of tokens',
      arguments: args.StatusListAggregationArgs,
      returns: z.object({ urls: z.array(z.string()) }),
    },
  }) satisfies Record<string, DescribedMethod>

export type StatusListMethods = ReturnType<typeof statusListMethods>
