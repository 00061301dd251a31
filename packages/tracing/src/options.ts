import { isHttpUrl } from '@vidimus/core-types'
import { z } from 'zod'

const HttpUrl = z.string().refine(isHttpUrl, 'must be an http or https URL')

/** From an environment variable everything arrives as text; an empty one counts as not set (OpenTelemetry has it so). */
const orEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

const Name = z.string('must be text').max(1000)

/** `name=value,name=value` with percent-encoded values (W3C Baggage), as `OTEL_EXPORTER_OTLP_HEADERS` has it. */
const Headers = z.string('must be text').transform((text, context) => {
  const headers: Record<string, string> = {}
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    const value = decoded(pair.slice(at + 1).trim())
    if (at < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === undefined) {
      context.addIssue({ code: 'custom', message: 'must be name=value pairs with commas between them' })
      return z.NEVER
    }
    headers[name] = value
  }
  return headers
})

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    // No line end: it would end the header.
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const Options = z.strictObject({
  endpoint: orEmpty(HttpUrl),
  tracesEndpoint: orEmpty(HttpUrl),
  exporter: orEmpty(
    z.enum(['otlp', 'none'], 'must be otlp or none: traces are sent over OTLP/HTTP, or not at all'),
  ),
  protocol: orEmpty(z.literal('http/protobuf', 'must be http/protobuf: nothing else is spoken')),
  headers: orEmpty(Headers),
  serviceName: orEmpty(Name),
  disabled: z.preprocess(
    // As OpenTelemetry has it: whatever is not "true" is false.
    (value) => value === true || (typeof value === 'string' && value.toLowerCase() === 'true'),
    z.boolean(),
  ),
})

/** The values of OpenTelemetry's variables, each under its own name; `null` if one is not set. */
export interface TracingOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`: the base URL of a collector, to which `/v1/traces` is added */
  endpoint?: string | null
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`: the full URL for traces */
  tracesEndpoint?: string | null
  /** `OTEL_TRACES_EXPORTER`: `otlp` or `none`; default: `otlp` if there is an endpoint, otherwise `none` */
  exporter?: string | null
  /** `OTEL_EXPORTER_OTLP_PROTOCOL`: only `http/protobuf` */
  protocol?: string | null
  /** `OTEL_EXPORTER_OTLP_HEADERS`: `name=value,name=value`, sent to the collector; may hold a secret */
  headers?: string | null
  /** `OTEL_SERVICE_NAME`; default `vidimus` */
  serviceName?: string | null
  /** `OTEL_SDK_DISABLED`: `true` disables traces whatever the others say */
  disabled?: boolean | string | null
}

/** The destination of traces. */
export interface Destination {
  url: string
  headers: Record<string, string>
  /** default: from `OTEL_RESOURCE_ATTRIBUTES`, or `vidimus` */
  serviceName?: string
}

const STANDARD_ENDPOINT = 'http://localhost:4318'

/** @returns `undefined` if tracing is off */
export function configuredDestination(settings: z.output<typeof Options>): Destination | undefined {
  const { endpoint, tracesEndpoint, exporter, headers = {}, serviceName, disabled } = settings
  const isWanted = exporter === 'otlp' || endpoint !== undefined || tracesEndpoint !== undefined
  if (disabled || exporter === 'none' || !isWanted) return undefined
  const base = (endpoint ?? STANDARD_ENDPOINT).replace(/\/+$/, '')
  const url = tracesEndpoint ?? `${base}/v1/traces`
  return { url, headers, ...(serviceName !== undefined && { serviceName }) }
}
