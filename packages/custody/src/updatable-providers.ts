import type { IAgentPlugin, IAgentPluginSchema } from '@veramo/core-types'
import { pluginSchema, type IDIDProviders } from '@vidimus/core-types'
import { z } from 'zod'

/**
 * The method that reports which providers have `updateIdentifier`, without which Veramo's DID manager refuses an
 * update.
 *
 * @returns `undefined` if the plugin is not a DID manager that shows its providers
 */
export function updatableProviders(
  plugin: IAgentPlugin,
): { methods: IDIDProviders; schema: IAgentPluginSchema } | undefined {
  const providers = 'providers' in plugin ? plugin.providers : undefined
  if (!plugin.methods?.didManagerUpdate || typeof providers !== 'object' || providers === null)
    return undefined
  const names = Object.entries(providers)
    .filter(([, provider]) => canUpdate(provider))
    .map(([name]) => name)
  return {
    methods: { didManagerGetUpdatableProviders: () => Promise.resolve(names) },
    schema: pluginSchema({
      didManagerGetUpdatableProviders: {
        description: 'Names the configured providers of DIDs that can update documents',
        arguments: z.object({}),
        returns: z.array(z.string()),
      },
    }),
  }
}

const canUpdate = (provider: unknown): boolean =>
  typeof (provider as { updateIdentifier?: unknown }).updateIdentifier === 'function'
