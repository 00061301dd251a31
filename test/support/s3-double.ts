import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** An object as it is kept. */
export interface KeptObject {
  body: Buffer
  etag: string
  headers: Record<string, string>
}

/** What is kept of a request besides the body, and given back with it. */
const KEPT = /^(content-type|cache-control|content-encoding|x-amz-meta-.+)$/

/**
 * A store that answers as the published API of Amazon S3 says, as far as objects of one bucket are put, read and deleted, with
 * path-style addresses and the conditions `If-Match` and `If-None-Match`. Signatures must be there, and are not checked.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export class S3Double {
  readonly objects = new Map<string, KeptObject>()
  /** of every request, such as `PUT status-lists/x` */
  readonly asked: string[] = []
  /** every version of an object that was there, in its order */
  readonly history = new Map<string, Buffer[]>()
  /** answers 503 to so many requests that come next */
  failing = 0
  /** drops the connections of so many writes that come next, once they are done */
  dropping = 0
  /** as stores of before do */
  ignoresConditions = false
  /** called before a write is looked at */
  beforeWrite: ((key: string) => Promise<void>) | undefined

  private constructor(
    private readonly server: Server,
    readonly bucket: string,
    readonly url: string,
  ) {}

  static async start(bucket = 'published'): Promise<S3Double> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const double = new S3Double(server, bucket, `http://127.0.0.1:${port}`)
    server.on('request', (req, res) => {
      double.answer(req, res).catch((error: unknown) => {
        res.writeHead(500).end(String(error))
      })
    })
    return double
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of req) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const [, bucket, ...steps] = new URL(req.url ?? '/', this.url).pathname.split('/')
    const key = steps.map(decodeURIComponent).join('/')
    const { method = '' } = req
    this.asked.push(`${method} ${key}`)
    if (this.failing > 0) {
      this.failing -= 1
      return refuse(res, 503, 'SlowDown')
    }
    if (!req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return refuse(res, 403, 'AccessDenied')
    if (bucket !== this.bucket) return refuse(res, 404, 'NoSuchBucket')
    if (method === 'PUT') return this.put(key, body, req, res)
    if (method === 'DELETE') {
      this.objects.delete(key)
      return void res.writeHead(204).end()
    }
    if (method === 'GET' && key === '') return this.list(new URL(req.url ?? '/', this.url).searchParams, res)
    const found = this.objects.get(key)
    if (!found) return refuse(res, 404, 'NoSuchKey')
    res.writeHead(200, { ...found.headers, etag: found.etag, 'content-length': found.body.length })
    res.end(method === 'HEAD' ? undefined : found.body)
  }

  /** Two keys or folders a page. @see ListObjectsV2 */
  private list(asked: URLSearchParams, res: ServerResponse): void {
    const prefix = asked.get('prefix') ?? ''
    const delimiter = asked.get('delimiter')
    const steps = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length)
        return end < 0 ? key : key.slice(0, end + 1)
      })
    const all = [...new Set(steps)].sort()
    const after = asked.get('continuation-token') ?? ''
    const rest = all.filter((one) => one > after)
    const page = rest.slice(0, 2)
    const isMore = rest.length > page.length
    const entries = page.map((one) =>
      delimiter !== null && one.endsWith(delimiter)
        ? `<CommonPrefixes><Prefix>${one}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${one}</Key></Contents>`,
    )
    const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    const xml = `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`
    res.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
  }

  private async put(key: string, body: Buffer, req: IncomingMessage, res: ServerResponse): Promise<void> {
    await this.beforeWrite?.(key)
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = req.headers
    const checksum = req.headers['x-amz-checksum-sha256']
    if (checksum !== createHash('sha256').update(body).digest('base64')) return refuse(res, 400, 'BadDigest')
    const there = this.objects.get(key)
    if (!this.ignoresConditions) {
      if (ifMatch !== undefined && !there) return refuse(res, 404, 'NoSuchKey')
      if (ifMatch !== undefined && there?.etag !== ifMatch) return refuse(res, 412, 'PreconditionFailed')
      if (ifNoneMatch === '*' && there) return refuse(res, 412, 'PreconditionFailed')
    }
    const headers = Object.entries(req.headers).filter(([name]) => KEPT.test(name))
    const etag = `"${createHash('md5').update(body).update(randomUUID()).digest('hex')}"`
    this.objects.set(key, { body, etag, headers: Object.fromEntries(headers) as Record<string, string> })
    this.history.set(key, [...(this.history.get(key) ?? []), body])
    if (this.dropping-- > 0) return void req.socket.destroy()
    res.writeHead(200, { etag }).end()
  }
}

function refuse(res: ServerResponse, status: number, code: string): void {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`
  res
    .writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(xml) })
    .end(xml)
}
