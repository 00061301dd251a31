interface Place {
  /** JSON pointer to its location; a YAML alias is the node of its anchor */
  readonly pointer: string
  /** offset into the text */
  readonly start: number
  /** offset behind the last character */
  readonly end: number
}

/** A scalar of YAML's core schema. */
export interface ValueNode extends Place {
  readonly kind: 'value'
  readonly value: string | number | boolean | null
}

export interface ListNode extends Place {
  readonly kind: 'list'
  readonly items: readonly ConfigNode[]
}

export interface MapEntry {
  /** offset of the key */
  readonly keyStart: number
  readonly node: ConfigNode
}

export interface MapNode extends Place {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, MapEntry>
}

/** One value of the file as it is written. */
export type ConfigNode = ValueNode | ListNode | MapNode

/** Describes a node for a message; never with its value. */
export function describeNode(node: ConfigNode): string {
  if (node.kind !== 'value') return `a ${node.kind}`
  if (node.value === null) return 'null'
  return typeof node.value === 'string' ? 'text' : `a ${typeof node.value}`
}

export const isTextNode = (node: ConfigNode | undefined): node is ValueNode & { value: string } =>
  node?.kind === 'value' && typeof node.value === 'string'

/** The node itself and everything written below it, each once. */
export function nodesBelow(node: ConfigNode, seen = new Set<ConfigNode>()): Set<ConfigNode> {
  if (seen.has(node)) return seen
  seen.add(node)
  for (const child of nodeChildren(node)) nodesBelow(child, seen)
  return seen
}

export function nodeChildren(node: ConfigNode): readonly ConfigNode[] {
  if (node.kind === 'value') return []
  return node.kind === 'list' ? node.items : [...node.entries.values()].map((entry) => entry.node)
}
