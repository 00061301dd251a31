import { isJsonObject } from '@vidimus/core-types'
import type { Subject } from './subject.js'

type Json = Record<string, unknown>

/** Published content whose inside is JSON: a JSON document, or a JWT with its payload. */
export interface OpenedContent {
  value: Json
  /** the content with another inside; a JWT is signed again */
  closed: (value: unknown) => Uint8Array
}

/** @returns `undefined` for content of another form */
export function openContent(subject: Subject, content: Uint8Array, did: string): OpenedContent | undefined {
  const text = Buffer.from(content).toString('utf8')
  const document = parsed(text)
  if (document) return { value: document, closed: (value) => Buffer.from(JSON.stringify(value)) }
  const [header = {}, payload] = text
    .split('.')
    .map((part) => parsed(Buffer.from(part, 'base64url').toString()))
  if (!payload) return undefined
  const { typ, ...members } = header
  const closed = (value: unknown) =>
    Buffer.from(subject.signed({ typ: String(typ), header: members, payload: value as Json }, did))
  return { value: payload, closed }
}

/** Every place in a JSON value, the whole first. */
export function placesIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  const inside = Array.isArray(value)
    ? value.flatMap((item: unknown, n) => placesIn(item, [...path, n]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, item]) => placesIn(item, [...path, name]))
      : []
  return [[...path], ...inside]
}

export const valueAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, step) => (found as Json)[step], value)

/** A copy with another value at one place. */
export function replacedAt(
  value: unknown,
  path: readonly (string | number)[],
  replacement: unknown,
): unknown {
  if (path.length === 0) return replacement
  const copy = structuredClone(value)
  const parent = valueAt(copy, path.slice(0, -1)) as Json
  parent[path.at(-1) ?? ''] = replacement
  return copy
}

/** The location of the encoded bits: the longest text. */
export function placeOfEncodedList(value: unknown): (string | number)[] | undefined {
  const texts = placesIn(value).filter((path) => typeof valueAt(value, path) === 'string')
  const lengthAt = (path: readonly (string | number)[]) => String(valueAt(value, path)).length
  return texts.sort((a, b) => lengthAt(b) - lengthAt(a))[0]
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    // not JSON: the caller tries another form
    return undefined
  }
}
