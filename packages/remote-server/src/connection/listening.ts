import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentError, type ErrorCode } from '@vidimus/core-types'

const SWEEP_MS = 20

/** Where to listen. */
export interface Place {
  host: string
  port: number
  /** the options that set it, for an error */
  options: { host: string; port: string; variable: string }
}

/** @throws AgentError `unavailable` if the port is in use, `invalid_configuration` if it cannot be used at all */
export async function listening(server: Server, place: Place): Promise<void> {
  const { host, port } = place
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    throw cannotListen(error, place)
  }
}

function cannotListen(cause: unknown, { host, port, options }: Place): AgentError {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
  const at = `port ${port} of ${host}`
  const failed = (code: ErrorCode, path: string, message: string) =>
    new AgentError(code, message, { cause, ...(path !== '' && { details: [{ path, message }] }) })
  if (reason === 'EADDRINUSE') {
    return failed(
      'unavailable',
      '',
      `${at} is in use by another process: stop it, or choose another port (${options.variable})`,
    )
  }
  if (reason === 'EACCES') {
    return failed(
      'invalid_configuration',
      options.port,
      `${at} may not be used by this user: choose 1024 or higher`,
    )
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(reason)) {
    return failed(
      'invalid_configuration',
      options.host,
      `${host} is not an address of this machine (${reason})`,
    )
  }
  return failed('unavailable', '', `cannot listen on ${at} (${reason})`)
}

/** Stops accepting connections, lets requests finish within the grace period, then closes the remaining connections. */
export function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    // A connection that was busy when the server closed would be kept alive after its response.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })
}

export function listeningUrl(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo
  const host = family === 'IPv6' ? `[${address}]` : address
  return `http://${host}:${port}`
}
