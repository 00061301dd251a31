import { pluginMistakes, withUsableSchemas } from './agent-plugins.js'
import { BuildingProblems, isConfigurationMistake } from './building-problems.js'
import type { ConfigNode } from './config-node.js'
import type { LocatedProblem } from './configuration-error.js'
import { isAgent, objectParts } from './configured-parts.js'
import type { ConfigurationDocument } from './document.js'
import { childPointer, pointerAsPath } from './json-pointer.js'
import { locateOptions, locateValue, written } from './locate.js'
import { partMistakes } from './part-interfaces.js'
import type { Plan, PlannedObject, Plans } from './planner.js'
import { referenceName } from './require-reference.js'

/** A value, in a box so that nothing awaits it by accident, or why there is none. */
type Built<T = unknown> = { ok: true; value: T } | { ok: false; problems: readonly LocatedProblem[] }

/** An object that was built. */
export interface BuiltObject {
  readonly planned: PlannedObject
  readonly value: unknown
  /** the target of the `?p=` of the `$require` */
  readonly whole: unknown
}

/** Builds values from their plans, each once. */
export class ObjectBuilder {
  /** in the order of building */
  readonly objects: BuiltObject[] = []
  readonly problems: BuildingProblems
  readonly #built = new Map<ConfigNode, Built>()

  constructor(
    readonly document: ConfigurationDocument,
    readonly plans: Plans,
  ) {
    this.problems = new BuildingProblems(document, plans)
  }

  /** Never throws: failures are reported with their problems, and so is what depends on them. */
  async build(node: ConfigNode): Promise<Built> {
    let built = this.#built.get(node)
    if (!built) {
      built = await this.#fromPlan(this.plans.get(node))
      this.#built.set(node, built)
    }
    return built
  }

  async #fromPlan(plan: Plan | undefined): Promise<Built> {
    switch (plan?.kind) {
      case 'value':
        return { ok: true, value: plan.value }
      case 'same':
        return this.build(plan.as)
      case 'list':
        return this.buildAll(plan.items)
      case 'map': {
        const values = await this.buildAll(plan.entries.map(([, node]) => node))
        if (!values.ok) return values
        // `fromEntries` makes an own member also of the key "__proto__".
        return { ok: true, value: Object.fromEntries(plan.entries.map(([key], n) => [key, values.value[n]])) }
      }
      case 'object':
        return this.#object(plan.object)
      case 'broken':
        // Reported when it was planned.
        return { ok: false, problems: [] }
      case undefined:
        throw new Error('only planned objects can be built')
    }
  }

  /** One after the other: the order of the file is the order of building, and of starting later. */
  async buildAll(nodes: readonly ConfigNode[]): Promise<Built<unknown[]>> {
    const all: Built[] = []
    for (const node of nodes) all.push(await this.build(node))
    const failed = all.filter((built) => !built.ok)
    // Each once: what several need would double with every level of lists.
    const problems = new Set(failed.flatMap((built) => built.problems))
    if (failed.length > 0) return { ok: false, problems: [...problems] }
    return { ok: true, value: all.flatMap((built) => (built.ok ? [built.value] : [])) }
  }

  async #object(planned: PlannedObject): Promise<Built> {
    const args = await this.buildAll(planned.args)
    const mistakes = [
      ...(await this.#partProblems(planned)),
      ...(isAgent(planned) ? await this.#agentProblems(planned, args.ok ? args.value[0] : undefined) : []),
    ]
    if (!args.ok) {
      const own = await this.#problemsBeside(planned)
      return { ok: false, problems: [...args.problems, ...mistakes, ...own] }
    }
    if (mistakes.length > 0 || planned.unusable) return { ok: false, problems: mistakes }
    try {
      const { value: whole } = await construct(
        planned,
        isAgent(planned) ? args.value.map(withUsableSchemas) : args.value,
      )
      const { pointer } = planned.reference
      const value = memberAt(whole, pointer)
      if (value === undefined && pointer.length > 0)
        return { ok: false, problems: [this.#noSuchPart(planned, whole)] }
      this.objects.push({ planned, value, whole })
      return { ok: true, value }
    } catch (error) {
      return { ok: false, problems: this.problems.of(planned, error) }
    }
  }

  /**
   * What an object rejects in its options while something that it needs could not be built. Nothing is kept of this:
   * objects begin their work when they are started.
   */
  async #problemsBeside(planned: PlannedObject): Promise<readonly LocatedProblem[]> {
    if (planned.unusable || planned.reference.type !== 'class' || isAgent(planned)) return []
    const args = await Promise.all(planned.args.map((node) => this.#withStandIns(node)))
    try {
      await construct(planned, args)
      return []
    } catch (error) {
      if (!isConfigurationMistake(error)) return []
      const options = planned.args.findIndex((node) => node === locateOptions(planned.args, this.plans))
      return this.problems.of(planned, error, (path) => isWithinStandIn(args[options], path))
    }
  }

  async #withStandIns(node: ConfigNode): Promise<unknown> {
    const built = await this.build(node)
    if (built.ok) return built.value
    const { plan } = written(node, this.plans)
    if (plan?.kind === 'list') return Promise.all(plan.items.map((item) => this.#withStandIns(item)))
    if (plan?.kind !== 'map') return STAND_IN
    const entries = plan.entries.map(async ([key, value]) => [key, await this.#withStandIns(value)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  #noSuchPart(planned: PlannedObject, whole: unknown): LocatedProblem {
    const { pointer } = planned.reference
    const path = pointer.reduce(childPointer, '')
    const keys = typeof whole === 'object' && whole !== null ? Object.keys(whole) : []
    const advice = keys.length > 0 ? `it has: ${keys.slice(0, 20).join(', ')}` : undefined
    return this.problems.at(
      planned,
      `what "${referenceName(planned.reference)}" gives has no ${path}`,
      advice,
    )
  }

  /** Of the parts that could be built, even if others could not. */
  async #partProblems(planned: PlannedObject): Promise<LocatedProblem[]> {
    const problems: LocatedProblem[] = []
    for (const { role, name, node } of objectParts(planned, this.plans)) {
      const built = await this.build(node)
      for (const message of built.ok ? partMistakes(role, name, built.value) : []) {
        problems.push(
          this.document.source.problem({ at: node.start, path: pointerAsPath(node.pointer), message }),
        )
      }
    }
    return problems
  }

  /** @param options - `undefined` if some of the plugins could not be built; only the others are checked then */
  async #agentProblems(planned: PlannedObject, options: unknown): Promise<LocatedProblem[]> {
    const [argument] = planned.args
    if (!argument) return []
    const listed = (index: number) => this.#listedPlugin(argument, index)
    const looked = options ?? { plugins: await this.#builtPlugins(planned) }
    return pluginMistakes(looked, (index) => listed(index).name).map(({ index, message, advice }) => {
      const { at, path } = listed(index)
      return this.document.source.problem({ at, path, message, advice })
    })
  }

  /** In place of those that could not be built: plugins that do nothing. */
  async #builtPlugins(planned: PlannedObject): Promise<unknown[]> {
    const plugins: unknown[] = []
    for (const { role, node } of objectParts(planned, this.plans)) {
      if (role !== 'plugin') continue
      const built = await this.build(node)
      plugins.push(built.ok ? built.value : { methods: {} })
    }
    return plugins
  }

  #listedPlugin(argument: ConfigNode, index: number): { at: number; path: string; name: string } {
    const list = locateValue(argument, ['plugins'], this.plans).node
    const item = list.kind === 'list' ? list.items[index] : undefined
    if (!item) return { at: list.start, path: pointerAsPath(list.pointer), name: 'plugins' }
    const { node, plan } = written(item, this.plans)
    const name = plan?.kind === 'object' ? referenceName(plan.object.reference) : pointerAsPath(node.pointer)
    const line = this.document.source.lineAt(item.start)
    return { at: item.start, path: pointerAsPath(item.pointer), name: `"${name}" (line ${line})` }
  }
}

type Constructor = new (...args: unknown[]) => unknown
type Callable = (...args: unknown[]) => unknown

async function construct(
  { reference, exported }: PlannedObject,
  args: unknown[],
): Promise<{ value: unknown }> {
  switch (reference.type) {
    case 'class':
      return { value: new (exported as Constructor)(...args) }
    case 'function':
      return { value: await (exported as Callable)(...args) }
    case 'object':
      return { value: exported instanceof Promise ? await exported : exported }
  }
}

function memberAt(whole: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((value, step) => {
    const holds = (typeof value === 'object' && value !== null) || typeof value === 'function'
    return holds ? (value as Record<string, unknown>)[step] : undefined
  }, whole)
}

/**
 * Takes the place of what could not be built, so that the options beside it are looked at all the same: it is whatever it is
 * taken for, and does nothing.
 */
export const STAND_IN: unknown = new Proxy(() => undefined, {
  get: (_target, name) => {
    if (name === Symbol.iterator) return () => [][Symbol.iterator]()
    if (name === Symbol.toPrimitive) return () => ''
    // anything with a `then` is awaited
    return name === 'then' ? undefined : STAND_IN
  },
  has: () => true,
  apply: () => STAND_IN,
  construct: () => STAND_IN as object,
})

/** Whether the value at a path is a stand-in, or part of one. @param path - as zod has it, or `types[0].name` */
function isWithinStandIn(value: unknown, path: string | readonly PropertyKey[]): boolean {
  const steps = typeof path === 'string' ? path.split(/[.[\]]+/).filter((step) => step !== '') : path
  let at = value
  for (const step of steps) {
    if (at === STAND_IN) return true
    if (typeof at !== 'object' || at === null) return false
    at = (at as Record<PropertyKey, unknown>)[step]
  }
  return at === STAND_IN
}
