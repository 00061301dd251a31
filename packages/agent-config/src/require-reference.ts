import { adviceFrom } from './near-miss.js'
import { parsePointer } from './json-pointer.js'

const TYPES = ['class', 'function', 'object'] as const
/** How the export of a module becomes an object: `new M(...)`, `M(...)`, or as it is. */
export type RequireType = (typeof TYPES)[number]

/** The parts of a `$require`: `<module>[?t=class|function|object][&p=/pointer][#member]`. */
export interface RequireReference {
  /** package, subpath of a package, `node:` module, absolute path or path relative to the configuration file */
  module: string
  /** name of an export; left out, the module itself */
  member?: string
  type: RequireType
  /** steps into the result */
  pointer: readonly string[]
}

/** An error in the text of a `$require`. */
export interface ReferenceMistake {
  message: string
  advice?: string | undefined
}

/** Reads the text of a `$require`; the result contains all errors, if there are any. */
export function parseRequire(
  text: string,
): { reference: RequireReference } | { mistakes: ReferenceMistake[] } {
  // Not by the URL parser, which would cut off the scheme of `node:` and rewrite `../`.
  const hash = text.indexOf('#')
  const beforeHash = hash < 0 ? text : text.slice(0, hash)
  const member = hash < 0 ? undefined : text.slice(hash + 1)
  const question = beforeHash.indexOf('?')
  const module = question < 0 ? beforeHash : beforeHash.slice(0, question)
  const mistakes: ReferenceMistake[] = []
  if (module === '') mistakes.push({ message: 'has no module before "#" or "?"' })
  if (member?.includes('?')) {
    mistakes.push({ message: 'has "?" after "#"', advice: 'write package?t=function#member' })
  } else if (member === '') {
    mistakes.push({ message: 'has no export after "#"' })
  }
  const query = parseQuery(question < 0 ? '' : beforeHash.slice(question + 1), mistakes)
  if (mistakes.length > 0) return { mistakes }
  return { reference: { module, ...query, ...(member !== undefined && { member }) } }
}

function parseQuery(query: string, mistakes: ReferenceMistake[]): Pick<RequireReference, 'type' | 'pointer'> {
  const result: Pick<RequireReference, 'type' | 'pointer'> = { type: 'class', pointer: [] }
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 't') {
      const type = TYPES.find((known) => known === value)
      if (type) result.type = type
      else
        mistakes.push({ message: `does not know t=${value}`, advice: adviceFrom(value, TYPES, 'possible') })
    } else if (name === 'p') {
      const pointer = parsePointer(value)
      if (pointer) result.pointer = pointer
      else mistakes.push({ message: `p=${value} is not a JSON pointer`, advice: `did you mean p=/${value}?` })
    } else {
      mistakes.push({ message: `does not know the parameter "${name}"`, advice: 'possible: t, p' })
    }
  }
  return result
}

/** `module#member`, for sentences. */
export const referenceName = ({ module, member }: RequireReference): string =>
  member === undefined ? module : `${module}#${member}`
