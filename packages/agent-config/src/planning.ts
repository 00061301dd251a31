import { chooseExport } from './choose-export.js'
import type { ConfigNode } from './config-node.js'
import type { ConfigurationDocument } from './document.js'
import type { Environment } from './environment-variable.js'
import { parsePointer, pointerAsPath } from './json-pointer.js'
import { ModuleLoader } from './module-loader.js'
import type { PlannedObject, Plans } from './plan.js'
import { Planner } from './planner.js'
import type { Finding } from './source-text.js'

/** What became of planning. */
export interface PlannedPointers {
  /** what the pointers lead to; those that lead nowhere are left out */
  nodes: ConfigNode[]
  /** of everything that was newly reached */
  plans: Plans
  /** every mistake that can be seen without building anything */
  findings: Finding[]
}

export interface PlanningOptions {
  /** what `$env` reads; default: the environment of the process */
  environment?: Readonly<Record<string, string | undefined>>
  /** file URLs of modules; packages are looked for from them where the configuration file does not reach them */
  resolveFrom?: readonly string[]
}

/** Plans what pointers reach, and loads the modules that this needs. */
export class Planning {
  readonly modules: ModuleLoader
  readonly #environment: Environment

  constructor(
    readonly document: ConfigurationDocument,
    options: PlanningOptions,
  ) {
    this.#environment = options.environment ?? process.env
    // Last from here, so that the packages this one brings along are found also where it is installed globally.
    this.modules = new ModuleLoader(document.source.file, [...(options.resolveFrom ?? []), import.meta.url])
  }

  /** @param known - what was planned before */
  async plan(pointers: readonly string[], known: Plans): Promise<PlannedPointers> {
    const planner = new Planner(this.document, this.#environment, known)
    const nodes = pointers.flatMap((pointer) => this.#entry(planner, pointer) ?? [])
    nodes.forEach((node) => planner.reach(node))
    const findings = await Promise.all(planner.objects.map((object) => this.#chooseExport(object)))
    return {
      nodes,
      plans: planner.plans,
      findings: [...planner.findings, ...findings.flatMap((finding) => finding ?? [])],
    }
  }

  #entry(planner: Planner, pointer: string): ConfigNode | undefined {
    const { start } = this.document.root
    const steps = parsePointer(pointer)
    if (steps) return planner.find(steps, start, '')
    planner.findings.push({ at: start, path: '', message: `"${pointer}" is no JSON pointer` })
    return undefined
  }

  async #chooseExport(object: PlannedObject): Promise<Finding | undefined> {
    const { reference, text } = object
    const loaded = await this.modules.load(reference.module)
    const chosen = loaded.namespace
      ? chooseExport(loaded.namespace, reference)
      : { found: false as const, ...loaded }
    if (chosen.found) {
      object.exported = chosen.value
      return undefined
    }
    object.unusable = true
    const message = this.document.redaction.apply(chosen.message)
    return { at: text.start, path: pointerAsPath(object.node.pointer), message, advice: chosen.advice }
  }
}
