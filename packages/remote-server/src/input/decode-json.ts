import { formatPath } from '@vidimus/core-types'
import { visit, type JSONPath, type JSONVisitor } from 'jsonc-parser'
import { flawOfText, isPrototypeName, malformedBody } from './malformed-body.js'

export interface JsonLimits {
  /** how deep objects and lists may be nested; the outermost one counts as 1 */
  depth: number
  /** of the value inside a larger input, for the places that errors name */
  at?: string
}

/**
 * Reads a JSON text more strictly than `JSON.parse`: no key twice in an object, no key that reaches into a prototype,
 * no NUL character, no lone surrogate, no number beyond the range of doubles, no nesting beyond the limit.
 *
 * @throws AgentError `malformed_body` naming the place; never repeating any of the text
 */
export function decodeJson(text: string, { depth, at = '' }: JsonLimits): unknown {
  // Before the built-in parser, because this one stops at the first level too many.
  const syntaxError = inspect(text, depth, at)
  if (!syntaxError) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      // The inspecting parser is more lenient in details such as numbers; this one has the last word.
    }
  }
  const place = syntaxError ? ` (line ${syntaxError.line}, column ${syntaxError.column})` : ''
  throw malformedBody(at, `is not valid JSON${place}`)
}

/** @returns where the text stops being JSON, if it does */
function inspect(text: string, depth: number, at: string) {
  let syntaxError: { line: number; column: number } | undefined
  const keys: Set<string>[] = []
  let level = 0
  const placeOf = (path: JSONPath) => formatPath(at === '' ? path : [at, ...path])
  const refuse = (path: () => JSONPath, message: string): never => {
    throw malformedBody(placeOf(path()), message)
  }
  const descend = (path: () => JSONPath) => {
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
      const flaw = flawOfText(name)
      if (flaw) refuse(path, `has a key that ${flaw}`)
      const inside = () => [...path(), name]
      if (isPrototypeName(name)) refuse(inside, 'is a key that is not allowed')
      const seen = keys.at(-1)
      if (seen?.has(name)) refuse(inside, 'is given twice')
      seen?.add(name)
    },
    onLiteralValue: (value: unknown, _offset, _length, _line, _column, path) => {
      const flaw = typeof value === 'string' ? flawOfText(value) : undefined
      if (flaw) refuse(path, flaw)
      if (typeof value === 'number' && !Number.isFinite(value)) refuse(path, 'is too large for a number')
    },
    onError: (_error, _offset, _length, line, column) => {
      syntaxError ??= { line: line + 1, column: column + 1 }
    },
  }
  visit(text, visitor, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  return syntaxError
}

/**
 * Reads a JSON body, which has to be an object.
 *
 * @throws AgentError `malformed_body`
 */
export function decodeJsonBody(text: string, limits: JsonLimits): Record<string, unknown> {
  const value = decodeJson(text, limits)
  if (!isJsonObject(value)) throw malformedBody('', 'has to be a JSON object')
  return value
}

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
