import { pluginSchema } from '@vidimus/core-types'
import {
  StatusListAllocation,
  StatusListAllocationsTogether,
  StatusListCheckResult,
  StatusListCreateResult,
  StatusListDelivery,
  StatusListPayment,
  StatusListSearchResult,
  StatusListTypeFacts,
  StatusListUpdateCredentialResult,
  StatusListUpdateResult,
} from '@vidimus/core-types/schemas'
import type { IAgentPluginSchema } from '@veramo/core-types'
import { z } from 'zod'
import type { ArgumentSchemas } from './arguments.js'

const DESCRIPTIONS: Record<keyof ArgumentSchemas, [description: string, returns: z.ZodType]> = {
  statusListCreate: ['Publishes a new status list', StatusListCreateResult],
  statusListUpdate: [
    'Revokes, suspends, reinstates or sets another state of entries of a status list',
    StatusListUpdateResult,
  ],
  statusListCheck: ['Tells what a status list says about entries', StatusListCheckResult],
  statusListSearch: ['Reads a status list', StatusListSearchResult],
  statusListTypes: ['Tells the configured types of status lists', z.array(StatusListTypeFacts)],
  statusListPayments: [
    'Tells what was paid for the account, to unlock encrypted status lists of others',
    z.looseObject({ payments: z.array(StatusListPayment), total: z.int(), next: z.string().optional() }),
  ],
  statusListFees: [
    'Tells what the account has spent on fees today, and may spend, in CHEQ by network',
    z.record(z.string(), z.object({ used: z.number(), limit: z.number() })),
  ],
  statusListAllocate: ['Takes an index of a status list for a credential', StatusListAllocation],
  statusListAllocateTogether: [
    'Takes all indices of status lists that a credential asks for, or none',
    StatusListAllocationsTogether,
  ],
  statusListUpdateCredential: [
    'Revokes, suspends or reinstates a credential in the status list that it names',
    StatusListUpdateCredentialResult,
  ],
  checkCredentialStatus: [
    'Tells whether a credential is revoked, suspended or in force',
    z.looseObject({ revoked: z.boolean(), verified: z.boolean() }),
  ],
  statusListDelivery: [
    'Tells how a published resource is to be handed out to verifiers; null where it is no status list',
    StatusListDelivery.nullable(),
  ],
  statusListForms: [
    'Gives a published status list in every form that there is; none where it is no status list',
    z.object({ forms: z.array(z.object({ mediaType: z.string(), data: z.string() })) }),
  ],
  statusListLocate: [
    'Tells where the status list with an id is published; null where no list here has it',
    z.object({ did: z.string(), statusListName: z.string(), resourceType: z.string() }).nullable(),
  ],
  statusListAggregation: [
    'Tells the https addresses of status lists of tokens',
    z.object({ urls: z.array(z.string()) }),
  ],
}

/**
 * The schema of the plugin, from the very schemas that check the arguments of its methods.
 *
 * @param methods - that it has
 */
export function describeMethods(schemas: ArgumentSchemas, methods: object): IAgentPluginSchema {
  const names = (Object.keys(DESCRIPTIONS) as (keyof ArgumentSchemas)[]).filter((name) => name in methods)
  const described = names.map((name) => {
    const [description, returns] = DESCRIPTIONS[name]
    return [name, { description, arguments: schemas[name], returns }] as const
  })
  return pluginSchema(Object.fromEntries(described))
}
