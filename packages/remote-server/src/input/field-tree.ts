import type { Pair } from './decode-pairs.js'
import { isPrototypeName, malformedBody, type InputPart } from './malformed-body.js'

/** All values of a form for one field or one member of it. */
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
 * Groups the pairs of a form by field: `service[0][type]` belongs to member `type` of member `0` of `service`.
 *
 * @throws AgentError `malformed_body` for names with unbalanced or too deeply nested brackets, or that reach into a
 * prototype
 */
export function fieldTree(
  pairs: readonly Pair[],
  depth: number,
  part: InputPart = 'body',
): Map<string, FieldNode> {
  const fields = new Map<string, FieldNode>()
  for (const [name, value] of pairs) {
    const [field = '', ...steps] = parseSteps(name, depth, part)
    let node = child(fields, field)
    for (const step of steps) node = step === '' ? newEntry(node) : child(node.members, step)
    node.values.push(value)
  }
  return fields
}

function parseSteps(name: string, depth: number, part: InputPart): string[] {
  // Most names, and those that would slow down the expression below, are handled first.
  if (!/[[\]]/.test(name) && name !== '' && !isPrototypeName(name)) return [name]
  if (name.split('[', depth + 1).length > depth)
    throw malformedBody(name, `is nested more than ${depth} levels deep`)
  const [, field = '', brackets = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  if (name === '') throw malformedBody('', 'has a field without a name', part)
  if (field === '') throw malformedBody(name, `is not a field name: ${flawOfBrackets(name)}`)
  const steps = [field, ...[...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)]
  if (steps.some(isPrototypeName)) throw malformedBody(name, 'is a key that is not allowed')
  return steps
}

const flawOfBrackets = (name: string) =>
  name.startsWith('[') ? 'it has nothing before its brackets' : 'its brackets do not match'

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
