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

/** Where a page of a long list begins: at a number, or after the `next` of the previous page. */
export interface Place {
  number?: number
  after?: string
}

/** What a table is filtered by, as the API names it. */
export type Search = Readonly<Record<string, string>>

/** The filters of each table; other words of an address mean nothing. */
const FILTERS = {
  dids: ['provider', 'network', 'alias', 'createdAfter', 'createdBefore'],
  keys: ['alias', 'kms'],
  audit: ['event', 'outcome', 'apiKeyId', 'subject', 'since', 'until'],
  operators: ['name'],
} as const

export type Route =
  | { page: 'dids'; search?: Search; place?: Place }
  | { page: 'did'; did: string; place?: Place }
  | { page: 'list'; list: ListName }
  | { page: 'lists'; place?: Place }
  | { page: 'changes'; job?: string }
  | { page: 'credentials' }
  | { page: 'keys'; search?: Search; place?: Place }
  | { page: 'events' }
  | { page: 'account'; place?: Place }
  | { page: 'webhooks'; place?: Place }
  | { page: 'audit'; search?: Search; place?: Place }
  | { page: 'operators'; search?: Search; place?: Place }
  | { page: 'health' }
  | { page: 'sessions'; place?: Place }
  /** an address that means nothing here */
  | { page: 'unknown'; address: string }

/** The address of a page: the fragment, which never leaves the browser. */
export function routeHash(route: Route): string {
  switch (route.page) {
    case 'dids':
      return join('dids') + query({ ...route.search, ...placeWords(route.place) })
    case 'did':
      return join('dids', route.did) + query(placeWords(route.place))
    case 'lists':
      return join('lists') + query(placeWords(route.place))
    case 'list': {
      const { did, listType, resourceType, statusListName } = route.list
      return join('lists', did, listType, resourceType, statusListName)
    }
    case 'changes':
      return join('changes') + query({ job: route.job })
    case 'unknown':
      return route.address
    case 'keys':
      return join('keys') + query({ ...route.search, ...placeWords(route.place) })
    case 'account':
      return join('account') + query(placeWords(route.place))
    case 'webhooks':
      return join('account', 'webhooks') + query(placeWords(route.place))
    case 'audit':
      return join('account', 'audit') + query({ ...route.search, ...placeWords(route.place) })
    case 'operators':
      return join('operators') + query({ ...route.search, ...placeWords(route.place) })
    case 'health':
      return join('operators', 'health')
    case 'sessions':
      return join('operators', 'sessions') + query(placeWords(route.place))
    case 'credentials':
    case 'events':
      return join(route.page)
  }
}

/** The same for all parts of one page: paging in a table stays on the page. */
export const routePage = (route: Route): string => routeHash(route).split('?')[0] ?? ''

/** The page of an address; without any it is the first page. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.split(/\?(.*)/s)
  const parts = path.replace(/^#\/?/, '').split('/').map(decoded)
  return known(parts, new URLSearchParams(search)) ?? { page: 'unknown', address: hash }
}

function known([first, ...rest]: string[], words: URLSearchParams): Route | undefined {
  const [a, listType, resourceType, statusListName] = rest
  const place = placeIn(words)
  switch (`${first}/${rest.length}`) {
    case '/0':
    case 'dids/0':
      return { page: 'dids', ...searchIn(words, FILTERS.dids), ...(place && { place }) }
    case 'dids/1':
      return a ? { page: 'did', did: a, ...(place && { place }) } : undefined
    case 'lists/0':
      return { page: 'lists', ...(place && { place }) }
    case 'lists/4':
      return a && listType && resourceType && statusListName
        ? { page: 'list', list: { did: a, listType, resourceType, statusListName } }
        : undefined
    case 'keys/0':
      return { page: 'keys', ...searchIn(words, FILTERS.keys), ...(place && { place }) }
    case 'credentials/0':
      return { page: 'credentials' }
    case 'changes/0': {
      const job = words.get('job')
      return { page: 'changes', ...(job && { job }) }
    }
    case 'account/0':
      return { page: 'account', ...(place && { place }) }
    case 'account/1':
      if (a === 'webhooks') return { page: 'webhooks', ...(place && { place }) }
      return a === 'audit'
        ? { page: 'audit', ...searchIn(words, FILTERS.audit), ...(place && { place }) }
        : undefined
    case 'operators/0':
      return { page: 'operators', ...searchIn(words, FILTERS.operators), ...(place && { place }) }
    case 'operators/1':
      if (a === 'sessions') return { page: 'sessions', ...(place && { place }) }
      return a === 'health' ? { page: 'health' } : undefined
    case 'events/0':
      return { page: 'events' }
    default:
      return undefined
  }
}

function searchIn(words: URLSearchParams, names: readonly string[]): { search?: Search } {
  const given = names.flatMap((name) => {
    const word = words.get(name)
    return word ? [[name, word] as const] : []
  })
  return given.length === 0 ? {} : { search: Object.fromEntries(given) }
}

/** A number that is none is the first page. */
function placeIn(words: URLSearchParams): Place | undefined {
  const [number, after] = [Number(words.get('page')), words.get('after')]
  if (after) return { after }
  return Number.isSafeInteger(number) && number > 1 ? { number } : undefined
}

const placeWords = ({ number, after }: Place = {}) => ({
  page: number === undefined ? undefined : String(number),
  after,
})

function query(words: Record<string, string | undefined>): string {
  const given = Object.entries(words).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

const join = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
