import type { Problem } from '../errors.js'

type ListName = 'did' | 'statusListName' | 'statusListCredential' | 'uri' | 'token'

/** A list is named by its publisher and name, by its address, or by a token. */
export function namingProblems(args: Readonly<Partial<Record<ListName, unknown>>>): Problem[] {
  const { did, statusListName, statusListCredential, uri, token } = args
  const given = Object.entries({ statusListCredential, uri, token }).filter(
    ([, value]) => value !== undefined,
  )
  if (statusListName !== undefined) {
    const problems = given
      .filter(([path]) => path !== 'statusListCredential')
      .map(([path]) => ({ path, message: 'must be omitted if statusListName names the list' }))
    return did === undefined ? [{ path: 'did', message: 'is required' }, ...problems] : problems
  }
  if (given.length === 1) return []
  const [, ...others] = given.map(([path]) => path)
  if (others.length > 0) {
    return others.map((path) => ({ path, message: 'must be omitted: one address names the list' }))
  }
  const message = 'is required, unless statusListCredential, uri or token names the list'
  const missing = [{ path: 'statusListName', message }]
  return did === undefined ? [{ path: 'did', message }, ...missing] : missing
}
