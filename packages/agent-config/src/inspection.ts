import { ConfigurationError, type LocatedProblem } from './configuration-error.js'
import { objectParts, type ConfiguredPart, type PartRole } from './configured-parts.js'
import { isMembers, methodNames, type Members } from './foreign-values.js'
import { written } from './locate.js'
import type { ModuleLoader } from './module-loader.js'
import { ObjectBuilder } from './object-builder.js'
import type { PlannedObject, Planner } from './planner.js'
import { referenceName } from './require-reference.js'

/** A part of an agent. */
export interface InspectedPart {
  role: PartRole
  /** the key that it is configured under, or the name it gives itself: a DID method, a network, a list type */
  name?: string
  /** the package or the path that it comes from */
  module: string
  /** the export; absent for the module itself */
  member?: string
  /** the version of the package */
  version?: string
  /** the function that it was passed to, as `module#member`, if the agent's part came from that */
  through?: string
  file: string
  /** from 1 */
  line: number
  /** from 1 */
  column: number
  /** of a plugin: the methods that it adds to the agent */
  methods?: string[]
  /** of a plugin: the events that it listens to */
  events?: string[]
}

/** The parts of an agent, and its errors. */
export interface Inspection {
  /** in the order of the file, as far as they could be built */
  parts: InspectedPart[]
  /** in the order of the file */
  problems: readonly LocatedProblem[]
}

/** Builds as much as possible of some sections and looks at what came of it. */
export async function inspect(
  planner: Planner,
  modules: ModuleLoader,
  sections: readonly string[],
): Promise<Inspection> {
  const { document, plans } = planner
  const nodes = await planner.plan(sections, modules)
  const builder = new ObjectBuilder(document, plans)
  const built = await builder.buildAll(nodes)
  const found = planner.findings.map((finding) => document.source.problem(finding))
  const problems = [...found, ...(built.ok ? [] : built.problems)]
  const parts = await inspectedParts(builder, modules)
  // Sorted as they are shown.
  return { parts, problems: problems.length > 0 ? new ConfigurationError(problems).problems : [] }
}

async function inspectedParts(builder: ObjectBuilder, modules: ModuleLoader): Promise<InspectedPart[]> {
  // A ledger, for example, is handed to several objects.
  const parts = new Map<string, InspectedPart>()
  for (const plan of builder.plans.values()) {
    for (const part of plan.kind === 'object' ? objectParts(plan.object, builder.plans) : []) {
      const inspected = await inspectedPart(part, builder, modules)
      if (!inspected) continue
      const key = [inspected.role, inspected.name, inspected.line, inspected.column].join(' ')
      if (!parts.has(key)) parts.set(key, inspected)
    }
  }
  return [...parts.values()].sort((a, b) => a.line - b.line || a.column - b.column)
}

async function inspectedPart(
  { role, name, node }: ConfiguredPart,
  builder: ObjectBuilder,
  modules: ModuleLoader,
): Promise<InspectedPart | undefined> {
  const built = await builder.build(node)
  const { plan } = written(node, builder.plans)
  if (!built.ok || plan?.kind !== 'object') return undefined
  const { object, through } = await innermost(plan.object, built.value, builder)
  const { module, member } = object.reference
  const { file, line, column } = builder.problems.at(object, '')
  const shown = nameOfPart(role, name, built.value)
  const version = modules.versionOf(module)
  return {
    role,
    ...(shown !== undefined && { name: shown }),
    module,
    ...(member !== undefined && { member }),
    ...(version !== undefined && { version }),
    ...(through !== undefined && { through }),
    file,
    line: line ?? 1,
    column: column ?? 1,
    ...(role === 'plugin' && pluginMembers(built.value)),
  }
}

/** A function may have been given the plugin and returned a wrapper with its methods, and more. */
async function innermost(
  object: PlannedObject,
  value: unknown,
  builder: ObjectBuilder,
): Promise<{ object: PlannedObject; through?: string }> {
  const whole = methodNames(value)
  for (const node of object.reference.type === 'function' ? object.args : []) {
    const { plan } = written(node, builder.plans)
    const built = await builder.build(node)
    const methods = built.ok ? methodNames(built.value) : []
    const isWrapped = methods.length > 0 && methods.every((method) => whole.includes(method))
    if (isWrapped && plan?.kind === 'object')
      return { object: plan.object, through: referenceName(object.reference) }
  }
  return { object }
}

function nameOfPart(role: PartRole, name: string | undefined, value: unknown): string | undefined {
  if (!isMembers(value)) return name
  const own = role === 'ledger' ? value.network : role === 'list type' ? value.type : undefined
  return typeof own === 'string' ? own : name
}

function pluginMembers(plugin: unknown): { methods: string[]; events?: string[] } {
  const { eventTypes } = plugin as Members
  return {
    methods: methodNames(plugin),
    ...(Array.isArray(eventTypes) && eventTypes.length > 0 && { events: eventTypes.map(String) }),
  }
}
