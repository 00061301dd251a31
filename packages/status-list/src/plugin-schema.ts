import { pluginSchema } from '@vidimus/core-types'
import type { IAgentPluginSchema } from '@veramo/core-types'
import { z } from 'zod'
import type { ArgumentSchemas } from './arguments.js'

const Metadata = z.object({
  resourceURI: z.string(),
  resourceCollectionId: z.string(),
  resourceId: z.string(),
  resourceName: z.string(),
  resourceType: z.string(),
  mediaType: z.string(),
  resourceVersion: z.string(),
  created: z.string(),
  checksum: z.string(),
  previousVersionId: z.string().nullable(),
  nextVersionId: z.string().nullable(),
})

const Publication = z.object({ resource: z.looseObject({}), resourceMetadata: Metadata })

const Updated = Publication.extend({
  updated: z.literal(true),
  changed: z.array(z.int()),
  revoked: z.boolean().optional(),
  suspended: z.boolean().optional(),
  unsuspended: z.boolean().optional(),
  status: z.int().optional(),
  message: z.string().optional(),
})

const Report = z.object({
  status: z.int(),
  valid: z.boolean(),
  revoked: z.boolean().optional(),
  suspended: z.boolean().optional(),
  message: z.string().optional(),
})

const Payment = z.object({
  id: z.string(),
  network: z.string(),
  did: z.string(),
  statusListName: z.string(),
  feePaymentAddress: z.string(),
  feePaymentAmount: z.string(),
  txHash: z.string(),
  paidAt: z.string(),
})

const Allocation = z.object({
  listType: z.string(),
  index: z.int(),
  entryMember: z.enum(['credentialStatus', 'status']),
  entries: z.array(z.looseObject({})),
  contexts: z.array(z.string()),
})

const DESCRIPTIONS: Record<keyof ArgumentSchemas, [description: string, returns: z.ZodType]> = {
  statusListCreate: [
    'Publishes a new status list',
    Publication.extend({ created: z.literal(true), encrypted: z.boolean() }),
  ],
  statusListUpdate: [
    'Revokes, suspends, reinstates or sets another state of entries of a status list',
    Updated,
  ],
  statusListCheck: [
    'Tells what a status list says about entries',
    Report.partial().extend({
      checked: z.literal(true),
      purpose: z.string().optional(),
      results: z.array(Report.extend({ index: z.int() })).optional(),
    }),
  ],
  statusListSearch: ['Reads a status list', Publication.extend({ found: z.literal(true) })],
  statusListTypes: [
    'Tells the configured types of status lists',
    z.array(
      z.object({
        type: z.string(),
        entryType: z.string(),
        purposes: z.array(z.string()),
        statusSizes: z.array(z.int()),
        resourceTypes: z.array(z.string()),
      }),
    ),
  ],
  statusListPayments: [
    'Tells what was paid for the account, to unlock encrypted status lists of others',
    z.looseObject({ payments: z.array(Payment), total: z.int(), next: z.string().optional() }),
  ],
  statusListFees: [
    'Tells what the account has spent on fees today, and may spend, in CHEQ by network',
    z.record(z.string(), z.object({ used: z.number(), limit: z.number() })),
  ],
  statusListAllocate: ['Takes an index of a status list for a credential', Allocation],
  statusListAllocateTogether: [
    'Takes all indices of status lists that a credential asks for, or none',
    z.object({ allocations: z.array(Allocation), contexts: z.array(z.string()) }),
  ],
  statusListUpdateCredential: [
    'Revokes, suspends or reinstates a credential in the status list that it names',
    Updated.extend({
      did: z.string(),
      statusListName: z.string(),
      listType: z.string(),
      index: z.int(),
    }),
  ],
  checkCredentialStatus: [
    'Tells whether a credential is revoked, suspended or in force',
    z.looseObject({ revoked: z.boolean(), verified: z.boolean() }),
  ],
  statusListDelivery: [
    'Tells how a published resource is to be handed out to verifiers; null where it is no status list',
    z
      .object({
        mediaType: z.string().optional(),
        ttlMs: z.number().optional(),
        validUntil: z.string().optional(),
      })
      .nullable(),
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
