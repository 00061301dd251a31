import type { IAgentPlugin, IAgentPluginSchema } from '@veramo/core-types'
import {
  currentAccount,
  hasMethods,
  log,
  pluginSchema,
  type HasKmsAbilities,
  type IKeyManagement,
  type ListedKms,
} from '@vidimus/core-types'
import { keyManagementMethods } from '@vidimus/core-types/schemas'

/**
 * The method that lists the KMSs and their capabilities.
 *
 * @returns `undefined` if the plugin is not a key manager that shows its KMSs
 */
export function keyManagement(
  plugin: IAgentPlugin,
): { methods: IKeyManagement; schema: IAgentPluginSchema } | undefined {
  const configured = 'kms' in plugin ? plugin.kms : undefined
  if (!plugin.methods?.keyManagerCreate || typeof configured !== 'object' || configured === null)
    return undefined
  return {
    methods: {
      keyManagerListKms: () =>
        Promise.all(Object.entries(configured).map(([name, kms]) => listed(name, kms))),
    },
    schema: SCHEMA,
  }
}

const SCHEMA = pluginSchema(keyManagementMethods)

/** The arguments of a creation, with the KMS of the account in scope if they name none. */
export function withDefaultKms<Args extends { readonly kms?: unknown }>(args: Args): Args {
  if (args.kms !== undefined && args.kms !== '') return args
  const { kms } = currentAccount()
  return kms === undefined ? args : { ...args, kms }
}

async function listed(name: string, kms: unknown): Promise<ListedKms> {
  if (!hasAbilities(kms)) return { name }
  try {
    const { keyTypes, importsKeys } = await kms.abilities()
    return { name, keyTypes: [...keyTypes], importsKeys }
  } catch (error) {
    log('debug', 'a KMS cannot report its capabilities', { kms: name }, error)
    return { name }
  }
}

const hasAbilities = (kms: unknown): kms is HasKmsAbilities => hasMethods(kms, 'abilities')
