import type { ConfigNode, MapNode } from './config-node.js'
import type { Directive } from './directives.js'
import { childPointer, isIndex } from './json-pointer.js'
import { adviceFrom } from './near-miss.js'

export type PointerTarget =
  { node: ConfigNode } | { node?: undefined; message: string; advice?: string | undefined }

type DirectiveOf = (map: MapNode) => Directive

/**
 * Finds the target of a pointer: one node for each place of the file, however many pointers lead there. Every `$ref`
 * on the way is followed, except the last.
 */
export function resolvePointer(
  root: ConfigNode,
  steps: readonly string[],
  directiveOf: DirectiveOf,
): PointerTarget {
  return new PointerWalk(root, directiveOf).walk(steps)
}

class PointerWalk {
  readonly #followed = new Set<ConfigNode>()

  constructor(
    readonly root: ConfigNode,
    readonly directiveOf: DirectiveOf,
  ) {}

  walk(steps: readonly string[]): PointerTarget {
    let node = this.root
    let pointer = ''
    for (const step of steps) {
      const target = this.#step(node, step, pointer)
      if (!target.node) return target
      node = target.node
      pointer = childPointer(pointer, step)
    }
    return { node }
  }

  /** @param pointer - to `parent`, as it was written */
  #step(parent: ConfigNode, step: string, pointer: string): PointerTarget {
    if (parent.kind === 'map') {
      const directive = this.directiveOf(parent)
      if (directive.kind === 'ref') return this.#follow(parent, directive.steps, step, pointer)
      if (directive.kind === 'require' && step !== '$args') return insideObject(pointer, step)
      if (directive.kind === 'env') {
        return { message: `${pointer} is an environment variable and has no "${step}"` }
      }
      const node = parent.entries.get(step)?.node
      return node ? { node } : missing(pointer, step, [...parent.entries.keys()])
    }
    if (parent.kind === 'list') {
      const node = isIndex(step) ? parent.items[Number(step)] : undefined
      return node
        ? { node }
        : { message: `the list at ${pointer} has no item ${step}`, advice: indices(parent.items) }
    }
    return { message: `${pointer} is neither a map nor a list: there is no "${step}" in it` }
  }

  #follow(reference: MapNode, steps: readonly string[], step: string, pointer: string): PointerTarget {
    if (this.#followed.has(reference)) return { message: `the $ref at ${pointer} is circular` }
    this.#followed.add(reference)
    const target = this.walk(steps)
    if (!target.node) return target
    return this.#step(target.node, step, pointer)
  }
}

const insideObject = (pointer: string, step: string): PointerTarget => ({
  message: `${childPointer(pointer, step)} lies inside the object that $require builds at ${pointer}`,
  advice: `refer to ${pointer} as a whole, or take the part where it is built, with ?p=${childPointer('', step)} in the $require`,
})

const missing = (pointer: string, step: string, names: readonly string[]): PointerTarget => ({
  message: pointer === '' ? `there is no section "${step}"` : `there is no "${step}" in ${pointer}`,
  advice: adviceFrom(step, names, 'there are'),
})

const indices = (items: readonly unknown[]): string =>
  items.length === 0 ? 'the list is empty' : `its items are 0 to ${items.length - 1}`
