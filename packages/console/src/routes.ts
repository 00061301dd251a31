/** A status list as the API names it. */
export interface ListName {
  did: string
  listType: string
  resourceType: string
  statusListName: string
}

/** The address of a list as credentials name it: a DID URL. */
export function listAddress({ did, statusListName, resourceType }: ListName): string {
  const words = { resourceName: statusListName, resourceType }
  const written = Object.entries(words).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `${did}?${written.join('&')}`
}

/** Where a page of a long table begins: at a number, or after the `next` of the previous page. */
export interface Place {
  number?: number
  after?: string
}

/** What a page is narrowed by, as the API names it; a page ignores words that it does not know. */
export type Search = Readonly<Record<string, string>>

/** The pages with an address of their own, and their addresses. */
const PATHS = {
  dids: 'dids',
  lists: 'lists',
  keys: 'keys',
  credentials: 'credentials',
  issued: 'credentials/issued',
  changes: 'changes',
  work: 'work',
  events: 'events',
  account: 'account',
  webhooks: 'account/webhooks',
  audit: 'account/audit',
  operators: 'operators',
  sessions: 'operators/sessions',
  'all-work': 'operators/work',
  health: 'operators/health',
} as const

export type NamedPage = keyof typeof PATHS

/** A page that may show a part of a table. */
export type TableRoute = { search?: Search; place?: Place } & (
  { page: NamedPage } | { page: 'did'; did: string }
)

export type Route =
  | TableRoute
  | { page: 'list'; list: ListName }
  /** an unknown address */
  | { page: 'unknown'; address: string }

/** The address of a page: the fragment, which never leaves the browser. */
export function routeHash(route: Route): string {
  if (route.page === 'unknown') return route.address
  if (route.page === 'list') {
    const { did, listType, resourceType, statusListName } = route.list
    return join('lists', did, listType, resourceType, statusListName)
  }
  const path = route.page === 'did' ? join('dids', route.did) : `#/${PATHS[route.page]}`
  const { number, after } = route.place ?? {}
  const words = new URLSearchParams({
    ...route.search,
    ...(number !== undefined && { page: String(number) }),
    ...(after !== undefined && { after }),
  }).toString()
  return words === '' ? path : `${path}?${words}`
}

/** The same for all parts of one page: paging in a table stays on the page. */
export const routePage = (route: Route): string => routeHash(route).split('?')[0] ?? ''

/** The page of an address; without any it is the first page. */
export function parseRoute(hash: string): Route {
  const [path = '', words = ''] = hash.split(/\?(.*)/s)
  const written = path.replace(/^#\/?/, '') || PATHS.dids
  const named = (Object.keys(PATHS) as NamedPage[]).find((page) => PATHS[page] === written)
  const [first, did, ...rest] = written.split('/').map(decoded)
  const [listType, resourceType, statusListName, more] = rest
  if (named) return { page: named, ...wordsOf(words) }
  if (first === 'dids' && did && rest.length === 0) return { page: 'did', did, ...wordsOf(words) }
  return first === 'lists' && did && listType && resourceType && statusListName && more === undefined
    ? { page: 'list', list: { did, listType, resourceType, statusListName } }
    : { page: 'unknown', address: hash }
}

/** An invalid page number means page 1. */
function wordsOf(written: string): { search?: Search; place?: Place } {
  const { page, after, ...others } = Object.fromEntries(new URLSearchParams(written))
  const search = Object.fromEntries(Object.entries(others).filter(([, word]) => word !== ''))
  const number = Number(page)
  const place = after ? { after } : Number.isSafeInteger(number) && number > 1 ? { number } : undefined
  return { ...(Object.keys(search).length > 0 && { search }), ...(place && { place }) }
}

const join = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
