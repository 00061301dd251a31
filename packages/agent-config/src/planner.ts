import { chooseExport } from './choose-export.js'
import { nodeChildren, describeNode, type ConfigNode, type MapNode, type ValueNode } from './config-node.js'
import { readDirective, type Directive } from './directives.js'
import type { ConfigurationDocument } from './document.js'
import { readVariable, type Environment } from './environment-variable.js'
import { parsePointer, pointerAsPath } from './json-pointer.js'
import type { ModuleLoader } from './module-loader.js'
import { nearest } from './near-miss.js'
import type { RequireReference } from './require-reference.js'
import { resolvePointer } from './resolve-pointer.js'
import { isSecretVariable, passwordsIn } from './secret-text.js'
import type { Finding } from './source-text.js'

/** An object to build, with everything that is known before building it. */
export interface PlannedObject {
  readonly node: MapNode
  /** the text of the `$require` */
  readonly text: ValueNode
  readonly reference: RequireReference
  readonly args: readonly ConfigNode[]
  /** the export of the module; set once the module is loaded and the export fits its use */
  exported?: unknown
  /** its module or export cannot be used, which was reported */
  unusable?: true
}

/** The result for a node. */
export type Plan =
  /** `origin`: the source of a value that is not in the file, for a message */
  | { kind: 'value'; value: string | number | boolean | null; origin?: string }
  | { kind: 'list'; items: readonly ConfigNode[] }
  | { kind: 'map'; entries: readonly (readonly [string, ConfigNode])[] }
  /** the same as another node: a `$ref`, or the default of a variable */
  | { kind: 'same'; as: ConfigNode }
  | { kind: 'object'; object: PlannedObject }
  /** has a reported error */
  | { kind: 'broken' }

export type Plans = Map<ConfigNode, Plan>

/** A node on the way from the request to the current one. */
interface Step {
  node: ConfigNode
  /** reached by a `$ref`, not by lying inside the step before */
  referred: boolean
}

/**
 * Finds out what is reachable and what it becomes, without building anything. Continues after an error, to find them
 * all.
 */
export class Planner {
  /** of everything that was newly reached, in the order of building */
  readonly plans: Plans = new Map()
  /** every error that is visible without building anything */
  readonly findings: Finding[] = []
  readonly #directives = new Map<MapNode, Directive>()
  readonly #mistaken = new Set<MapNode>()
  readonly #way: Step[] = []

  /** @param known - what earlier builds planned already */
  constructor(
    readonly document: ConfigurationDocument,
    readonly environment: Environment,
    readonly known: Plans,
  ) {}

  /**
   * Plans what pointers reach, and loads the modules that this needs.
   *
   * @returns what the pointers lead to, without those that lead nowhere
   */
  async plan(pointers: readonly string[], modules: ModuleLoader): Promise<ConfigNode[]> {
    const nodes = pointers.flatMap((pointer) => this.#entry(pointer) ?? [])
    nodes.forEach((node) => this.reach(node))
    const objects = [...this.plans.values()].flatMap((plan) => (plan.kind === 'object' ? plan.object : []))
    const found = await Promise.all(objects.map((object) => this.#chooseExport(object, modules)))
    this.findings.push(...found.flatMap((finding) => finding ?? []))
    return nodes
  }

  /** Plans a node and all that it needs. */
  reach(node: ConfigNode, referred = true, at = node.start): void {
    if (this.known.has(node) || this.plans.has(node)) return
    if (this.#way.some((step) => step.node === node)) {
      this.#report(at, node, `the reference is circular: ${this.#cycle(node)}`)
      return
    }
    this.#way.push({ node, referred })
    const plan = this.#planOf(node)
    this.#way.pop()
    this.plans.set(node, plan)
  }

  #entry(pointer: string): ConfigNode | undefined {
    const { start } = this.document.root
    const steps = parsePointer(pointer)
    if (steps) return this.#find(steps, start, '')
    this.findings.push({ at: start, path: '', message: `"${pointer}" is not a JSON pointer` })
    return undefined
  }

  /** Follows a pointer; an error is reported at `at`. */
  #find(steps: readonly string[], at: number, path: string): ConfigNode | undefined {
    const target = resolvePointer(this.document.root, steps, (map) => this.#directiveOf(map))
    if (target.node) return target.node
    this.findings.push({ at, path, message: target.message, advice: target.advice })
    return undefined
  }

  #planOf(node: ConfigNode): Plan {
    if (node.kind === 'value') return { kind: 'value', value: node.value }
    if (node.kind === 'list') {
      this.#reachAll(node.items)
      return { kind: 'list', items: node.items }
    }
    const directive = this.#directiveOf(node)
    // Anything beside an error may contain further errors.
    if (this.#mistaken.has(node)) this.#reachAll(nodeChildren(node))
    switch (directive.kind) {
      case 'none':
        this.#reachAll(nodeChildren(node))
        return { kind: 'map', entries: [...node.entries].map(([key, entry]) => [key, entry.node] as const) }
      case 'broken':
        return { kind: 'broken' }
      case 'ref':
        return this.#same(
          this.#find(directive.steps, directive.text.start, pointerAsPath(node.pointer)),
          directive.text,
        )
      case 'env':
        return this.#variable(node, directive)
      case 'require':
        return this.#object(node, directive)
    }
  }

  #same(target: ConfigNode | undefined, from: ConfigNode): Plan {
    if (!target) return { kind: 'broken' }
    this.reach(target, true, from.start)
    return { kind: 'same', as: target }
  }

  #variable(node: MapNode, { name, text, fallback }: Directive & { kind: 'env' }): Plan {
    const reading = readVariable(this.environment, name)
    if (reading.kind === 'unusable') {
      this.#report(text.start, node, reading.message, reading.advice)
      return { kind: 'broken' }
    }
    if (fallback && (reading.kind === 'unset' || reading.value === '')) {
      this.reach(fallback, false)
      return { kind: 'same', as: fallback }
    }
    if (reading.kind === 'set') {
      this.#keepSecret(name, reading)
      return { kind: 'value', value: reading.value, origin: reading.origin }
    }
    const near = nearest(name, Object.keys(this.environment))
    this.#report(
      text.start,
      node,
      `the environment variable ${name} is not set`,
      `${near ? `did you mean ${near}? ` : ''}set it, set ${name}_FILE to the path of a file with the value, or add a default beside it: $default: ...`,
    )
    return { kind: 'broken' }
  }

  // Only secrets: a message must be able to name the wrong address or folder.
  #keepSecret(name: string, { value, inFile }: { value: string; inFile: boolean }): void {
    const { redaction, secretVariables } = this.document
    const isSecret = inFile || secretVariables.has(name) || isSecretVariable(name)
    for (const secret of [...(isSecret ? [value] : []), ...passwordsIn(value)]) redaction.add(secret)
  }

  #object(node: MapNode, { text, reference, args }: Directive & { kind: 'require' }): Plan {
    const list = args && this.#argumentList(args)
    if (args && !list) {
      this.#report(
        args.start,
        args,
        `expected a list of arguments, got ${describeNode(args)}`,
        'put each argument on its own line after a dash, or write $args: [...]',
      )
      this.#reachAll(nodeChildren(args))
    }
    this.#reachAll(list ?? [])
    return { kind: 'object', object: { node, text, reference, args: list ?? [] } }
  }

  #argumentList(args: ConfigNode, followed = new Set<ConfigNode>()): readonly ConfigNode[] | undefined {
    if (args.kind === 'list') return args.items
    if (args.kind === 'value' || followed.has(args)) return undefined
    followed.add(args)
    const directive = this.#directiveOf(args)
    if (directive.kind !== 'ref') return undefined
    const target = this.#find(directive.steps, directive.text.start, pointerAsPath(args.pointer))
    return target && this.#argumentList(target, followed)
  }

  async #chooseExport(object: PlannedObject, modules: ModuleLoader): Promise<Finding | undefined> {
    const { node, reference, text } = object
    const loaded = await modules.load(reference.module)
    const chosen = loaded.namespace
      ? chooseExport(loaded.namespace, reference)
      : { found: false as const, ...loaded }
    if (chosen.found) {
      object.exported = chosen.value
      return undefined
    }
    object.unusable = true
    const message = this.document.redaction.apply(chosen.message)
    return { at: text.start, path: pointerAsPath(node.pointer), message, advice: chosen.advice }
  }

  #reachAll(nodes: readonly ConfigNode[]): void {
    for (const node of nodes) this.reach(node, false)
  }

  #directiveOf(map: MapNode): Directive {
    let directive = this.#directives.get(map)
    if (!directive) {
      const read = readDirective(map)
      directive = read.directive
      this.findings.push(...read.findings)
      if (read.findings.length > 0) this.#mistaken.add(map)
      this.#directives.set(map, directive)
    }
    return directive
  }

  #cycle(node: ConfigNode): string {
    const start = this.#way.findIndex((step) => step.node === node)
    const between = this.#way.slice(start + 1).filter((step) => step.referred)
    return [node, ...between.map((step) => step.node), node].map(({ pointer }) => pointer || '/').join(' -> ')
  }

  #report(at: number, node: ConfigNode, message: string, advice?: string): void {
    this.findings.push({ at, path: pointerAsPath(node.pointer), message, advice })
  }
}
