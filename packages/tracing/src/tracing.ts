import {
  log,
  parseOptions,
  type HasLifecycle,
  type Lifecycle,
  type RequestTracer,
  type Span,
  type SpanAttributes,
} from '@vidimus/core-types'
import { destinationOf, Options, type Destination, type TracingOptions } from './options.js'
import type { SdkTracer } from './sdk-tracer.js'

/**
 * Traces of requests in the terms of OpenTelemetry, sent to a collector over OTLP/HTTP. Nothing of the SDK is loaded
 * where no collector is named.
 *
 * What stands here of the variables of OpenTelemetry is what decides whether and to whom traces go. The SDK itself reads
 * those that tune it, such as `OTEL_TRACES_SAMPLER` and `OTEL_BSP_*`.
 */
export class Tracing implements RequestTracer, HasLifecycle {
  readonly lifecycle: Lifecycle = {
    start: () => this.start(),
    stop: () => this.stop(),
  }
  private readonly destination: Destination | undefined
  private tracer: SdkTracer | undefined

  /** @throws AgentError `invalid_configuration` with every problem */
  constructor(options: TracingOptions = {}) {
    this.destination = destinationOf(parseOptions(Options, options))
  }

  begin(
    name: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    attributes: SpanAttributes,
  ): Span | undefined {
    return this.tracer?.begin(name, headers, attributes)
  }

  private async start(): Promise<void> {
    if (!this.destination) return
    const { SdkTracer } = await import('./sdk-tracer.js')
    this.tracer = new SdkTracer(this.destination)
    log('info', 'requests are traced', { host: new URL(this.destination.url).host })
  }

  /** What was traced so far is sent; a collector that is away holds nobody up for long. */
  private async stop(): Promise<void> {
    const { tracer } = this
    this.tracer = undefined
    await tracer?.end()
  }
}
