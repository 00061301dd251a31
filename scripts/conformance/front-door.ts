import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dns, Party, pemOf } from '../../packages/certificates/src/__tests__/authority.js'

/** The purpose of a certificate: TLS servers. */
const SERVER = '1.3.6.1.5.5.7.3.1'

/** A server on https in front of the service: the suites accept no other scheme, and some send no API key. */
export interface FrontDoor {
  url: string
  /** of its authority, which clients must trust */
  certificate: string
  /** Passes every request on, with the API key. */
  leadTo: (service: { url: string; apiKey: string }) => void
  close: () => void
}

export async function openFrontDoor(): Promise<FrontDoor> {
  const authority = Party.root('Conformance')
  const { der, privateKey } = authority.issue('localhost', {
    names: [dns('localhost')],
    extendedUsages: [SERVER],
  })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  let service: { url: string; apiKey: string } | undefined
  const server = createServer({ key, cert: pemOf(der) }, (from, to) => {
    if (!service) return void to.writeHead(503).end()
    const { method, url = '/', headers } = from
    const options = { method, headers: { ...headers, 'x-api-key': service.apiKey } }
    const onward = request(service.url + url, options, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    onward.on('error', () => to.destroy())
    from.pipe(onward)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate: pemOf(authority.der),
    leadTo: (to) => (service = to),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
