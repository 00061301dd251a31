import { nodeChildren, isTextNode, type ConfigNode, type MapNode } from './config-node.js'
import { readDirective } from './directives.js'
import { resolvePointer } from './resolve-pointer.js'
import { looksSecret, type Redaction } from './secret-text.js'
import type { SourceText } from './source-text.js'

/** Names of modules, places and variables: never secret themselves. */
const NAMING_KEYS = new Set(['$require', '$ref', '$env'])

// Constructors of secrets may take one directly (`new SecretBox(key)`); their options are recognised by their keys.
function secretParts(map: MapNode): ConfigNode[] {
  if (map.entries.has('$require')) {
    const args = map.entries.get('$args')?.node
    return args?.kind === 'list' ? args.items.filter(isBareValue) : []
  }
  return [...map.entries].filter(([key]) => !NAMING_KEYS.has(key)).map(([, entry]) => entry.node)
}

// Written in the file or taken from the environment.
const isBareValue = (node: ConfigNode): boolean =>
  node.kind === 'value' || (node.kind === 'map' && node.entries.has('$env'))

/**
 * Marks every literal below a key that looks secret, including those behind a `$ref`.
 *
 * @returns names of the environment variables that are read there
 */
export function hideSecrets(root: ConfigNode, source: SourceText, redaction: Redaction): Set<string> {
  const variables = new Set<string>()
  const open = new Set<ConfigNode>()
  const secret = new Set<ConfigNode>()

  const visitSecret = (node: ConfigNode): void => {
    if (secret.has(node)) return
    secret.add(node)
    if (node.kind === 'value') {
      if (node.value === null || node.start === node.end) return
      source.hide(node)
      if (isTextNode(node)) redaction.add(node.value)
    } else if (node.kind === 'list') {
      node.items.forEach(visitSecret)
    } else {
      const { directive } = readDirective(node)
      if (directive.kind === 'env') variables.add(directive.name)
      const target = directive.kind === 'ref' ? referredBy(directive.steps, root) : undefined
      if (target) visitSecret(target)
      secretParts(node).forEach(visitSecret)
    }
  }

  const visit = (node: ConfigNode): void => {
    if (open.has(node)) return
    open.add(node)
    if (node.kind !== 'map') {
      nodeChildren(node).forEach(visit)
      return
    }
    for (const [key, entry] of node.entries) {
      if (looksSecret(key)) visitSecret(entry.node)
      visit(entry.node)
    }
  }
  visit(root)
  return variables
}

const referredBy = (steps: readonly string[], root: ConfigNode): ConfigNode | undefined =>
  resolvePointer(root, steps, (map) => readDirective(map).directive).node
