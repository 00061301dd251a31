import { BOUNDS, isJsonObject, type Problem } from '@vidimus/core-types'
import { asList } from '../jwt/contradictions.js'
import { unknownContexts, type ContextFiles } from './contexts.js'

/** Keywords that apply to a single value only. */
const OF_VALUES = ['@value', '@language', '@direction', '@type']

/** Maximum number of names in one message. */
const MOST_NAMES = 10

/**
 * Checks, before canonicalization, that the members of a document can be taken for the statements that it makes.
 *
 * A signature covers RDF. The same statements could be written under other names: `credentialStatus` as its IRI, `id`
 * as `@id`, or any term under an alias of an inline context; code that reads the members would miss them. Members must
 * therefore be named by the terms of known contexts, in one spelling.
 *
 * @see Verifiable Credential Data Integrity 1.0 section 2.4.1, "Validating Contexts"
 */
export const documentProblems = (document: Record<string, unknown>, files: ContextFiles): Problem[] =>
  problemsOfParts([document], files)

/** The same for a presentation, whose credentials each have their own contexts. */
export function presentationProblems(presentation: Record<string, unknown>, files: ContextFiles): Problem[] {
  const { verifiableCredential, ...members } = presentation
  return problemsOfParts([members, ...asList(verifiableCredential)], files)
}

function problemsOfParts(parts: readonly unknown[], files: ContextFiles): Problem[] {
  const unknown = new Set<string>()
  const found = { values: 0, names: new Set<string>(), isTooDeep: false }
  for (const part of parts) {
    const { '@context': context, ...members } = isJsonObject(part) ? part : { part }
    for (const name of unknownContexts(context, files)) unknown.add(name)
    look(members, 1, found)
  }
  const sentences = [
    ...(unknown.size > 0
      ? [`it needs unknown contexts, and contexts are never fetched: ${shown([...unknown])}`]
      : []),
    ...(found.names.size > 0
      ? [
          `its members must be named by terms of its contexts, not by IRIs or keywords: ${shown([...found.names])}`,
        ]
      : []),
    ...(found.isTooDeep ? [`it is nested deeper than ${BOUNDS.jsonLevels} levels`] : []),
    ...(found.values > BOUNDS.jsonLdValues ? [`it has more than ${BOUNDS.jsonLdValues} values`] : []),
  ]
  return sentences.map((message) => ({ path: '', message }))
}

interface Found {
  values: number
  names: Set<string>
  isTooDeep: boolean
}

function look(value: unknown, level: number, found: Found): void {
  found.values += 1
  if (typeof value !== 'object' || value === null || found.values > BOUNDS.jsonLdValues) return
  if (level > BOUNDS.jsonLevels) {
    found.isTooDeep = true
    return
  }
  const isValue = isJsonObject(value) && Object.hasOwn(value, '@value')
  for (const [name, inner] of Object.entries(value)) {
    const isKeyword = name.startsWith('@') || name === '__proto__'
    const isAllowed =
      Array.isArray(value) || (isKeyword ? isValue && OF_VALUES.includes(name) : !name.includes(':'))
    if (!isAllowed) found.names.add(JSON.stringify(name))
    look(inner, level + 1, found)
  }
}

const shown = (names: readonly string[]): string =>
  names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')}, ...` : names.join(', ')
