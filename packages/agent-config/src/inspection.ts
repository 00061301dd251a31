import { partsOf, type ConfiguredPart, type PartRole } from './configured-parts.js'
import { ConfigurationError, type LocatedProblem } from './configuration-error.js'
import type { ConfigurationDocument } from './document.js'
import { locateValue } from './locate.js'
import { ObjectBuilder } from './object-builder.js'
import type { PlannedObject, Plans } from './plan.js'
import type { Planning } from './planning.js'

/** Something that an agent is made of. */
export interface InspectedPart {
  role: PartRole
  /** the key that it is configured under, or what it says of itself: a DID method, a network, a type of list */
  name?: string
  /** the package or the path that it comes from */
  module: string
  /** the export; absent where it is the module itself */
  member?: string
  /** the version of the package */
  version?: string
  /** the function that it was handed to, as `module#member`, where what the agent got came from that */
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

/** What an agent is made of, and what is wrong with it. */
export interface Inspection {
  /** in the order of the file, as far as they could be built */
  parts: InspectedPart[]
  /** in the order of the file */
  problems: readonly LocatedProblem[]
}

type Members = Readonly<Record<string, unknown>>

/** Builds as much as possible of some sections and looks at what came of it. */
export async function inspect(
  document: ConfigurationDocument,
  planning: Planning,
  sections: readonly string[],
): Promise<Inspection> {
  const { nodes, plans, findings } = await planning.plan(sections, new Map())
  const problems = new Set(findings.map((finding) => document.source.problem(finding)))
  const builder = new ObjectBuilder(document, plans)
  for (const node of nodes) {
    const built = await builder.build(node)
    if (!built.ok) built.problems.forEach((problem) => problems.add(problem))
  }
  const lister = new PartLister(document, planning, plans, builder)
  const parts = await lister.list()
  // Sorted as they are shown.
  const sorted = problems.size > 0 ? new ConfigurationError([...problems]).problems : []
  return { parts, problems: sorted }
}

class PartLister {
  readonly #listed = new Set<string>()

  constructor(
    readonly document: ConfigurationDocument,
    readonly planning: Planning,
    readonly plans: Plans,
    readonly builder: ObjectBuilder,
  ) {}

  async list(): Promise<InspectedPart[]> {
    const parts: InspectedPart[] = []
    for (const plan of this.plans.values()) {
      if (plan.kind !== 'object') continue
      for (const part of partsOf(plan.object, this.plans)) {
        const inspected = await this.#inspect(part)
        if (inspected) parts.push(inspected)
      }
    }
    return parts.sort((a, b) => a.line - b.line || a.column - b.column)
  }

  async #inspect({ role, name, node }: ConfiguredPart): Promise<InspectedPart | undefined> {
    const built = await this.builder.build(node)
    const plan = this.plans.get(locateValue(node, [], this.plans).node)
    if (!built.ok || plan?.kind !== 'object') return undefined
    const { object, through } = await this.#innermost(plan.object, built.value)
    const { module, member } = object.reference
    const place = this.document.source.problem({ at: object.text.start, path: '', message: '' })
    const shown = nameOfPart(role, name, built.value)
    const key = [role, shown, place.line, place.column].join(' ')
    // A ledger, for example, is handed to several objects.
    if (this.#listed.has(key)) return undefined
    this.#listed.add(key)
    const version = this.planning.modules.versionOf(module)
    return {
      role,
      ...(shown !== undefined && { name: shown }),
      module,
      ...(member !== undefined && { member }),
      ...(version !== undefined && { version }),
      ...(through !== undefined && { through }),
      file: place.file,
      line: place.line ?? 1,
      column: place.column ?? 1,
      ...(role === 'plugin' && pluginMembers(built.value)),
    }
  }

  /** A function may have been given the plugin and answered something around it with its methods, and some more. */
  async #innermost(
    object: PlannedObject,
    value: unknown,
  ): Promise<{ object: PlannedObject; through?: string }> {
    if (object.reference.type !== 'function') return { object }
    const whole = methodsOf(value)
    for (const node of object.args) {
      const plan = this.plans.get(locateValue(node, [], this.plans).node)
      if (plan?.kind !== 'object') continue
      const built = await this.builder.build(node)
      const methods = built.ok ? methodsOf(built.value) : []
      if (methods.length > 0 && methods.every((method) => whole.includes(method))) {
        const { module, member } = object.reference
        return { object: plan.object, through: member === undefined ? module : `${module}#${member}` }
      }
    }
    return { object }
  }
}

function nameOfPart(role: PartRole, name: string | undefined, value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return name
  const members = value as Members
  const own = role === 'ledger' ? members.network : role === 'list type' ? members.type : undefined
  return typeof own === 'string' ? own : name
}

function pluginMembers(plugin: unknown): { methods: string[]; events?: string[] } {
  const { eventTypes } = plugin as Members
  return {
    methods: methodsOf(plugin),
    ...(Array.isArray(eventTypes) && eventTypes.length > 0 && { events: eventTypes.map(String) }),
  }
}

function methodsOf(plugin: unknown): string[] {
  if (typeof plugin !== 'object' || plugin === null) return []
  const { methods } = plugin as Members
  return typeof methods === 'object' && methods !== null ? Object.keys(methods) : []
}
