import { AsyncLocalStorage } from 'node:async_hooks'

/** What may be told of a span: names as OpenTelemetry's semantic conventions have them. No secrets, no bodies. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A step of a request that is traced. */
export interface Span {
  /** 32 hex digits */
  readonly traceId: string
  /** the headers that let another service go on with this trace (W3C Trace Context) */
  readonly headers: Readonly<Record<string, string>>
  /** Begins a step of this step. */
  begin(name: string, attributes?: SpanAttributes): Span
  /** Tells what was found out on the way. */
  describe(attributes: SpanAttributes, name?: string): void
  /** @param failure - why it failed; of an error only its kind is told */
  end(failure?: unknown): void
}

/** Begins traces. */
export interface RequestTracer {
  /**
   * @param headers - of the request; its `traceparent` and `tracestate` are gone on with
   * @returns `undefined` where nothing is traced
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
  /** left out: it is not traced */
  readonly span?: Span | undefined
  /** aborts when nobody waits for the answer any more; left out: what was begun is finished all the same */
  readonly gone?: AbortSignal | undefined
}

const scope = new AsyncLocalStorage<RequestScope | undefined>()

/** Runs `work` for a request: everything that it awaits, however deep, knows which one. */
export const runInRequest = <T>(request: RequestScope, work: () => T): T => scope.run(request, work)

/** As it is while the process starts: no account, no request, no trace, no unit of work. */
const atTheStart = AsyncLocalStorage.snapshot()

/**
 * Runs what outlives the request that happens to begin it: timers, queues, passes in the background. It has neither the
 * account nor the API key of that request, whatever they are kept in.
 */
export const outsideOfRequests = <T>(work: () => T): T => atTheStart(work)

/** The request that this is done for; `undefined` outside of any. */
export const currentRequest = (): RequestScope | undefined => scope.getStore()

/** Whom an answer is for, as long as somebody waits for it. */
export interface Wanted {
  readonly isOver: boolean
  /** aborts when nobody waits for the answer any more */
  readonly gone: AbortSignal
}

/**
 * Runs `work` as something that is given up where nobody waits for its answer: it changes nothing, so that nothing is left
 * half-done.
 */
export function runWhileWanted<T>(life: Pick<Wanted, 'gone'>, work: () => T): T {
  const request = scope.getStore()
  if (!request) return work()
  const { requestId, span } = request
  // A signal costs much, and is asked for by few: by whoever waits for something.
  return scope.run(
    {
      requestId,
      span,
      get gone() {
        return life.gone
      },
    },
    work,
  )
}

/** Runs what several requests wait for: it goes on although one of them is given up. */
export function whoeverWaits<T>(work: () => T): T {
  const request = scope.getStore()
  return request?.gone ? scope.run({ ...request, gone: undefined }, work) : work()
}

/** Ends what is done for a request that may be given up, and that nobody waits for. @throws the reason of its signal */
export const demandCaller = (): void => scope.getStore()?.gone?.throwIfAborted()

/** Work that is done for the present request, and in its account, whoever calls it. */
export const forThisRequest = <Args extends unknown[], T>(
  work: (...args: Args) => T,
): ((...args: Args) => T) => AsyncLocalStorage.bind(work)

/** Does `work` as a step of the present request's trace. Where nothing is traced that costs one look-up. */
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
