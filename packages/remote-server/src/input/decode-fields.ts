import type { Problem } from '@vidimus/core-types'
import { decodeJson } from './decode-json.js'
import { INEXACT_NUMBER, isKeptExactly } from './exact-number.js'
import type { Pair } from './decode-pairs.js'
import type { FieldKind } from './field-kind.js'
import { fieldTree, type FieldNode } from './field-tree.js'
import { malformedBody, MOST_PARTS, tooManyParts, type InputPart } from './malformed-body.js'

export interface DecodedFields {
  /** input for the schema; an unreadable value is kept as its text */
  fields: Record<string, unknown>
  /** problems that the schema cannot find any more */
  problems: Problem[]
}

/** RFC 8259 numbers without exponent. */
const DECIMAL = /^-?(0|[1-9]\d*)(\.\d+)?$/

/**
 * Reads form fields or query parameters by their schema, never by guessing from the text: a text stays a text whatever
 * it looks like; a list may be a repeated name, `a[]`, `a[0]`, JSON text, one bare value or, if its entries allow it, a
 * comma-separated text; an object is JSON text or `a[member]`.
 *
 * @param part - source of the pairs, for errors
 * @throws AgentError `malformed_body`
 */
export function decodeFields(
  pairs: readonly Pair[],
  kinds: ReadonlyMap<string, FieldKind>,
  limits: { depth: number },
  part: InputPart = 'body',
): DecodedFields {
  const reader = new FieldReader(limits.depth)
  // Without a prototype, as an unknown field may have any name.
  const fields = Object.create(null) as Record<string, unknown>
  for (const [name, node] of fieldTree(pairs, limits.depth, part)) {
    const kind = kinds.get(name)
    // An unknown field is refused by name later; its content does not matter.
    fields[name] = kind ? reader.read(node, kind, name) : node.values[0]
  }
  return { fields, problems: reader.problems }
}

/** These are always valid, and there may be very many. */
const SMALL_INTEGER = /^(?:0|[1-9]\d{0,14})$/
const LIST_INDEX = /^(?:0|[1-9]\d*)$/
const NO_KINDS: ReadonlyMap<string, FieldKind> = new Map()

class FieldReader {
  readonly problems: Problem[] = []

  constructor(private readonly depth: number) {}

  read(node: FieldNode, kind: FieldKind, path: string): unknown {
    if (spellings(node) > 1) this.problems.push({ path, message: 'is given in two spellings' })
    switch (kind.kind) {
      case 'list':
        return this.readList(node, kind, path)
      case 'object':
        return this.readObject(node, kind.fields, path)
      case 'free':
        return this.readFreeField(node, path)
      case 'choice':
        return this.read(node, chosen(node, kind.options), path)
      case 'text':
      case 'number':
      case 'boolean':
        return this.readScalar(node, kind, path)
    }
  }

  private readScalar(node: FieldNode, kind: FieldKind, path: string): unknown {
    const [value, ...others] = node.values
    if (value === undefined) return this.readFree(node, path)
    if (others.length > 0) this.problems.push({ path, message: 'is given more than once' })
    if (kind.kind === 'number') return this.readNumber(value, path)
    if (kind.kind === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
    return value
  }

  private readNumber(text: string, path: string): unknown {
    if (!DECIMAL.test(text)) return text
    const value = Number(text)
    if (!isKeptExactly(text, value)) this.problems.push({ path, message: INEXACT_NUMBER })
    return value
  }

  private readList(node: FieldNode, kind: FieldKind & { kind: 'list' }, path: string): unknown {
    if (node.entries.length > 0)
      return node.entries.map((entry, n) => this.read(entry, kind.entry, `${path}[${n}]`))
    if (node.members.size > 0) return this.readIndexed(node, kind, path)
    const [value = '', ...others] = node.values
    if (others.length === 0 && /^\s*\[/.test(value)) return this.readJson(value, path)
    const values = others.length === 0 ? separated(value, kind.separable) : node.values
    // Lists of numbers may be much longer than any other.
    if (kind.entry.kind !== 'number' && values.length > MOST_PARTS) throw tooManyParts(path)
    return values.map((text, n) =>
      kind.entry.kind === 'number' && SMALL_INTEGER.test(text)
        ? Number(text)
        : this.read(newFieldNode(text), kind.entry, `${path}[${n}]`),
    )
  }

  private readIndexed(node: FieldNode, kind: FieldKind & { kind: 'list' }, path: string): unknown {
    const list: unknown[] = []
    for (let n = 0; n < node.members.size; n++) {
      const entry = node.members.get(String(n))
      if (!entry) {
        this.problems.push({
          path,
          message: `must be numbered from 0 without gaps; ${path}[${n}] is missing`,
        })
        return list
      }
      list.push(this.read(entry, kind.entry, `${path}[${n}]`))
    }
    return list
  }

  private readObject(node: FieldNode, fields: ReadonlyMap<string, FieldKind>, path: string): unknown {
    if (node.members.size === 0) return this.readJsonObject(node, path)
    const object = Object.create(null) as Record<string, unknown>
    for (const [name, member] of node.members) {
      const kind = fields.get(name)
      object[name] = kind
        ? this.read(member, kind, `${path}.${name}`)
        : this.readFree(member, `${path}.${name}`)
    }
    return object
  }

  private readJsonObject(node: FieldNode, path: string): unknown {
    const [value = '', ...others] = node.values
    if (others.length > 0) this.problems.push({ path, message: 'is given more than once' })
    return /^\s*\{/.test(value) ? this.readJson(value, path) : value
  }

  /** A field with arbitrary content: JSON objects and lists are parsed, the rest is text. */
  private readFreeField(node: FieldNode, path: string): unknown {
    const [value, ...others] = node.values
    if (value !== undefined && others.length === 0 && /^\s*[{[]/.test(value))
      return this.readJson(value, path)
    return this.readFree(node, path)
  }

  private readFree(node: FieldNode, path: string): unknown {
    if (node.members.size > 0) return this.readFreeMembers(node, path)
    if (node.entries.length > 0) return node.entries.map((entry, n) => this.readFree(entry, `${path}[${n}]`))
    const [value = '', ...others] = node.values
    if (others.length > 0) return node.values
    return value
  }

  /** Only the names distinguish a list from an object here. */
  private readFreeMembers(node: FieldNode, path: string): unknown {
    const numbered = [...node.members.keys()].filter((name) => LIST_INDEX.test(name)).length
    if (numbered === 0) return this.readObject(node, NO_KINDS, path)
    const list: unknown[] = []
    for (let n = 0; n < node.members.size; n++) {
      const entry = node.members.get(String(n))
      if (!entry) {
        throw malformedBody(
          path,
          'has numbered members that are not a list numbered from 0 without gaps; write it as JSON text',
        )
      }
      list.push(this.readFree(entry, `${path}[${n}]`))
    }
    return list
  }

  private readJson(text: string, path: string): unknown {
    return decodeJson(text, { depth: this.depth, at: path })
  }
}

const newFieldNode = (value: string): FieldNode => ({ values: [value], entries: [], members: new Map() })

const spellings = ({ values, entries, members }: FieldNode) =>
  Number(values.length > 0) + Number(entries.length > 0) + Number(members.size > 0)

function separated(value: string, entry: RegExp | undefined): string[] {
  const pieces = value.split(',')
  return entry && pieces.every((piece) => entry.test(piece)) ? pieces : [value]
}

const TEXT: FieldKind = { kind: 'text' }

/** The option indicated by the spelling; for plain text the one that accepts text. */
function chosen(node: FieldNode, options: readonly FieldKind[]): FieldKind {
  const option = (...kinds: FieldKind['kind'][]) => options.find(({ kind }) => kinds.includes(kind))
  const text = node.values[0]?.trimStart() ?? ''
  const listed =
    node.entries.length > 0 || node.values.length > 1 || text.startsWith('[') || node.members.has('0')
  if (listed) return option('list') ?? option('text') ?? TEXT
  if (node.members.size > 0 || text.startsWith('{')) return option('object', 'free') ?? TEXT
  return option('text', 'number', 'boolean') ?? option('list') ?? TEXT
}
