import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { ServedRequest } from '../request/served-request.js'

/** Where a request comes from, as far as that is known. */
export interface ClientAddress {
  address: string
  /** who is counted as one: the address, or the network of 64 bits that one subscriber of IPv6 has */
  group: string
  /**
   * Whether it tells clients apart. The address of this machine or of a private network does not, where nothing is
   * known of proxies: everybody who comes through the same proxy has it.
   */
  tellsApart: boolean
}

/** Finds addresses of clients. */
export class ClientAddresses {
  /** of connections whose peer is the client */
  private readonly known = new WeakMap<Socket, ClientAddress>()
  private readonly shared = sharedNetworks()

  /** @param behindProxy - whether Express was told which proxies to believe */
  constructor(private readonly behindProxy: boolean) {}

  of(req: ServedRequest): ClientAddress {
    if (this.behindProxy) return describe(usable(req.ip) ?? peerOf(req.socket), true)
    const known = this.known.get(req.socket)
    if (known) return known
    const address = peerOf(req.socket)
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

/** What a proxy says can be anything. */
const usable = (address: string | undefined) =>
  address !== undefined && isIP(address) !== 0 ? plain(address) : undefined

const peerOf = (socket: Socket) => usable(socket.remoteAddress) ?? '0.0.0.0'

/** IPv4 as a socket of IPv6 shows it, and zones of link-local addresses. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')

/** The first four groups of an address of IPv6 (RFC 4291 2.2), without leading zeros. */
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
