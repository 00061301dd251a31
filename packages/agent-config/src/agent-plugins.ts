import { describeValue, isMembers, methodNames } from './foreign-values.js'

/** A plugin as it is listed in the options of the agent. */
export interface ListedPlugin {
  /** index in the list */
  index: number
  /** names it for messages, with its line */
  name: string
}

/** An error in the list of plugins. */
export interface PluginMistake {
  index: number
  message: string
  advice?: string
}

/**
 * Names reserved by the agent: a method with such a name would replace the agent's own. `then` would make the agent a
 * promise.
 */
const AGENT_OWN = new Set([
  'getSchema',
  'context',
  'execute',
  'availableMethods',
  'emit',
  'methods',
  'schema',
  'schemaValidation',
  'protectedMethods',
  'eventBus',
  'eventQueue',
  'constructor',
  'then',
  '__proto__',
])

/**
 * Checks for what Veramo's agent accepts silently: objects that are not plugins, two plugins with one method, and
 * methods with reserved names.
 *
 * @param options - first argument of the agent
 * @param nameOf - names a plugin of the list
 */
export function pluginMistakes(options: unknown, nameOf: (index: number) => string): PluginMistake[] {
  if (!isMembers(options) || options.plugins === undefined || options.plugins === null) return []
  if (!Array.isArray(options.plugins)) return [{ index: -1, message: '"plugins" must be a list' }]
  const plugins: readonly unknown[] = options.plugins
  const authorized = Array.isArray(options.authorizedMethods)
    ? new Set<unknown>(options.authorizedMethods)
    : undefined
  const offered = plugins.map((plugin) =>
    methodNames(plugin).filter((method) => !authorized || authorized.has(method)),
  )
  return plugins.flatMap((plugin, index) => {
    const shape = shapeMistake(plugin)
    if (shape) return [{ index, ...shape }]
    const earlier = plugins.indexOf(plugin)
    if (earlier < index) {
      const message = `is the same plugin as ${nameOf(earlier)}`
      return [{ index, message, advice: 'remove one of the two lines' }]
    }
    return [
      ...ownNameMistakes(offered[index] ?? []).map((message) => ({ index, message })),
      ...sharedMethods(offered, index, plugins, nameOf),
    ]
  })
}

/** What the agent gets: without an incomplete `schema`, on which it would fail. */
export function withUsableSchemas(options: unknown): unknown {
  if (!isMembers(options) || !Array.isArray(options.plugins)) return options
  return { ...options, plugins: options.plugins.map(withUsableSchema) }
}

function withUsableSchema(plugin: unknown): unknown {
  if (!isMembers(plugin) || !isMembers(plugin.schema) || isMembers(plugin.schema.components)) return plugin
  const { methods, eventTypes, onEvent } = plugin
  return {
    methods,
    eventTypes,
    // The plugin itself stays `this`: it may hold private members.
    ...(typeof onEvent === 'function' && { onEvent: onEvent.bind(plugin) as unknown }),
  }
}

function shapeMistake(plugin: unknown): { message: string; advice?: string } | undefined {
  if (typeof plugin === 'function') {
    return { message: 'is a function, not a plugin', advice: 'omit ?t=object to instantiate a class' }
  }
  if (!isMembers(plugin) || Array.isArray(plugin)) {
    return { message: `is ${describeValue(plugin)}, not a plugin` }
  }
  const { methods } = plugin
  if (methods === undefined || methods === null) {
    if (typeof plugin.onEvent === 'function' || isMembers(plugin.schema)) return undefined
    return { message: 'is not a plugin: it has neither methods nor events' }
  }
  if (!isMembers(methods)) return { message: 'is not a plugin: its "methods" is not a map' }
  const wrong = Object.keys(methods).filter((name) => typeof methods[name] !== 'function')
  return wrong.length > 0 ? { message: `has methods that are not functions: ${wrong.join(', ')}` } : undefined
}

const ownNameMistakes = (methods: readonly string[]): string[] =>
  methods
    .filter((method) => AGENT_OWN.has(method))
    .map((method) => `has a method "${method}", which would replace the agent's own`)

function sharedMethods(
  offered: readonly (readonly string[])[],
  index: number,
  plugins: readonly unknown[],
  nameOf: (index: number) => string,
): PluginMistake[] {
  return offered.slice(0, index).flatMap((methods, earlier) => {
    // A plugin that is listed twice is reported at its second place.
    if (plugins.indexOf(plugins[earlier]) < earlier) return []
    const shared = (offered[index] ?? []).filter((method) => methods.includes(method))
    if (shared.length === 0) return []
    const names = shared.map((method) => `"${method}"`).join(', ')
    const message = `${nameOf(index)} has ${shared.length > 1 ? 'methods' : 'a method'} that ${nameOf(earlier)} has too: ${names}`
    return [{ index, message, advice: 'method names must be unique: remove one of the two plugins' }]
  })
}
