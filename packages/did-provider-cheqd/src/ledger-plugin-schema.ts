import { pluginSchema } from '@vidimus/core-types'
import { didUrlMethods, linkedResourceMethods, mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'

export const DeactivateArguments = z.object({ did: z.string() })

const ResolutionResult = z.looseObject({
  didDocument: z.looseObject({ id: z.string() }).nullable(),
  didDocumentMetadata: z.looseObject({}),
  didResolutionMetadata: z.looseObject({}),
  ...mayCost,
})

const NoArguments = z.object({})

/** The schema of the plugin of did:cheqd. */
export const ledgerPluginSchema = () =>
  pluginSchema({
    ...linkedResourceMethods,
    ...didUrlMethods,
    cheqdDeactivate: {
      description: 'Deactivates a DID of the account, permanently',
      arguments: DeactivateArguments,
      returns: ResolutionResult,
    },
    cheqdNetworks: {
      description: 'Lists the configured networks of did:cheqd',
      arguments: NoArguments,
      returns: z.array(z.object({ network: z.string(), kind: z.string(), local: z.boolean() })),
    },
    ledgerSpending: {
      description: 'Reports what the account has spent on its writes today, by network',
      arguments: NoArguments,
      returns: z.record(z.string(), z.object({ used: z.number(), limit: z.number().exactOptional() })),
    },
  })
