import { describeNode, isTextNode, type ConfigNode, type MapNode, type ValueNode } from './config-node.js'
import { parsePointer, pointerAsPath } from './json-pointer.js'
import { nearest } from './near-miss.js'
import { renamedMistakes } from './renamed.js'
import { parseRequire, type RequireReference } from './require-reference.js'
import type { Finding } from './source-text.js'

/** The directive in the `$keys` of a map. */
export type Directive =
  | { kind: 'none' }
  | { kind: 'require'; text: ValueNode; reference: RequireReference; args: ConfigNode | undefined }
  | { kind: 'ref'; text: ValueNode; steps: readonly string[] }
  | { kind: 'env'; text: ValueNode; name: string; fallback: ConfigNode | undefined }
  /** cannot be understood at all */
  | { kind: 'broken' }

/** Each with the one key that may accompany it. */
const COMPANIONS = { $require: '$args', $ref: undefined, $env: '$default' } as const
type DirectiveKey = keyof typeof COMPANIONS
const DIRECTIVE_KEYS = Object.keys(COMPANIONS) as DirectiveKey[]
const GRAMMAR_KEYS = ['$require', '$args', '$ref', '$env', '$default']

/**
 * Reads the `$keys` of a map.
 *
 * @returns the directive as far as it can be understood, so that errors beyond it are found too, and every error in
 *   it: if there is one, the directive must not be carried out
 */
export function readDirective(map: MapNode): { directive: Directive; findings: Finding[] } {
  const findings = [...unknownKeys(map), ...misplacedKeys(map)]
  const key = DIRECTIVE_KEYS.find((candidate) => map.entries.has(candidate))
  if (!key) return { directive: { kind: 'none' }, findings }
  const text = map.entries.get(key)?.node ?? map
  const directive = isTextNode(text)
    ? READERS[key](map, text, findings)
    : broken(findings, text, `${key} takes text, got ${describeNode(text)}`)
  return { directive, findings }
}

type TextNode = ValueNode & { value: string }

const READERS: Record<DirectiveKey, (map: MapNode, text: TextNode, findings: Finding[]) => Directive> = {
  $require(map, text, findings) {
    const args = map.entries.get('$args')?.node
    const parsed = parseRequire(text.value)
    const mistakes = 'mistakes' in parsed ? parsed.mistakes : renamedMistakes(parsed.reference)
    if ('reference' in parsed && mistakes.length === 0)
      return { kind: 'require', text, reference: parsed.reference, args }
    for (const { message, advice } of mistakes) {
      findings.push({ at: text.start, path: nodePath(text), message: `"${text.value}" ${message}`, advice })
    }
    return { kind: 'broken' }
  },
  $ref(_map, text, findings) {
    const steps = parsePointer(text.value)
    if (steps) return { kind: 'ref', text, steps }
    const advice = text.value.startsWith('/')
      ? 'in a step of the pointer, "~" is written ~0 and "/" is written ~1'
      : `did you mean "/${text.value.replace(/^#?\/?/, '')}"?`
    return broken(findings, text, `"${text.value}" is not a JSON pointer`, advice)
  },
  $env(map, text, findings) {
    const fallback = map.entries.get('$default')?.node
    if (/^[^\s=]+$/.test(text.value)) return { kind: 'env', text, name: text.value, fallback }
    return broken(findings, text, 'this is not the name of an environment variable')
  },
}

function broken(findings: Finding[], node: ConfigNode, message: string, advice?: string): Directive {
  findings.push({ at: node.start, path: nodePath(node), message, advice })
  return { kind: 'broken' }
}

const nodePath = (node: ConfigNode): string => pointerAsPath(node.pointer)

function unknownKeys(map: MapNode): Finding[] {
  return [...map.entries]
    .filter(([key]) => key.startsWith('$') && !GRAMMAR_KEYS.includes(key))
    .map(([key, { keyStart }]) => {
      const near = nearest(key, GRAMMAR_KEYS)
      return {
        at: keyStart,
        path: nodePath(map),
        message: `"${key}" is not a keyword`,
        advice: `${near ? `did you mean "${near}"? ` : ''}known keywords: ${GRAMMAR_KEYS.join(', ')}`,
      }
    })
}

function misplacedKeys(map: MapNode): Finding[] {
  const present = DIRECTIVE_KEYS.filter((key) => map.entries.has(key))
  const [first, ...others] = present
  if (first === undefined) return orphans(map)
  if (others.length > 0) {
    const at = map.entries.get(others[0] ?? first)?.keyStart ?? map.start
    return [
      {
        at,
        path: nodePath(map),
        message: `${present.join(' and ')} are mutually exclusive`,
        advice: 'keep one',
      },
    ]
  }
  const siblings = [...map.entries].filter(
    ([key]) =>
      key !== first && key !== COMPANIONS[first] && (!key.startsWith('$') || GRAMMAR_KEYS.includes(key)),
  )
  const [sibling] = siblings
  if (!sibling) return []
  const names = siblings.map(([key]) => `"${key}"`).join(', ')
  return [{ at: sibling[1].keyStart, path: nodePath(map), ...siblingMistake(first, names, sibling[0]) }]
}

function siblingMistake(
  key: DirectiveKey,
  names: string,
  firstName: string,
): { message: string; advice: string } {
  const companion = COMPANIONS[key]
  const message = `${names} cannot be combined with ${key}, which replaces the whole map`
  if (!companion) return { message, advice: 'remove it, or write the map out without $ref' }
  const meant =
    nearest(firstName, [companion, companion.slice(1)]) !== undefined || firstName === companion.slice(1)
  return {
    message,
    advice: meant ? `did you mean "${companion}"?` : `only ${companion} may be combined with ${key}`,
  }
}

function orphans(map: MapNode): Finding[] {
  return DIRECTIVE_KEYS.flatMap((key) => {
    const companion = COMPANIONS[key]
    const entry = companion === undefined ? undefined : map.entries.get(companion)
    if (companion === undefined || !entry) return []
    return [
      { at: entry.keyStart, path: nodePath(map), message: `${companion} is only allowed beside ${key}` },
    ]
  })
}
