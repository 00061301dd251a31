import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { demandPublicHost, NOT_REACHED, type HostLookup } from '@vidimus/public-hosts'

export interface PostLimits {
  /** for the whole of it, in milliseconds */
  timeoutMs: number
  allowPrivateAddresses: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string | undefined
}

/** Looks up the names of hosts if private addresses are not allowed. */
export type PublicLookup = HostLookup

export interface Message {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** The outcome of a message. */
export type PostOutcome =
  { status: number } | { reason: string } | /** by the caller, which did not wait for the end */ 'aborted'

/**
 * Posts JSON to an untrusted host: follows no redirect, keeps no connection, and reads only the status of the
 * response. Never rejects.
 */
export async function postMessage(
  message: Message,
  limits: PostLimits,
  lookup: PublicLookup,
  abort: AbortSignal,
): Promise<PostOutcome> {
  const late = AbortSignal.timeout(limits.timeoutMs)
  try {
    return { status: await send(message, limits, lookup, AbortSignal.any([abort, late])) }
  } catch (error) {
    if (abort.aborted) return 'aborted'
    if (late.aborted) return { reason: `its host did not respond within ${limits.timeoutMs} ms` }
    return { reason: failureSentence(error) }
  }
}

function send(
  { url: text, headers, body }: Message,
  { allowPrivateAddresses, certificateAuthorities: ca }: PostLimits,
  lookup: PublicLookup,
  signal: AbortSignal,
): Promise<number> {
  const url = new URL(text)
  if (!allowPrivateAddresses) demandPublicHost(url)
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    }
    const options = {
      method: 'POST',
      signal,
      // Connections are not kept, so that the next one is looked up and checked again.
      agent: false,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'vidimus-webhooks',
      },
      ...(!allowPrivateAddresses && { lookup }),
      ...(ca !== undefined && { ca }),
    }
    open(url, options, answered).on('error', reject).end(body)
  })
}

/** Our own messages, as those of the system contain addresses. */
function failureSentence(error: unknown): string {
  if (!(error instanceof Error)) return 'its host cannot be reached'
  if (error.message.startsWith('its ')) return error.message
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|VERIFY/.test(code)) {
    return `its certificate was rejected (${code})`
  }
  if (code === 'ENOTFOUND') return NOT_REACHED
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
    ? `its host cannot be reached (${code})`
    : 'its host cannot be reached'
}
