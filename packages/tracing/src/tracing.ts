import {
  AgentError,
  log,
  parseOptions,
  type HasLifecycle,
  type Lifecycle,
  type RequestTracer,
  type Span,
  type SpanAttributes,
} from '@vidimus/core-types'
import { configuredDestination, Options, type Destination, type TracingOptions } from './options.js'

// No literal in import(): the compiler must not look for a package that may be missing.
const SDK = ['@vidimus/tracing-otlp'].join()

interface SdkTracer extends RequestTracer {
  end(): Promise<void>
}

/**
 * Traces of requests in the terms of OpenTelemetry, sent to a collector over OTLP/HTTP. Without a collector nothing
 * of the SDK is loaded.
 *
 * The variables of OpenTelemetry read here decide whether and where traces are sent. The SDK itself reads those that
 * tune it, such as `OTEL_TRACES_SAMPLER` and `OTEL_BSP_*`.
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
    this.destination = configuredDestination(parseOptions(Options, options))
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
    this.tracer = await sdkTracer(this.destination)
    log('info', 'requests are traced', { host: new URL(this.destination.url).host })
  }

  /** Sends the spans so far; waits only briefly for a collector that is away. */
  private async stop(): Promise<void> {
    const { tracer } = this
    this.tracer = undefined
    await tracer?.end()
  }
}

/** @throws AgentError `invalid_configuration` if it is not installed */
async function sdkTracer(destination: Destination): Promise<SdkTracer> {
  try {
    const { SdkTracer } = (await import(SDK)) as { SdkTracer: new (to: Destination) => SdkTracer }
    return new SdkTracer(destination)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new AgentError(
      'invalid_configuration',
      `traces need the package ${SDK}, which is not installed: npm install ${SDK}`,
      { cause },
    )
  }
}
