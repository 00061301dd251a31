import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as SdkSpan,
  type Tracer,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { log, type RequestTracer, type Span, type SpanAttributes } from '@vidimus/core-types'

/** The destination of traces. */
export interface Destination {
  url: string
  headers: Record<string, string>
  /** default: from `OTEL_RESOURCE_ATTRIBUTES`, or `vidimus` */
  serviceName?: string
}

/** How long the end waits for a collector. */
const PATIENCE_MS = 3000

const propagator = new W3CTraceContextPropagator()

/** The SDK of OpenTelemetry. Nothing of it is registered for the whole process: the tracer is passed to its users. */
export class SdkTracer implements RequestTracer {
  private readonly provider: BasicTracerProvider
  private readonly tracer: Tracer

  constructor({ url, headers, serviceName }: Destination) {
    // Failures of sending are logged here; they name the collector, and no span.
    setGlobalErrorHandler((error) => {
      log('warn', 'traces could not be sent', {}, error)
    })
    const named = serviceName === undefined ? {} : { 'service.name': serviceName }
    this.provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': 'vidimus' }))
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes(named)),
      spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, headers }))],
    })
    this.tracer = this.provider.getTracer('vidimus')
  }

  begin(
    name: string,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    attributes: SpanAttributes,
  ): Span {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    return new TracedStep(
      this.tracer,
      this.tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent),
    )
  }

  /** Sends finished spans, unless the collector takes too long. */
  async end(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    const sent = this.provider.shutdown().catch((error: unknown) => {
      log('warn', 'the last traces could not be sent', {}, error)
    })
    await Promise.race([sent, late])
    clearTimeout(timer)
  }
}

class TracedStep implements Span {
  readonly traceId: string
  private readonly context: Context

  constructor(
    private readonly tracer: Tracer,
    private readonly span: SdkSpan,
  ) {
    this.traceId = span.spanContext().traceId
    this.context = trace.setSpan(ROOT_CONTEXT, span)
  }

  get headers(): Record<string, string> {
    const headers: Record<string, string> = {}
    propagator.inject(this.context, headers, defaultTextMapSetter)
    return headers
  }

  begin(name: string, attributes: SpanAttributes = {}): Span {
    return new TracedStep(this.tracer, this.tracer.startSpan(name, { attributes }, this.context))
  }

  describe(attributes: SpanAttributes, name?: string): void {
    this.span.setAttributes(attributes)
    if (name !== undefined) this.span.updateName(name)
  }

  end(failure?: unknown): void {
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failureKind(failure))
      // Its message may repeat a caller's input.
      this.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.span.end()
  }
}

/** The code of an error, or its name. */
function failureKind(failure: unknown): string {
  if (!(failure instanceof Error)) return typeof failure
  return 'code' in failure && typeof failure.code === 'string' ? failure.code : failure.name
}
