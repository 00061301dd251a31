/** A status list as the API names it. */
export interface ListName {
  did: string
  listType: string
  resourceType: string
  statusListName: string
}

export type Route =
  | { page: 'dids' }
  | { page: 'did'; did: string }
  | { page: 'list'; list: ListName }
  | { page: 'keys' }
  | { page: 'try'; operation?: string }
  | { page: 'events' }
  /** an address that means nothing here */
  | { page: 'unknown'; address: string }

/** The address of a page: the fragment, which never leaves the browser. */
export function hashOf(route: Route): string {
  switch (route.page) {
    case 'did':
      return join('dids', route.did)
    case 'list': {
      const { did, listType, resourceType, statusListName } = route.list
      return join('lists', did, listType, resourceType, statusListName)
    }
    case 'try':
      return route.operation === undefined ? join('try') : join('try', route.operation)
    case 'unknown':
      return route.address
    case 'dids':
    case 'keys':
    case 'events':
      return join(route.page)
  }
}

/** What an address means; without any it is the first page. */
export function routeOf(hash: string): Route {
  const [first, ...rest] = hash.replace(/^#\/?/, '').split('/').map(decoded)
  const [a, listType, resourceType, statusListName] = rest
  if (first === '' || (first === 'dids' && rest.length === 0)) return { page: 'dids' }
  if (first === 'dids' && a) return { page: 'did', did: a }
  if (first === 'lists' && a && listType && resourceType && statusListName) {
    return { page: 'list', list: { did: a, listType, resourceType, statusListName } }
  }
  if (first === 'try') return { page: 'try', ...(a && { operation: a }) }
  if (first === 'keys' || first === 'events') return { page: first }
  return { page: 'unknown', address: hash }
}

const join = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
