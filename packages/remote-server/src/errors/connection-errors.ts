import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { AgentError, type ErrorCode } from '@vidimus/core-types'
import { isStreaming } from '../input/streamed-body.js'
import { cutSoon } from '../input/unread-body.js'
import { errorBody } from './error-body.js'

type Refusal = readonly [statusLine: string, code: ErrorCode, sentence: string]

const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'headers_too_large',
    'the headers of the request are too long',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout', 'the request did not arrive in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Content Too Large',
    'body_too_large',
    'the chunk extensions are too long',
  ],
}
const MALFORMED: Refusal = ['400 Bad Request', 'invalid_input', 'the request is not valid HTTP/1.1']

/** Answers malformed requests below HTTP parsing, in the usual error format. */
export function answerConnectionErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return
    refuse(socket, REFUSALS[error.code ?? ''] ?? MALFORMED)
  })
  server.on('connect', (_request, socket) => {
    refuse(socket, ['405 Method Not Allowed', 'method_not_allowed', 'the service is not a proxy'])
  })
}

function refuse(socket: Duplex, [statusLine, code, sentence]: Refusal): void {
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(new AgentError(code, sentence), requestId))
  socket.end(
    [
      `HTTP/1.1 ${statusLine}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${requestId}`,
      '',
      body,
    ].join('\r\n'),
  )
  cutSoon(socket)
}
