/** One problem of a request. */
export interface ApiProblem {
  /** its place: `indices[2]`; `''` for the whole */
  path: string
  message: string
}

/** The details of a failed call. */
export interface ApiFailure {
  code: string
  status?: number | undefined
  requestId?: string | undefined
  details?: readonly ApiProblem[] | undefined
  retryAfterSeconds?: number | undefined
  cause?: unknown
}

/**
 * An unsuccessful call. Its message is the service's own sentence. It never contains what was sent: neither the API
 * key nor a body.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /**
   * Stable, for programs: one of docs/errors.md, an error of DID resolution such as `notFound`, `http_<status>` if
   * the response names none, `unreachable` if there was no response, `malformed_answer` if it is not of its declared
   * type.
   */
  readonly code: string
  /** HTTP status; undefined if there was no response */
  readonly status: number | undefined
  /** under which the service's log knows the request */
  readonly requestId: string | undefined
  /** all problems of the request, as far as the service reports them */
  readonly details: readonly ApiProblem[]
  /** seconds after which the service wants to be asked again */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, { code, status, requestId, details, retryAfterSeconds, cause }: ApiFailure) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.details = details ?? []
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The error in an unsuccessful response, in any form of the API. */
export async function errorOfAnswer(response: Response): Promise<ApiError> {
  const { status, headers } = response
  const body = parseObject(await response.text().catch(() => ''))
  const resolution =
    objectMember(body, 'didResolutionMetadata') ?? objectMember(body, 'dereferencingMetadata')
  const message =
    nonEmptyText(body.error) ?? nonEmptyText(resolution?.message) ?? `the service responded with ${status}`
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return new ApiError(message, {
    code: nonEmptyText(body.code) ?? nonEmptyText(resolution?.error) ?? `http_${status}`,
    status,
    requestId: nonEmptyText(body.requestId) ?? headers.get('x-request-id') ?? undefined,
    details: Array.isArray(body.details) ? body.details.filter(isProblem) : [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

type Members = Record<string, unknown>

function parseObject(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function objectMember(body: Members, name: string): Members | undefined {
  const value = body[name]
  return isObject(value) ? value : undefined
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const isProblem = (value: unknown): value is ApiProblem =>
  isObject(value) && typeof value.path === 'string' && typeof value.message === 'string'
