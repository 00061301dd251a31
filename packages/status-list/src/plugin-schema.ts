import type { IAgentPluginSchema } from '@veramo/core-types'
import { z } from 'zod'
import type { ArgumentSchemas } from './arguments.js'

const Publication = z.object({ resource: z.looseObject({}), resourceMetadata: z.looseObject({}) })

const DESCRIPTIONS: Record<keyof ArgumentSchemas, [description: string, returns: z.ZodType]> = {
  statusListCreate: [
    'Publishes a new status list',
    Publication.extend({ created: z.boolean(), encrypted: z.boolean() }),
  ],
  statusListUpdate: [
    'Revokes, suspends, reinstates or sets another state of entries of a status list',
    Publication.extend({ updated: z.boolean(), changed: z.array(z.int()) }),
  ],
  statusListCheck: [
    'Tells what a status list says about entries',
    z.looseObject({ checked: z.boolean(), purpose: z.string() }),
  ],
  statusListSearch: ['Reads a status list', Publication.extend({ found: z.boolean() })],
  statusListTypes: ['The configured types of status lists', z.array(z.looseObject({ type: z.string() }))],
  statusListPayments: [
    'What was paid for the account, to unlock encrypted status lists of others',
    z.array(z.looseObject({ id: z.string(), feePaymentAmount: z.string() })),
  ],
  statusListAllocate: [
    'Takes an index of a status list for a credential',
    z.object({
      listType: z.string(),
      index: z.int(),
      entryMember: z.string(),
      entries: z.array(z.looseObject({})),
      contexts: z.array(z.string()),
    }),
  ],
  statusListAdoptEntries: [
    'Takes note of the indices that entries of a credential name',
    z.object({ contexts: z.array(z.string()) }),
  ],
  statusListUpdateCredential: [
    'Revokes, suspends or reinstates a credential in the status list that it names',
    Publication.extend({ updated: z.boolean(), changed: z.array(z.int()), index: z.int() }),
  ],
  checkCredentialStatus: [
    'Tells whether a credential is revoked, suspended or in force',
    z.looseObject({ revoked: z.boolean(), verified: z.boolean() }),
  ],
  statusListDelivery: [
    'Tells how a published resource is to be handed out to verifiers; null where it is no status list',
    z.looseObject({}).nullable(),
  ],
}

/**
 * The schema of the plugin, in the form that Veramo's agents and their API documents expect.
 *
 * @param methods - that it has
 */
export function pluginSchema(schemas: ArgumentSchemas, methods: object): IAgentPluginSchema {
  const described = Object.entries(DESCRIPTIONS).filter(([name]) => name in methods)
  return {
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [argumentsName(name), jsonSchema(schema)]),
      ),
      methods: Object.fromEntries(
        described.map(([name, [description, returns]]) => [
          name,
          {
            description,
            arguments: { $ref: `#/components/schemas/${argumentsName(name)}` },
            returnType: jsonSchema(returns),
          },
        ]),
      ),
    },
  }
}

const argumentsName = (method: string): string => `I${method.charAt(0).toUpperCase()}${method.slice(1)}Args`

const jsonSchema = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' })
