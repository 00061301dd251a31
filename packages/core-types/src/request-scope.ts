import { AsyncLocalStorage } from 'node:async_hooks'

/** Attributes of a span, named as in OpenTelemetry's semantic conventions. No secrets, no bodies. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A step of a request that is traced. */
export interface Span {
  /** 32 hex digits */
  readonly traceId: string
  /** the headers that let another service continue this trace (W3C Trace Context) */
  readonly headers: Readonly<Record<string, string>>
  /** Begins a step of this step. */
  begin(name: string, attributes?: SpanAttributes): Span
  /** Adds attributes that became known on the way. */
  describe(attributes: SpanAttributes, name?: string): void
  /** @param failure - why it failed; only the kind of an error is recorded */
  end(failure?: unknown): void
}

/** Begins traces. */
export interface RequestTracer {
  /**
   * @param headers - of the request; its `traceparent` and `tracestate` are continued
   * @returns `undefined` if nothing is traced
   */
  begin(
    name: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    attributes: SpanAttributes,
  ): Span | undefined
}

/** The request that something is done for. */
export interface RequestScope {
  readonly requestId: string
  /** absent: it is not traced */
  readonly span?: Span | undefined
  /** aborts when nobody waits for the response any more; absent: the work is finished anyway */
  readonly gone?: AbortSignal | undefined
  /** What parts of the service note while they work for the request, each under an object of its own. */
  readonly notes: Map<object, unknown>
}

const scope = new AsyncLocalStorage<RequestScope | undefined>()

/** Runs `work` for a request: everything that it awaits, however deep, knows the request. */
export const runInRequest = <T>(request: Omit<RequestScope, 'notes'>, work: () => T): T =>
  scope.run({ ...request, notes: new Map() }, work)

/** As it is while the process starts: no account, no request, no trace, no unit of work. */
const atTheStart = AsyncLocalStorage.snapshot()

/**
 * Runs work that outlives the request that starts it: timers, queues, background passes. It has neither the account
 * nor the API key of that request.
 */
export const outsideOfRequests = <T>(work: () => T): T => atTheStart(work)

/** The request that this is done for; `undefined` outside of any. */
export const currentRequest = (): RequestScope | undefined => scope.getStore()

/** The receiver of a response, while it waits for it. */
export interface Wanted {
  readonly isOver: boolean
  /** aborts when nobody waits for the response any more */
  readonly gone: AbortSignal
}

/**
 * Runs `work` so that it is cancelled when nobody waits for its response: it changes nothing, so nothing is left
 * half-done.
 */
export function runWhileWanted<T>(life: Pick<Wanted, 'gone'>, work: () => T): T {
  const request = scope.getStore()
  if (!request) return work()
  const { requestId, span, notes } = request
  // A signal is expensive and rarely needed: only by code that waits for something.
  return scope.run(
    {
      requestId,
      span,
      notes,
      get gone() {
        return life.gone
      },
    },
    work,
  )
}

/**
 * Runs work that several requests wait for: it continues even if one of them is cancelled, and relies on nothing that
 * the first one noted before the others began.
 */
export function whoeverWaits<T>(work: () => T): T {
  const request = scope.getStore()
  return request ? scope.run({ ...request, gone: undefined, notes: new Map() }, work) : work()
}

/** Ends the work of a cancellable request that nobody waits for. @throws the reason of its signal */
export const demandCaller = (): void => scope.getStore()?.gone?.throwIfAborted()

/** Work for the present request, in its account, whoever calls it. */
export const forThisRequest = <Args extends unknown[], T>(
  work: (...args: Args) => T,
): ((...args: Args) => T) => AsyncLocalStorage.bind(work)

/** Runs `work` as a step of the present request's trace. Without tracing this costs one look-up. */
export function inSpan<T>(
  name: string,
  attributes: SpanAttributes | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const request = scope.getStore()
  return request?.span ? traced({ ...request, span: request.span.begin(name, attributes) }, work) : work()
}

async function traced<T>(request: RequestScope & { span: Span }, work: () => Promise<T>): Promise<T> {
  try {
    const result = await scope.run(request, work)
    request.span.end()
    return result
  } catch (error) {
    request.span.end(error)
    throw error
  }
}
