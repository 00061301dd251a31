import createFetchClient, { type FetchResponse, type MaybeOptionalInit, type ParseAs } from 'openapi-fetch'
import type { MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import { ApiError, errorOfAnswer } from './api-error.js'
import type { paths } from './api-types.js'

type Method = 'get' | 'post' | 'delete'

/** The paths of the API that take a method. */
export type PathOf<M extends Method> = PathsWithMethod<paths, M>

/** The result of a successful call. */
export type AnswerOf<P extends keyof paths, M extends Method, Init = object> =
  paths[P] extends Record<M, infer Operation extends Record<string, unknown>>
    ? NonNullable<FetchResponse<Operation, Init, MediaType>['data']>
    : never

/** Optional if it has no required members. */
type InitParam<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init]

/**
 * Calls an operation: its path as the API document has it, `params` (`query`, `path`, `header`) and `body`.
 *
 * @throws {@link ApiError}; what `signal` is aborted with
 */
export type Call<M extends Method> = <P extends PathOf<M>, As extends ParseAs = 'json'>(
  path: P,
  // Not inferred from the argument: only then are unknown names type errors.
  ...init: InitParam<MaybeOptionalInit<paths[P], M> & { parseAs?: As }>
) => Promise<AnswerOf<P, M, { parseAs: As }>>

/** The operations of a service. */
export interface Client {
  get: Call<'get'>
  post: Call<'post'>
  delete: Call<'delete'>
}

export interface ClientOptions {
  /** the address of the service: an absolute http or https URL, possibly with a path */
  url: string
  /** absent: only public operations; `session`: in a page of the service, the session of its cookie */
  apiKey?: string | undefined
  /** in place of the platform's own */
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

/** The characters that an HTTP header can contain: others would make `fetch` throw an error that shows the key. */
const HEADER_TEXT = /^[\x21-\x7e]+$/

/**
 * A typed client of the REST API, for Node.js 20 and later, and for browsers. It keeps no connection and no state.
 *
 * @throws TypeError if the address or the API key is invalid; without the key
 */
export function createClient({ url, apiKey, fetch }: ClientOptions): Client {
  if (apiKey !== undefined && !HEADER_TEXT.test(apiKey)) {
    throw new TypeError('apiKey: must be a string without spaces or line breaks')
  }
  const inner = createFetchClient<paths>({
    baseUrl: baseUrl(url),
    fetch: (request) => reachable(request, fetch),
    headers: credentialHeader(apiKey),
  })
  inner.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await errorOfAnswer(response)
    },
  })
  // The types of each call are its own; in here all are the same.
  const request = inner.request as (method: Method, path: string, init: object) => Promise<FetchedAnswer>
  const caller =
    (method: Method) =>
    async (path: string, init: object = {}) => {
      const { data, response } = await request(method, path, { parseAs: 'stream', ...init })
      return 'parseAs' in init ? data : readContent(response)
    }
  return {
    get: caller('get') as Call<'get'>,
    post: caller('post') as Call<'post'>,
    delete: caller('delete') as Call<'delete'>,
  }
}

/** On a redirect to another host, fetch drops `authorization` only; that a cookie counts says `x-api-key` only. */
function credentialHeader(apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {}
  return apiKey === 'session' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }
}

interface FetchedAnswer {
  data?: unknown
  response: Response
}

/** JSON as its value, everything else, such as a list that is a JWT, as text. */
async function readContent(response: Response): Promise<unknown> {
  const text = await response.text()
  const type = response.headers.get('content-type')?.split(';', 1)[0] ?? ''
  if (text === '' || !/[/+]json$/.test(type)) return text
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new ApiError('the response is not JSON, although its content type says so', {
      code: 'malformed_answer',
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      cause,
    })
  }
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('url: must be an absolute http or https URL')
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError('url: must not have a user, a password, a query or a fragment')
  }
  return url.href.replace(/\/+$/, '')
}

async function reachable(request: Request, fetch: ClientOptions['fetch']): Promise<Response> {
  try {
    return await (fetch ?? globalThis.fetch)(request)
  } catch (cause) {
    if (request.signal.aborted) throw cause
    const { origin } = new URL(request.url)
    throw new ApiError(`${origin} cannot be reached`, { code: 'unreachable', cause })
  }
}
