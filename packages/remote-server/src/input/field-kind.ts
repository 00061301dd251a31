import type { z } from 'zod'
import { listSeparators } from './list-separator.js'

/** How to read a field from text; follows from the field's schema only. */
export type FieldKind =
  | { kind: 'text' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | {
      kind: 'list'
      entry: FieldKind
      entrySchema: z.core.$ZodType
      separable?: RegExp
      /** maximum number of entries, if the schema has one */
      most?: number
    }
  | { kind: 'object'; fields: ReadonlyMap<string, FieldKind> }
  /** members without their own schema: their values stay text */
  | { kind: 'free' }
  | { kind: 'choice'; options: readonly FieldKind[] }

const SEPARABLE_NUMBERS = /^-?[\d.]+$/

/** Kinds of schemas without relevant nested schemas. */
const SIMPLE: Partial<Record<z.core.$ZodTypeDef['type'], FieldKind>> = {
  string: { kind: 'text' },
  enum: { kind: 'text' },
  literal: { kind: 'text' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  unknown: { kind: 'free' },
  record: { kind: 'free' },
}

/**
 * The kind of a schema.
 *
 * @throws TypeError for a schema that text cannot express: a mistake in the definition of the operation
 */
export function fieldKind(schema: z.core.$ZodType): FieldKind {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const simple = SIMPLE[def.type]
  if (simple) return simple
  if (def.type === 'array') return listKind(schema, def.element)
  if (def.type === 'object') return { kind: 'object', fields: fieldKinds(def.shape) }
  if (def.type === 'union') return { kind: 'choice', options: def.options.map(fieldKind) }
  // A preprocessed schema is a transformation piped into the actual schema.
  if (def.type === 'pipe') return fieldKind(isTransform(def.in) ? def.out : def.in)
  if ('innerType' in def) return fieldKind(def.innerType)
  throw new TypeError(`a form field cannot be of type "${def.type}"`)
}

const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === 'transform'

export const fieldKinds = (
  shape: Readonly<Record<string, z.core.$ZodType>>,
): ReadonlyMap<string, FieldKind> =>
  new Map(Object.entries(shape).map(([name, schema]) => [name, fieldKind(schema)]))

function listKind(schema: z.core.$ZodType, entrySchema: z.core.$ZodType): FieldKind {
  const entry = fieldKind(entrySchema)
  const separable = listSeparators.get(schema) ?? (entry.kind === 'number' ? SEPARABLE_NUMBERS : undefined)
  const most = longestAllowed(schema)
  return {
    kind: 'list',
    entry,
    entrySchema,
    ...(separable && { separable }),
    ...(most !== undefined && { most }),
  }
}

function longestAllowed(schema: z.core.$ZodType): number | undefined {
  const maxima = (schema._zod.def.checks ?? []).flatMap((check) => {
    const { def } = (check as z.core.$ZodChecks)._zod
    return def.check === 'max_length' ? [def.maximum] : []
  })
  return maxima.length > 0 ? Math.min(...maxima) : undefined
}
