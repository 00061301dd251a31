import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AgentError } from '@vidimus/core-types'
import { malformedBody } from './malformed-body.js'

/** The client went away while it was sending: there is nobody left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Reads a body of bounded length as UTF-8.
 *
 * @param maxBytes - inclusive
 * @throws AgentError `body_too_large` before more than the limit is kept, `malformed_body` for what is not UTF-8
 * @throws ClientGone
 */
export async function readBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<string> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  // Only now, so that a client that asked first does not send what would be refused (RFC 9110 10.1.1).
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
  return decodeUtf8(await readBytes(req, maxBytes))
}

function readBytes(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = (finish: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      finish()
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else settle(() => reject(tooLarge(maxBytes)))
    }
    const onEnd = () =>
      settle(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    const onGone = () => settle(() => reject(new ClientGone('the client went away while it was sending')))
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformedBody('', 'is not valid UTF-8')
  return bytes.toString('utf8')
}

const tooLarge = (maxBytes: number) =>
  new AgentError('body_too_large', `the body is larger than the limit of ${maxBytes} bytes`)
