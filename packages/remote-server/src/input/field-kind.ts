import type { z } from 'zod'
import { listSeparators } from './list-separator.js'

/** How a field is read where everything arrives as text; follows from the field's schema alone. */
export type FieldKind =
  | { kind: 'text' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'list'; entry: FieldKind; separable?: RegExp }
  | { kind: 'object'; fields: ReadonlyMap<string, FieldKind> }
  /** members without a schema of their own: their values stay text */
  | { kind: 'free' }
  | { kind: 'choice'; options: readonly FieldKind[] }

const TEXT: FieldKind = { kind: 'text' }
const FREE: FieldKind = { kind: 'free' }
const NUMBER: FieldKind = { kind: 'number' }
const SEPARABLE_NUMBERS = /^-?[\d.]+$/

/**
 * The kind of a schema.
 *
 * @throws TypeError for a schema that no text can stand for: a mistake of whoever wrote the operation
 */
export function fieldKind(schema: z.core.$ZodType): FieldKind {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return TEXT
    case 'number':
      return NUMBER
    case 'boolean':
      return { kind: 'boolean' }
    case 'unknown':
    case 'record':
      return FREE
    case 'array':
      return listKind(schema, fieldKind(def.element))
    case 'object':
      return { kind: 'object', fields: fieldKinds(def.shape) }
    case 'union':
      return { kind: 'choice', options: def.options.map(fieldKind) }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return fieldKind(def.innerType)
    case 'pipe':
      // A preprocessed schema is a transformation piped into the schema proper.
      return fieldKind((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in)
    default:
      throw new TypeError(`a form field cannot be of type "${def.type}"`)
  }
}

export const fieldKinds = (shape: Readonly<Record<string, z.core.$ZodType>>): ReadonlyMap<string, FieldKind> =>
  new Map(Object.entries(shape).map(([name, schema]) => [name, fieldKind(schema)]))

function listKind(schema: z.core.$ZodType, entry: FieldKind): FieldKind {
  const separable = listSeparators.get(schema) ?? (entry.kind === 'number' ? SEPARABLE_NUMBERS : undefined)
  return { kind: 'list', entry, ...(separable && { separable }) }
}
