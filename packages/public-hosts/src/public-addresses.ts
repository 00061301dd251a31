import type { LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'

/** Addresses that are not of the public internet (RFC 6890 and its IPv6 counterparts). */
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's own services, which every virtual machine there reaches
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 96],
  // addresses of IPv4 behind a translator (RFC 2765)
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')
}

/**
 * The message for a host that was not contacted, for any reason: callers must not learn which hosts are in the
 * internal network.
 */
export const NOT_REACHED = 'its host cannot be reached, or has no public address'

/** Whether an address is public. */
export const isPublicAddress = ({ address, family }: LookupAddress): boolean =>
  !NOT_PUBLIC.check(address, family === 6 ? 'ipv6' : 'ipv4')

/**
 * Refuses a URL whose host is a non-public address: for these there is no look-up, as there is no name.
 *
 * @throws Error with a sentence without addresses
 */
export function demandPublicHost({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family !== 0 && !isPublicAddress({ address, family })) throw new Error(NOT_REACHED)
}
