import type { Pair } from './decode-pairs.js'
import { isPrototypeName, malformedBody } from './malformed-body.js'

/** All that a form says about one field or one member of it. */
export interface FieldNode {
  /** values under the plain name: `a=1&a=2` */
  values: string[]
  /** values under `a[]` */
  entries: FieldNode[]
  /** values under `a[0]` or `a[name]` */
  members: Map<string, FieldNode>
}

const newNode = (): FieldNode => ({ values: [], entries: [], members: new Map() })

/**
 * Sorts the pairs of a form by field: `service[0][type]` belongs to member `type` of member `0` of `service`.
 *
 * @throws AgentError `malformed_body` for names whose brackets do not fit, are nested too deep or reach into a prototype
 */
export function fieldTree(pairs: readonly Pair[], depth: number): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>()
  for (const [name, value] of pairs) {
    const [field = '', ...steps] = stepsOf(name, depth)
    let node = child(fields, field)
    for (const step of steps) node = step === '' ? newEntry(node) : child(node.members, step)
    node.values.push(value)
  }
  return fields
}

function stepsOf(name: string, depth: number): string[] {
  const [, field = '', brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (field === '') throw malformedBody(name.slice(0, 64), 'is not a field name: its brackets do not fit')
  const steps = [field, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  if (steps.some(isPrototypeName)) throw malformedBody(name, 'is a key that is not allowed')
  if (steps.length > depth) throw malformedBody(field, `is nested more than ${depth} levels deep`)
  return steps
}

function child(nodes: Map<string, FieldNode>, name: string): FieldNode {
  const known = nodes.get(name)
  if (known) return known
  const node = newNode()
  nodes.set(name, node)
  return node
}

function newEntry(parent: FieldNode): FieldNode {
  const node = newNode()
  parent.entries.push(node)
  return node
}
