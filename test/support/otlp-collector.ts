import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  /** 1 internal, 2 server */
  kind: number
  attributes: Record<string, string | number | boolean>
  /** of the status: 0 unset, 2 error */
  status: number
  message: string
}

/** A collector of OpenTelemetry, as far as traces over OTLP/HTTP with protobuf go. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = []
  readonly resources: Record<string, unknown>[] = []
  readonly requests: { path: string; headers: IncomingHttpHeaders; bytes: Buffer }[] = []

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const collector = new OtlpCollector(server, `http://127.0.0.1:${port}`)
    server.on('request', (req, res) => {
      const parts: Buffer[] = []
      req.on('data', (part: Buffer) => parts.push(part))
      req.on('end', () => {
        collector.take(req.url ?? '', req.headers, Buffer.concat(parts))
        res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
      })
    })
    return collector
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve())
      this.server.closeAllConnections()
    })
  }

  /** The steps below a step, by name. */
  childrenOf({ spanId }: CollectedSpan): CollectedSpan[] {
    return this.spans.filter(({ parentSpanId }) => parentSpanId === spanId)
  }

  /** Everything below a step. */
  below(span: CollectedSpan): CollectedSpan[] {
    return this.childrenOf(span).flatMap((child) => [child, ...this.below(child)])
  }

  private take(path: string, headers: IncomingHttpHeaders, bytes: Buffer): void {
    this.requests.push({ path, headers, bytes })
    // opentelemetry/proto/collector/trace/v1/trace_service.proto, trace/v1/trace.proto
    for (const resourceSpans of messages(fieldsOf(bytes), 1)) {
      for (const resource of messages(resourceSpans, 1)) this.resources.push(attributesOf(resource, 1))
      for (const scopeSpans of messages(resourceSpans, 2)) {
        for (const span of messages(scopeSpans, 2)) this.spans.push(spanOf(span))
      }
    }
  }
}

interface Field {
  number: number
  value: bigint | Buffer
}

function spanOf(fields: readonly Field[]): CollectedSpan {
  const [status = []] = messages(fields, 15)
  return {
    traceId: bytesOf(fields, 1).toString('hex'),
    spanId: bytesOf(fields, 2).toString('hex'),
    parentSpanId: bytesOf(fields, 4).toString('hex'),
    name: bytesOf(fields, 5).toString(),
    kind: numberOf(fields, 6),
    attributes: attributesOf(fields, 9),
    status: numberOf(status, 3),
    message: bytesOf(status, 2).toString(),
  }
}

/** opentelemetry/proto/common/v1/common.proto: KeyValue and AnyValue */
const attributesOf = (fields: readonly Field[], number: number) =>
  Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = []] = messages(pair, 2)
      return [bytesOf(pair, 1).toString(), anyOf(value)]
    }),
  )

function anyOf([field]: readonly Field[]): string | number | boolean {
  if (!field) return ''
  const { number, value } = field
  if (Buffer.isBuffer(value)) return number === 4 ? value.readDoubleLE() : value.toString()
  return number === 2 ? value !== 0n : Number(value)
}

const messages = (fields: readonly Field[], number: number): Field[][] =>
  fields.flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [fieldsOf(field.value)] : [],
  )

function bytesOf(fields: readonly Field[], number: number): Buffer {
  const found = fields.find((field) => field.number === number)
  return Buffer.isBuffer(found?.value) ? found.value : Buffer.alloc(0)
}

function numberOf(fields: readonly Field[], number: number): number {
  const found = fields.find((field) => field.number === number)
  return typeof found?.value === 'bigint' ? Number(found.value) : 0
}

/** https://protobuf.dev/programming-guides/encoding/ */
function fieldsOf(bytes: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a field goes beyond its message')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const wire = tag & 7
    if (![0, 1, 2, 5].includes(wire)) throw new Error(`wire type ${wire}`)
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()))
    fields.push({ number: tag >> 3, value })
  }
  return fields
}
