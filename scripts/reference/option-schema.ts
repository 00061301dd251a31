import type { z } from 'zod'
import { code, range } from './markdown.js'

/** What a schema says about one option. */
export interface OptionFacts {
  /** what may be written; empty: what it is cannot be told from the schema */
  values: string
  /** empty: there is none */
  standard: string
  needed: boolean
  members?: Record<string, z.core.$ZodType>
}

/** The parts of zod's definitions that are read here. */
interface Definition {
  type: string
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  defaultValue?: unknown
  shape?: Record<string, z.core.$ZodType>
  options?: z.core.$ZodType[]
  entries?: Record<string, unknown>
  values?: unknown[]
  element?: z.core.$ZodType
}

const zodDefinition = (schema: z.core.$ZodType): Definition => schema._zod.def

/** Looks through what only wraps a schema: defaults, optional and nullable ones, and transformations. */
export function optionFacts(schema: z.core.$ZodType): OptionFacts {
  const definition = zodDefinition(schema)
  const { type, innerType } = definition
  if (innerType) {
    const inner = optionFacts(innerType)
    if (type === 'default') return { ...inner, standard: shown(definition.defaultValue), needed: false }
    if (type === 'prefault' || type === 'optional') return { ...inner, needed: false }
    if (type === 'nullable') return { ...inner, values: inner.values && `${inner.values} or ${code('null')}` }
    return inner
  }
  if (definition.in && definition.out) {
    const read = zodDefinition(definition.in).type === 'transform' ? definition.out : definition.in
    return optionFacts(read)
  }
  return {
    values: valueText(schema, definition),
    standard: '',
    needed: true,
    ...(definition.shape && { members: definition.shape }),
  }
}

function valueText(schema: z.core.$ZodType, definition: Definition): string {
  const { minValue, maxValue } = schema as { minValue?: number | null; maxValue?: number | null }
  switch (definition.type) {
    case 'string':
      return 'text'
    case 'number':
      return range(minValue ?? undefined, maxValue ?? undefined) || 'number'
    case 'boolean':
      return `${code('true')} or ${code('false')}`
    case 'enum':
      return Object.values(definition.entries ?? {})
        .map((value) => code(String(value)))
        .join(', ')
    case 'literal':
      return [...new Set((definition.values ?? []).map(String))].map(code).join(', ')
    case 'array': {
      const each = definition.element ? optionFacts(definition.element).values : ''
      return each === '' ? '' : `list of ${each}`
    }
    case 'union': {
      const choices = (definition.options ?? []).map((option) => objectOr(option))
      return choices.includes('') ? '' : [...new Set(choices)].join(' or ')
    }
    default:
      return ''
  }
}

const objectOr = (schema: z.core.$ZodType): string => {
  const { values, members } = optionFacts(schema)
  if (!members) return values
  const shape = Object.entries(members).map(([name, member]) => `${name}: ${optionFacts(member).values}`)
  return code(`{${shape.join(', ')}}`)
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return code(`${value}ncheq`)
  if (Array.isArray(value)) return code(`[${value.join(', ')}]`)
  if (typeof value !== 'object' || value === null) return code(String(value))
  const members = Object.entries(value).map(([name, member]) => `${name}: ${String(member)}`)
  return code(`{${members.join(', ')}}`)
}
