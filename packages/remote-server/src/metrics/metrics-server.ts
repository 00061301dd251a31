import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { metricsAccess } from './metrics-access.js'

export const METRICS_PATH = '/metrics'

/** The media type of the text format, version 0.0.4. */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8'

const TIMEOUT_MS = 10_000
/** One connection for Prometheus, and one for a person. */
const MOST_CONNECTIONS = 50

/** A server for metrics only, on a port that need not be reachable by API clients. */
export function metricsServer(text: () => Promise<string>, token: string | undefined): Server {
  const mayRead = metricsAccess(token)
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [path] = (req.url ?? '').split('?')
    if (path !== METRICS_PATH) return refuse(res, 404, `metrics are at ${METRICS_PATH}`)
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(res, 405, 'takes GET, HEAD')
    if (!mayRead(req.headers)) return refuse(res, 401, 'the token of the metrics is missing or wrong')
    res.writeHead(200, HEADERS).end(await text())
  }
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (req, res) => {
    answer(req, res).catch(() => refuse(res, 500, 'the metrics could not be read'))
  })
  server.maxConnections = MOST_CONNECTIONS
  return server
}

export const HEADERS = {
  'content-type': TEXT_FORMAT,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

function refuse(res: ServerResponse, status: number, sentence: string): void {
  if (status === 401) res.setHeader('www-authenticate', 'Bearer realm="metrics"')
  if (status === 405) res.setHeader('allow', 'GET, HEAD')
  res.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`)
}
