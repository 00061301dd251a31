import { isJsonObject } from '@vidimus/core-types'

/** Without the characters that separate the parts of an IRI, or a prefix from its suffix. */
const TERM = /^[^@:/#?[\]\s]+$/

const IRI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i

const NAMESPACE_END = /[/#:]$/

const CONTAINERS = ['@set', '@list', '@language']
const COERCIONS = ['@id', '@vocab', '@json', '@none']

/** The keywords that have a short name in every document. */
const ALIASES = new Map([
  ['id', '@id'],
  ['type', '@type'],
])

const MOST_CHARACTERS = 100

/** Whether a member can be named by a term, and not by a part of an IRI that a vocabulary completes. */
export const isTerm = (name: string): boolean => TERM.test(name) && name !== '__proto__'

export const isAlias = (term: string): boolean => ALIASES.has(term)

/** The definition of a term as an object; `undefined` for anything that is not a definition. */
export const expandedDefinition = (definition: unknown): Record<string, unknown> | undefined => {
  const expanded = typeof definition === 'string' ? { '@id': definition } : definition
  return isJsonObject(expanded) ? expanded : undefined
}

/**
 * Problems of a context embedded in a document, as sentences.
 *
 * A proof covers the statements of a document, not its contexts: whoever presents it can write another context and
 * rename its members accordingly. Therefore every term must be the last part of its IRI, so that the signed statement
 * determines its name. A context must not alias keywords, change the structure of the document, keep members out of
 * the statements, or give identifiers another meaning.
 *
 * @param place - what has the context
 */
export function embeddedContextProblems(
  context: Record<string, unknown>,
  place = 'its embedded context',
): string[] {
  return Object.entries(context).flatMap(([name, definition]) => {
    if (name.startsWith('@')) return keywordProblems(name, definition, place)
    if (!isTerm(name)) return [`${place} must not define ${quoted(name)}, which is not a term`]
    return termProblems(definition, name, `the term ${quoted(name)} of ${place}`)
  })
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isLanguage = (value: unknown): boolean => value === null || typeof value === 'string'

type Rules = ReadonlyMap<string, (value: unknown) => boolean>

/** The keywords of a context, and what they may be. */
const OF_CONTEXTS: Rules = new Map([
  ['@version', (value) => value === 1.1],
  ['@protected', isBoolean],
  ['@language', isLanguage],
  ['@vocab', (value) => value === null || (isIri(value) && NAMESPACE_END.test(value))],
])

function keywordProblems(keyword: string, value: unknown, place: string): string[] {
  const isValid = OF_CONTEXTS.get(keyword)
  if (!isValid) return [`${place} must not have ${quoted(keyword)}`]
  if (isValid(value)) return []
  const form =
    keyword === '@vocab' ? 'an absolute IRI that ends with "/", "#" or ":"' : 'as JSON-LD 1.1 defines it'
  return [`the ${keyword} of ${place} must be ${form}`]
}

/** The keywords of a term, and what they may be; `@id` and `@context` have more rules. */
const OF_TERMS: Rules = new Map([
  ['@id', () => true],
  ['@context', () => true],
  ['@type', (value) => COERCIONS.includes(value as string) || isIri(value)],
  ['@container', (value) => [value].flat().every((one) => CONTAINERS.includes(one as string))],
  ['@protected', isBoolean],
  ['@language', isLanguage],
])

function termProblems(definition: unknown, term: string, named: string): string[] {
  const members = expandedDefinition(definition)
  if (!members) return [`${named} must have an absolute IRI`]
  const alias = ALIASES.get(term)
  if (alias !== undefined) {
    const isAliasOnly =
      members['@id'] === alias && Object.keys(members).every((one) => ['@id', '@protected'].includes(one))
    return isAliasOnly ? [] : [`${named} must be ${alias}`]
  }
  const unsupported = Object.entries(members).filter(
    ([keyword, value]) => OF_TERMS.get(keyword)?.(value) !== true,
  )
  return [
    ...iriProblems(members['@id'], term, named),
    ...unsupported.map(([keyword]) => `${named} has an unsupported ${quoted(keyword)}`),
    ...('@context' in members ? scopedProblems(members['@context'], `the context of ${quoted(term)}`) : []),
  ]
}

function iriProblems(iri: unknown, term: string, named: string): string[] {
  if (!isIri(iri)) return [`${named} must have an absolute IRI`]
  const name = /[^/#:]*$/.exec(iri)?.[0]
  return name === term ? [] : [`${named} must be the last part of its IRI, which is ${quoted(iri)}`]
}

/** Contexts of a term are embedded as well: those of others could define again what the document has defined. */
const scopedProblems = (scoped: unknown, place: string): string[] =>
  [scoped]
    .flat()
    .flatMap((one) =>
      isJsonObject(one) ? embeddedContextProblems(one, place) : [`${place} must be an object`],
    )

const isIri = (value: unknown): value is string => typeof value === 'string' && IRI.test(value)

const quoted = (text: string): string =>
  JSON.stringify(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}...` : text)
