import type { IAgentPlugin, IAgentPluginSchema } from '@veramo/core-types'
import { checksCreateOptions, hasMethods, pluginSchema, type IDIDProviders } from '@vidimus/core-types'
import { z } from 'zod'
import { CREATING_DIDS } from './local-checks.js'

/** What Veramo's DID manager shows of its configuration. */
interface ShownManager {
  providers: Readonly<Record<string, unknown>>
  defaultProvider?: unknown
}

/**
 * The method that reports what providers can do: without `updateIdentifier` Veramo's DID manager refuses an update.
 *
 * @returns `undefined` if the plugin is not a DID manager that shows its providers
 */
export function listedProviders(
  plugin: IAgentPlugin,
): { methods: IDIDProviders; schema: IAgentPluginSchema } | undefined {
  if (!plugin.methods?.didManagerUpdate || !showsProviders(plugin)) return undefined
  const listed = Object.entries(plugin.providers).map(([name, provider]) => ({
    name,
    canUpdate: hasMethods(provider, 'updateIdentifier'),
    checksOptions: checksCreateOptions(provider),
  }))
  return {
    methods: { didManagerListProviders: () => Promise.resolve(listed) },
    schema: pluginSchema({
      didManagerListProviders: {
        description: 'Lists the configured providers of DIDs and what they can do',
        arguments: z.object({}),
        returns: z.array(z.object({ name: z.string(), canUpdate: z.boolean(), checksOptions: z.boolean() })),
      },
    }),
  }
}

type Method = (args: unknown, context: unknown) => Promise<unknown>

/**
 * The methods that create DIDs, with their options checked by the provider that would create the DID: first, so that
 * they are also checked where the DID manager finds one by its alias.
 */
export function withKnownOptions(
  plugin: IAgentPlugin,
  methods: Readonly<Record<string, Method>>,
): Record<string, Method> {
  const creating = Object.entries(methods).filter(([name]) => CREATING_DIDS.has(name))
  const checked = creating.map(([name, method]): [string, Method] => [
    name,
    async (args, context) => {
      const { provider, options } = args as { provider?: unknown; options?: unknown }
      const chosen = chosenProvider(plugin, provider)
      if (checksCreateOptions(chosen)) chosen.checkCreateOptions(options)
      return method(args, context)
    },
  ])
  return Object.fromEntries(checked)
}

/** As Veramo's DID manager chooses it. */
function chosenProvider(plugin: IAgentPlugin, named: unknown): unknown {
  if (!showsProviders(plugin)) return undefined
  const { providers, defaultProvider } = plugin
  const name = typeof named === 'string' && named !== '' ? named : defaultProvider
  if (typeof name !== 'string') return undefined
  return providers[name] ?? Object.values(providers).find((each) => matchesPrefix(each, name))
}

const matchesPrefix = (provider: unknown, name: string): boolean =>
  hasMethods(provider, 'matchPrefix') &&
  (provider as { matchPrefix(name: string): boolean }).matchPrefix(name)

const showsProviders = (plugin: IAgentPlugin): plugin is IAgentPlugin & ShownManager =>
  'providers' in plugin && typeof plugin.providers === 'object' && plugin.providers !== null
