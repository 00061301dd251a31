import { pluginSchema } from '@vidimus/core-types'
import { z } from 'zod'

const Identifier = z.looseObject({
  did: z.string(),
  alias: z.string().optional(),
  controllerKeyId: z.string().optional(),
  keys: z.array(z.looseObject({ kid: z.string(), type: z.string(), publicKeyHex: z.string() })),
  services: z.array(z.looseObject({ id: z.string(), type: z.string() })),
})

const Version = z.object({
  kind: z.enum(['document', 'deactivation', 'resource']),
  did: z.string(),
  versionId: z.string(),
})

const Change = Version.extend({
  kids: z.array(z.string()).optional(),
  actions: z.array(z.string()).optional(),
})

const ChangeEnd = z.object({
  id: z.string(),
  outcome: z.enum(['happened', 'did not happen', 'unknown']),
  resource: z.looseObject({ resourceURI: z.string() }).optional(),
})

const Recovery = z.object({ completed: z.int(), undone: z.int(), left: z.int() })

/** The schema of the plugin, for other plugins of the same agent: its methods are refused to remote ones. */
export const didCreationSchema = () =>
  pluginSchema({
    didCreationRecord: {
      description: 'Stores the keys of a DID and the intent to create it, before a ledger is called',
      // The ledger's part is a function, which no JSON schema can describe.
      arguments: z.object({ identifier: Identifier, together: z.unknown().optional() }),
      returns: z.object({ joined: z.boolean(), handOver: z.unknown().optional() }),
    },
    didCreationRecover: {
      description: 'Recovers DID creations that earlier processes left unfinished',
      arguments: z.object({}),
      returns: Recovery,
    },
    ledgerChangeRecord: {
      description: 'Records a change before it is sent to a ledger',
      // What is recorded with the version are functions, as the ledger's part is.
      arguments: Change.extend({ records: z.array(z.unknown()).optional() }),
      returns: z.object({ id: z.string(), handOver: z.unknown() }),
    },
    ledgerChangeTogether: {
      description: 'Applies a change of a ledger in the database of the account, in one transaction',
      arguments: z.object({ change: Change, part: z.unknown() }),
      returns: z.object({ joined: z.boolean() }),
    },
    ledgerChangeEnd: {
      description: 'Records the outcome of a change',
      arguments: ChangeEnd,
      returns: z.unknown(),
    },
    ledgerChangeFate: {
      description: 'Tells what became of a recorded change',
      arguments: Version,
      returns: z.object({ fate: z.enum(['happened', 'did not happen', 'open']) }),
    },
    didCreationSettle: {
      description: 'Recovers one unfinished DID creation',
      arguments: z.object({ did: z.string(), abandoned: z.boolean().optional() }),
      returns: z.unknown(),
    },
  })
