import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { ServedRequest } from '../request/served-request.js'

/** The origin of a request, as far as it is known. */
export interface ClientAddress {
  address: string
  /** the unit that limits count: the address, or the /64 network of an IPv6 subscriber */
  group: string
  /**
   * Whether it distinguishes clients. A loopback or private address does not if no proxies are configured: all clients
   * behind the same proxy share it.
   */
  tellsApart: boolean
}

/** Determines client addresses. */
export class ClientAddresses {
  /** of connections directly from the client */
  private readonly known = new WeakMap<Socket, ClientAddress>()
  private readonly shared = sharedNetworks()

  /** @param behindProxy - whether Express is configured with trusted proxies */
  constructor(private readonly behindProxy: boolean) {}

  of(req: ServedRequest): ClientAddress {
    if (this.behindProxy) return describe(usable(req.ip) ?? peerAddress(req.socket), true)
    const known = this.known.get(req.socket)
    if (known) return known
    const address = peerAddress(req.socket)
    const described = describe(address, !this.shared.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    this.known.set(req.socket, described)
    return described
  }
}

const describe = (address: string, tellsApart: boolean): ClientAddress => ({
  address,
  group: isIPv6(address) ? `${network64(address)}::/64` : address,
  tellsApart,
})

/** A proxy may send arbitrary text. */
const usable = (address: string | undefined) =>
  address !== undefined && isIP(address) !== 0 ? plain(address) : undefined

const peerAddress = (socket: Socket) => usable(socket.remoteAddress) ?? '0.0.0.0'

/** IPv4 addresses mapped to IPv6, and zones of link-local addresses. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** The first four groups of an IPv6 address (RFC 4291 2.2), without leading zeros. */
function network64(address: string): string {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function sharedNetworks(): BlockList {
  const networks = new BlockList()
  for (const [network, prefix] of [
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
    ['100.64.0.0', 10],
    ['0.0.0.0', 8],
  ] as const) {
    networks.addSubnet(network, prefix, 'ipv4')
  }
  networks.addAddress('::1', 'ipv6')
  networks.addSubnet('fc00::', 7, 'ipv6')
  networks.addSubnet('fe80::', 10, 'ipv6')
  return networks
}
