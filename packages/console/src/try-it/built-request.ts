import type { Field, Operation } from './operation-form.js'

/** A request as a form describes it; the API key is added last, when it is sent or shown. */
export interface BuiltRequest {
  method: string
  /** with query, below the address of the service */
  path: string
  headers: Record<string, string>
  body?: string
  /** needs the API key */
  keyed: boolean
}

/** The errors of the input, by the name of the field. */
export class FormProblems extends Error {
  override readonly name = 'FormProblems'
  constructor(readonly problems: ReadonlyMap<string, string>) {
    super([...problems].map(([name, problem]) => `${name} ${problem}`).join('; '))
  }
}

export const fieldKey = ({ place, name }: Pick<Field, 'place' | 'name'>): string => `${place}.${name}`

/**
 * @param values - the input, by {@link fieldKey}; empty text is omitted
 * @throws FormProblems
 */
export function builtRequest(operation: Operation, values: Readonly<Record<string, string>>): BuiltRequest {
  const { fields, method, path: template, open } = operation
  const problems = new Map<string, string>()
  const given = (place: Field['place']) =>
    fields
      .filter((field) => field.place === place)
      .map((field) => ({ field, text: values[fieldKey(field)]?.trim() ?? '' }))
      .filter(({ field, text }) => {
        if (text === '' && field.required) problems.set(fieldKey(field), 'is required')
        return text !== ''
      })
  const path = given('path').reduce(
    (address, { field, text }) => address.replace(`{${field.name}}`, encodeURIComponent(text)),
    template,
  )
  const query = new URLSearchParams(given('query').map(({ field, text }) => [field.name, text])).toString()
  const headers = Object.fromEntries(given('header').map(({ field, text }) => [field.name, text]))
  const members = given('body').map(({ field, text }) => [field.name, member(field, text, problems)] as const)
  const takesBody = method === 'POST' && fields.some(({ place }) => place === 'body')
  if (problems.size > 0) throw new FormProblems(problems)
  return {
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...headers, ...(takesBody && { 'content-type': 'application/json' }) },
    ...(takesBody && { body: JSON.stringify(Object.fromEntries(members), null, 2) }),
    keyed: !open,
  }
}

function member(field: Field, text: string, problems: Map<string, string>): unknown {
  if (field.kind === 'number') {
    const number = Number(text)
    if (Number.isNaN(number)) problems.set(fieldKey(field), 'must be a number')
    return number
  }
  if (field.kind === 'choice' && (text === 'true' || text === 'false')) return text === 'true'
  if (field.kind !== 'json') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    // A JWT, or one value in place of a list.
    if (/^[[{"]/.test(text)) problems.set(fieldKey(field), 'is not JSON')
    return text
  }
}
