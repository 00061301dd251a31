import type { CheckResult, Finding, Lifecycle, Measurement } from '@vidimus/core-types'
import { isConfigurationMistake } from './building-problems.js'
import { ConfigurationError } from './configuration-error.js'
import { readDirective } from './directives.js'
import { readDocument, type ConfigurationDocument } from './document.js'
import type { Environment } from './environment-variable.js'
import { isMembers } from './foreign-values.js'
import { objectParts } from './configured-parts.js'
import { inspect, type InspectedPart, type Inspection } from './inspection.js'
import { childPointer, parsePointer, pointerAsPath } from './json-pointer.js'
import { LifecycleRunner, type Participant } from './lifecycle-runner.js'
import { neededObjects, written } from './locate.js'
import { ModuleLoader } from './module-loader.js'
import { stockStoreNotices, unusedSectionNotices } from './notices.js'
import { ObjectBuilder, type BuiltObject } from './object-builder.js'
import { Planner, type PlannedObject, type Plans } from './planner.js'
import { resolvePointer } from './resolve-pointer.js'

export interface LoadOptions {
  /** what `$env` reads; default: the environment of the process */
  environment?: Readonly<Record<string, string | undefined>>
  /** file URLs of modules; packages that the configuration file cannot reach are resolved from them */
  resolveFrom?: readonly string[]
  /** a health check that takes longer counts as failing; default 5000 */
  checkTimeoutMs?: number
}

/** An object that was built, for lists of what runs. */
export interface ObjectDescription {
  /** JSON pointer to its location */
  pointer: string
  module: string
  /** the export; absent for the module itself */
  member?: string
  /** from 1 */
  line: number
  /** of its package, if it is one */
  version?: string
}

/** A part of the agent, as far as it is known without building it. */
export type DescribedPart = Pick<InspectedPart, 'role' | 'name' | 'module'>

/**
 * Reads a configuration file in the grammar of Veramo's agent.yml, version 3. Nothing is loaded or built yet.
 *
 * @throws ConfigurationError with every syntax error
 */
export async function loadConfiguration(file: string, options: LoadOptions = {}): Promise<Configuration> {
  return new Configuration(await readDocument(file), options)
}

type ObjectParticipant = Participant & { readonly planned: PlannedObject }

/** A configuration file and the objects that were built from it. */
export class Configuration {
  readonly #document: ConfigurationDocument
  readonly #environment: Environment
  readonly #modules: ModuleLoader
  readonly #plans: Plans = new Map()
  readonly #builder: ObjectBuilder
  readonly #lifecycle: LifecycleRunner<ObjectParticipant>
  #last: Promise<unknown> = Promise.resolve()

  constructor(document: ConfigurationDocument, options: LoadOptions = {}) {
    this.#document = document
    this.#environment = options.environment ?? process.env
    // Last from here, so that the packages of this installation are found even if it is installed globally.
    this.#modules = new ModuleLoader(document.source.file, [...(options.resolveFrom ?? []), import.meta.url])
    this.#builder = new ObjectBuilder(document, this.#plans)
    this.#lifecycle = new LifecycleRunner(options.checkTimeoutMs ?? 5000)
  }

  /** absolute path */
  get file(): string {
    return this.#document.source.file
  }

  /** Whether a JSON pointer leads to something in the file. */
  has(pointer: string): boolean {
    const steps = parsePointer(pointer)
    return !!steps && !!resolvePointer(this.#document.root, steps, (map) => readDirective(map).directive).node
  }

  /** JSON pointers to the sections of the file, without those that are not built: `version` and `x-...`. */
  get sections(): string[] {
    return [...this.#document.root.entries.keys()]
      .filter((name) => !/^(version$|x-)/.test(name))
      .map((name) => childPointer('', name))
  }

  /** Every value that was built by a `$require`, in the order of building. */
  get objects(): readonly unknown[] {
    return [...new Set(this.#builder.objects.map(({ value }) => value))]
  }

  /**
   * Builds what JSON pointers lead to, and only what that needs. Built objects are shared with later calls.
   *
   * @throws ConfigurationError with every error in the reachable part; nothing is built until all errors that are
   *   visible without building are corrected
   */
  build(...pointers: string[]): Promise<unknown[]> {
    return this.#afterLast(async () => {
      const planner = this.#planner(this.#plans)
      const nodes = await planner.plan(pointers, this.#modules)
      if (planner.findings.length > 0) {
        throw new ConfigurationError(
          planner.findings.map((finding) => this.#document.source.problem(finding)),
        )
      }
      planner.plans.forEach((plan, node) => this.#plans.set(node, plan))
      const before = this.#builder.objects.length
      const built = await this.#builder.buildAll(nodes)
      this.#builder.objects.slice(before).forEach((object) => this.#join(object))
      if (!built.ok) throw new ConfigurationError(built.problems)
      return built.value
    })
  }

  /**
   * Starts all built objects, in the order of building. If one fails, the started ones are stopped.
   *
   * @param values - start only these, and what they are built from; default: everything
   * @throws ConfigurationError if the cause is a configuration error, otherwise the error itself
   */
  start(values?: readonly unknown[]): Promise<void> {
    return this.#afterLast(() => {
      const explain = ({ planned }: ObjectParticipant, error: unknown) =>
        isConfigurationMistake(error)
          ? new ConfigurationError(this.#builder.problems.of(planned, error))
          : error
      if (!values) return this.#lifecycle.start(explain)
      const meant = this.#builder.objects.filter(({ value }) => values.includes(value))
      const needed = new Set(meant.flatMap(({ planned }) => [...neededObjects(planned, this.#plans)]))
      return this.#lifecycle.start(explain, ({ planned }) => needed.has(planned))
    })
  }

  /**
   * Stops everything that was started, in reverse order. May be called again.
   *
   * @throws AggregateError of everything that failed, once all of them are stopped
   */
  stop(): Promise<void> {
    return this.#afterLast(() => this.#lifecycle.stop())
  }

  /**
   * Builds everything that can be built, and reports the parts of the agent and every error. Nothing is shared with
   * {@link build}, and nothing is started.
   */
  inspect(): Promise<Inspection> {
    return this.#afterLast(() => inspect(this.#planner(new Map()), this.#modules, this.sections))
  }

  /** The health of everything that was built. A check that throws or hangs is a failing result. */
  check(): Promise<CheckResult[]> {
    return this.#lifecycle.check()
  }

  /** A thorough look at everything that was built, for an operator. Never throws. */
  diagnose(): Promise<Finding[]> {
    return this.#lifecycle.diagnose()
  }

  /** The measurements of all objects built so far; several may measure the same. */
  get measurements(): readonly Measurement[] {
    const candidates = new Set(this.#builder.objects.flatMap(({ whole, value }) => [whole, value]))
    return [...new Set([...candidates].flatMap(measurementsOf))]
  }

  /** Notices for the operator about the objects built so far; each begins with file and line. */
  get notices(): readonly string[] {
    if (this.#plans.size === 0) return []
    const objects = this.#builder.objects.map(({ planned }) => planned)
    return [
      ...stockStoreNotices(this.#document, objects),
      ...unusedSectionNotices(this.#document, this.#plans),
    ]
  }

  /** Every object that was built, in the order of building. */
  describe(): ObjectDescription[] {
    return this.#builder.objects.map(({ planned: { node, text, reference } }) => {
      const version = this.#modules.versionOf(reference.module)
      return {
        pointer: node.pointer,
        module: reference.module,
        ...(reference.member !== undefined && { member: reference.member }),
        line: this.#document.source.lineAt(text.start),
        ...(version !== undefined && { version }),
      }
    })
  }

  /** The parts of the agent that was built. */
  get parts(): DescribedPart[] {
    const plans = [...this.#plans.values()].flatMap((plan) => (plan.kind === 'object' ? [plan.object] : []))
    return plans.flatMap((object) =>
      objectParts(object, this.#plans).flatMap(({ role, name, node }) => {
        const { plan } = written(node, this.#plans)
        if (plan?.kind !== 'object') return []
        return [{ role, ...(name !== undefined && { name }), module: plan.object.reference.module }]
      }),
    )
  }

  /** @param known - what was planned earlier */
  #planner(known: Plans): Planner {
    return new Planner(this.#document, this.#environment, known)
  }

  /** Building, starting and stopping change the same things: one at a time. */
  #afterLast<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  #join({ planned, value, whole }: BuiltObject): void {
    for (const candidate of new Set([whole, value])) {
      const lifecycle = lifecycleOf(candidate)
      if (lifecycle) this.#lifecycle.add({ name: pointerAsPath(planned.node.pointer), lifecycle, planned })
    }
  }
}

const measurementsOf = (value: unknown): readonly Measurement[] =>
  isMembers(value) && Array.isArray(value.measurements) ? (value.measurements as readonly Measurement[]) : []

const lifecycleOf = (value: unknown): Lifecycle | undefined =>
  isMembers(value) && isMembers(value.lifecycle) ? value.lifecycle : undefined
