import type { IncludedTransaction } from './chain.js'

/** A query or its paging that a node does not take. */
export class InvalidSearch extends Error {}

interface Condition {
  key: string
  operator: string
  value: string
}

const CONDITION = /^\s*([\w.-]+)\s*(<=|>=|=|<|>|CONTAINS|EXISTS)\s*(?:'([^']*)'|(\S+))?\s*$/

/**
 * Conditions on `tx.hash`, `tx.height` and attributes of events, all of which must hold.
 *
 * @throws InvalidSearch
 */
export function parseSearch(query: string): (included: IncludedTransaction) => boolean {
  const conditions = query.split(/\s+AND\s+/).map((part): Condition => {
    const [, key, operator, quoted, plain] = CONDITION.exec(part) ?? []
    if (key === undefined || operator === undefined) throw new InvalidSearch(`got unexpected query: ${query}`)
    return { key, operator, value: quoted ?? plain ?? '' }
  })
  return (included) => conditions.every((condition) => holds(condition, included))
}

function holds({ key, operator, value }: Condition, included: IncludedTransaction): boolean {
  const found = valuesOf(key, included)
  switch (operator) {
    case 'EXISTS':
      return found.length > 0
    case 'CONTAINS':
      return found.some((one) => one.includes(value))
    case '=':
      return found.some((one) => one === value)
    default:
      return found.some((one) => compares(Number(one), operator, Number(value)))
  }
}

function compares(one: number, operator: string, other: number): boolean {
  if (operator === '<') return one < other
  if (operator === '<=') return one <= other
  return operator === '>' ? one > other : one >= other
}

function valuesOf(key: string, { transaction, height, result }: IncludedTransaction): string[] {
  if (key === 'tx.hash') return [transaction.hash]
  if (key === 'tx.height') return [String(height)]
  return result.events.flatMap(({ type, attributes }) =>
    attributes.filter((attribute) => `${type}.${attribute.key}` === key).map(({ value }) => value),
  )
}

/** One page of what was found. @throws InvalidSearch for a page that there is not */
export function pageOf<T>(found: readonly T[], params: { page?: unknown; per_page?: unknown }): T[] {
  const asked = Number(params.per_page ?? 30)
  const perPage = asked < 1 ? 30 : Math.min(asked, 100)
  const page = Number(params.page ?? 1)
  const pages = Math.max(1, Math.ceil(found.length / perPage))
  if (!(page >= 1 && page <= pages)) {
    throw new InvalidSearch(`page should be within [1, ${pages}] range, given ${page}`)
  }
  return found.slice((page - 1) * perPage, page * perPage)
}
