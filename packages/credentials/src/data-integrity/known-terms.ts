import { isJsonObject } from '@vidimus/core-types'
import { expandedDefinition, isAlias } from './embedded-contexts.js'

/** JSON-LD documents with contexts, by URL. */
export type KnownContexts = ReadonlyMap<string, unknown>

interface Definition {
  term: string
  iri: string
}

/** The terms of known contexts, which embedded contexts must not define again or give another name. */
export class KnownTerms {
  /** every term of each IRI, in any context */
  readonly #termsByIri = new Map<string, Set<string>>()
  /** every term of any context: as a prefix, it is not the scheme of an IRI */
  readonly #terms = new Set<string>()

  constructor(private readonly contexts: KnownContexts) {
    for (const document of contexts.values()) {
      for (const { term, iri } of resolvedDefinitionsIn(contextOf(document))) {
        this.#terms.add(term)
        this.#termsByIri.set(iri, (this.#termsByIri.get(iri) ?? new Set()).add(term))
      }
    }
  }

  /**
   * The first problem of the contexts embedded in a document, as a sentence.
   *
   * @param parts - the document, and what else is processed with its contexts
   */
  problemOf(context: unknown, parts: readonly unknown[]): string | undefined {
    const contexts = [context].flat()
    const embedded = contexts.filter(isJsonObject)
    if (embedded.length === 0) return undefined
    const defined = new Set(contexts.flatMap((one) => this.#termsOf(one, [])))
    for (const { term, iri } of embedded.flatMap((one) => [...definitionsIn(one)])) {
      if (isAlias(term)) continue
      if (defined.has(term)) return `an embedded context must not redefine "${term}"`
      const problem = this.#namingProblem(term, iri)
      if (problem !== undefined) return problem
    }
    return this.#vocabularyProblem(embedded, parts)
  }

  #namingProblem(term: string, iri: string): string | undefined {
    const [scheme = ''] = iri.split(':', 1)
    if (this.#terms.has(scheme))
      return `the IRI of the embedded term "${term}" must not begin with a prefix, but in full`
    const [name] = this.#termsByIri.get(iri)?.has(term) === false ? (this.#termsByIri.get(iri) ?? []) : []
    return name === undefined ? undefined : `the embedded term "${term}" is another name for "${name}"`
  }

  /** A vocabulary completes every name without a definition. */
  #vocabularyProblem(
    embedded: readonly Record<string, unknown>[],
    parts: readonly unknown[],
  ): string | undefined {
    const vocabularies = new Set(embedded.flatMap((one) => [...vocabulariesIn(one)]))
    if (vocabularies.size === 0) return undefined
    const names = new Set<string>()
    for (const part of parts) collectNames(part, names)
    for (const vocabulary of vocabularies) {
      for (const name of names) {
        const problem = this.#namingProblem(name, vocabulary + name)
        if (problem !== undefined) return problem
      }
    }
    return undefined
  }

  /** The terms that a named context defines for a whole document. */
  #termsOf(context: unknown, seen: readonly string[]): string[] {
    if (typeof context !== 'string' || seen.includes(context)) return []
    return [contextOf(this.contexts.get(context))]
      .flat()
      .flatMap((one) =>
        isJsonObject(one)
          ? Object.keys(one).filter((name) => !name.startsWith('@'))
          : this.#termsOf(one, [...seen, context]),
      )
  }
}

const contextOf = (document: unknown): unknown => (isJsonObject(document) ? document['@context'] : undefined)

/** Every definition in a context and the contexts of its terms, with the IRI as it is written. */
function* definitionsIn(context: unknown): Generator<Definition> {
  for (const one of [context].flat()) {
    if (!isJsonObject(one)) continue
    for (const [term, definition] of Object.entries(one)) {
      const members = term.startsWith('@') ? undefined : expandedDefinition(definition)
      if (!members) continue
      if (typeof members['@id'] === 'string') yield { term, iri: members['@id'] }
      yield* definitionsIn(members['@context'])
    }
  }
}

/** The same for a known context, some of which write IRIs with their prefixes. */
function* resolvedDefinitionsIn(context: unknown): Generator<Definition> {
  const definitions = [...definitionsIn(context)]
  const prefixes = new Map(
    definitions.filter(({ iri }) => /[/#:]$/.test(iri)).map(({ term, iri }) => [term, iri]),
  )
  for (const { term, iri } of definitions) {
    const [prefix = '', suffix = ''] = iri.split(/:(.*)/s, 2)
    const namespace = suffix.startsWith('//') ? undefined : prefixes.get(prefix)
    yield { term, iri: namespace === undefined ? iri : namespace + suffix }
  }
}

function* vocabulariesIn(context: unknown): Generator<string> {
  for (const one of [context].flat()) {
    if (!isJsonObject(one)) continue
    for (const [name, value] of Object.entries(one)) {
      if (name === '@vocab' && typeof value === 'string') yield value
      if (!name.startsWith('@') && isJsonObject(value)) yield* vocabulariesIn(value['@context'])
    }
  }
}

/** The names of members and types, which contexts resolve. */
function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name)
    if (name === 'type') [inner].flat().forEach((one) => typeof one === 'string' && names.add(one))
    collectNames(inner, names)
  }
}
