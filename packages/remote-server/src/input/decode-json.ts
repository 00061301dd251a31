import { formatPath, isJsonObject } from '@vidimus/core-types'
import { visit, type JSONPath, type JSONVisitor } from 'jsonc-parser'
import { INEXACT_NUMBER, isKeptExactly } from './exact-number.js'
import { flawOfText, isPrototypeName, malformedBody, MOST_PARTS, tooManyParts } from './malformed-body.js'

export interface JsonLimits {
  /** maximum nesting of objects and lists; the outermost one counts as 1 */
  depth: number
  /** of the value within a larger input, for paths in errors */
  at?: string
}

/**
 * Parses JSON more strictly than `JSON.parse`: no duplicate keys, no keys that reach into a prototype, no NUL
 * characters, no lone surrogates, no numbers that a double cannot represent, no nesting beyond the limit, and no more
 * members and entries than {@link MOST_PARTS}.
 *
 * @throws AgentError `malformed_body` with the position; never repeats any of the text
 */
export function decodeJson(text: string, { depth, at = '' }: JsonLimits): unknown {
  // Runs before the built-in parser, as it stops at the first level beyond the limit.
  const syntaxError = inspect(text, depth, at)
  if (!syntaxError) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      // The inspecting parser is more lenient in details such as numbers; this one decides.
    }
  }
  const place = syntaxError ? ` (line ${syntaxError.line}, column ${syntaxError.column})` : ''
  throw malformedBody(at, `is not valid JSON${place}`)
}

/** @returns the position where the text stops being JSON, if any */
function inspect(text: string, depth: number, at: string) {
  let syntaxError: { line: number; column: number } | undefined
  const keys: Set<string>[] = []
  let level = 0
  let parts = 0
  const countPart = () => {
    parts += 1
    if (parts > MOST_PARTS) throw tooManyParts(at)
  }
  const placeOf = (path: JSONPath) => formatPath(at === '' ? path : [at, ...path])
  const refuse = (path: () => JSONPath, message: string): never => {
    throw malformedBody(placeOf(path()), message)
  }
  const descend = (path: () => JSONPath) => {
    countPart()
    level += 1
    if (level > depth) refuse(path, `is nested more than ${depth} levels deep`)
  }
  const visitor: JSONVisitor = {
    onObjectBegin: (_offset, _length, _line, _column, path) => {
      descend(path)
      keys.push(new Set())
    },
    onObjectEnd: () => {
      level -= 1
      keys.pop()
    },
    onArrayBegin: (_offset, _length, _line, _column, path) => descend(path),
    onArrayEnd: () => {
      level -= 1
    },
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      countPart()
      const flaw = flawOfText(name)
      if (flaw) refuse(path, `has a key that ${flaw}`)
      const inside = () => [...path(), name]
      if (isPrototypeName(name)) refuse(inside, 'is a key that is not allowed')
      const seen = keys.at(-1)
      if (seen?.has(name)) refuse(inside, 'is given twice')
      seen?.add(name)
    },
    onLiteralValue: (value: unknown, offset, length, _line, _column, path) => {
      if (typeof value === 'number') {
        const flaw = flawOfNumber(text.slice(offset, offset + length), value)
        if (flaw) refuse(path, flaw)
        return
      }
      countPart()
      const flaw = typeof value === 'string' ? flawOfText(value) : undefined
      if (flaw) refuse(path, flaw)
    },
    onError: (_error, _offset, _length, line, column) => {
      syntaxError ??= { line: line + 1, column: column + 1 }
    },
  }
  visit(text, visitor, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  return syntaxError
}

function flawOfNumber(text: string, value: number): string | undefined {
  if (!Number.isFinite(value)) return 'is too large for a number'
  return isKeptExactly(text, value) ? undefined : INEXACT_NUMBER
}

/**
 * Reads a JSON body, which must be an object.
 *
 * @throws AgentError `malformed_body`
 */
export function decodeJsonBody(text: string, limits: JsonLimits): Record<string, unknown> {
  const value = decodeJson(text, limits)
  if (!isJsonObject(value)) throw malformedBody('', 'must be a JSON object')
  return value
}
