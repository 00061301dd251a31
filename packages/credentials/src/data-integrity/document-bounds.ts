import { BOUNDS, isJsonObject, type Problem } from '@vidimus/core-types'
import { asList } from '../jwt/contradictions.js'
import { unknownContexts, type ContextFiles } from './contexts.js'
import { embeddedContextProblems, isTerm } from './embedded-contexts.js'

/** Keywords that apply to a single value only. */
const OF_VALUES = ['@value', '@language', '@direction', '@type']

/** Maximum number of names in one message. */
const MOST_NAMES = 10

/** Members that determine whether a document is in force, and what it states. */
const DECISIVE = [
  ...['issuer', 'holder', 'credentialSubject', 'credentialStatus', 'status', 'verifiableCredential'],
  ...['validFrom', 'validUntil', 'issuanceDate', 'expirationDate'],
]

/**
 * Checks, before canonicalization, that the members of a document can be taken for the statements that it makes.
 *
 * A signature covers RDF. The same statements could be written under other names: `credentialStatus` as its IRI, `id`
 * as `@id`, or any term under an alias of an embedded context; or they could be written in another object with the id
 * of the document. Code that reads the members would miss them. Members must therefore be named by terms, in one
 * spelling and in one place.
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
  const found: Found = { values: 0, names: new Set(), isTooDeep: false, isSplit: false }
  const embedded: Record<string, unknown>[] = []
  for (const part of parts) {
    const { '@context': context, ...members } = isJsonObject(part) ? part : { part }
    const inPart = [context].flat().filter((one) => typeof one !== 'string' && one !== undefined)
    for (const name of unknownContexts(context, files)) unknown.add(name)
    for (const one of inPart) {
      look(one, 1, { isAllowed: () => true }, found)
      if (isJsonObject(one)) embedded.push(one)
      else unknown.add(Array.isArray(one) ? 'a list' : String(one))
    }
    const isAllowed = inPart.length > 0 ? termOrKeyword(isTerm) : termOrKeyword(hasNoColon)
    look(members, 1, { isAllowed, root: members.id }, found)
  }
  const problems =
    found.isTooDeep || isTooLarge(found) ? [] : embedded.flatMap((one) => embeddedContextProblems(one))
  return [...sentencesOf(unknown, found), ...problems.slice(0, MOST_NAMES)].map((message) => ({
    path: '',
    message,
  }))
}

function sentencesOf(unknown: ReadonlySet<string>, found: Found): string[] {
  return [
    ...(unknown.size > 0
      ? [`it needs unknown contexts, and contexts are never fetched: ${shown([...unknown])}`]
      : []),
    ...(found.names.size > 0
      ? [
          `its members must be named by terms of its contexts, not by IRIs or keywords: ${shown([...found.names])}`,
        ]
      : []),
    ...(found.isSplit ? ['it must not have members in another object with its id'] : []),
    ...(found.isTooDeep ? [`it is nested deeper than ${BOUNDS.jsonLevels} levels`] : []),
    ...(isTooLarge(found) ? [`it has more than ${BOUNDS.jsonLdValues} values`] : []),
  ]
}

interface Found {
  values: number
  names: Set<string>
  isTooDeep: boolean
  isSplit: boolean
}

const isTooLarge = ({ values }: Found): boolean => values > BOUNDS.jsonLdValues

/** What the members of a document may be. */
interface Rules {
  /** @param isOfValue - whether the object is a value, with keywords that say what it is */
  isAllowed: (name: string, isOfValue: boolean) => boolean
  /** the id of the document */
  root?: unknown
}

const termOrKeyword =
  (isName: (name: string) => boolean): Rules['isAllowed'] =>
  (name, isOfValue) =>
    name.startsWith('@') ? isOfValue && OF_VALUES.includes(name) : isName(name)

const hasNoColon = (name: string): boolean => !name.includes(':') && name !== '__proto__'

function look(value: unknown, level: number, rules: Rules, found: Found): void {
  found.values += 1
  if (typeof value !== 'object' || value === null || isTooLarge(found)) return
  if (level > BOUNDS.jsonLevels) {
    found.isTooDeep = true
    return
  }
  const isOfValue = Object.hasOwn(value, '@value')
  if (level > 1 && isJsonObject(value) && isSecond(value, rules.root)) found.isSplit = true
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && !rules.isAllowed(name, isOfValue)) found.names.add(JSON.stringify(name))
    look(inner, level + 1, rules, found)
  }
}

/** Another description of the document itself, which states what belongs to the first one. */
const isSecond = (value: Record<string, unknown>, root: unknown): boolean =>
  root !== undefined && value.id === root && DECISIVE.some((member) => Object.hasOwn(value, member))

const shown = (names: readonly string[]): string =>
  names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')}, ...` : names.join(', ')
