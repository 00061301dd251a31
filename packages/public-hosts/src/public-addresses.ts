import { lookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP } from 'node:net'

/** Addresses that are not of the public internet (RFC 6890 and its IPv6 counterparts). */
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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

/** Whether an address is one of the public internet. */
export const isPublicAddress = ({ address, family }: LookupAddress): boolean =>
  !NOT_PUBLIC.check(address, family === 6 ? 'ipv6' : 'ipv4')

type Callback = (
  error: NodeJS.ErrnoException | null,
  addresses: LookupAddress[] | string,
  family?: number,
) => void

/**
 * A look-up of names that gives public addresses alone. It runs for the very connection that is opened, so that a name
 * cannot mean one address when it is checked and another one when it is used.
 */
export function lookupPublic(hostname: string, options: LookupOptions, callback: Callback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, [])
      return
    }
    const [first, ...others] = addresses.filter(isPublicAddress)
    if (!first) callback(new Error('its host has no public address'), [])
    else if (options.all) callback(null, [first, ...others])
    else callback(null, first.address, first.family)
  })
}

/**
 * As {@link lookupPublic}, for so many names at a time: look-ups take the threads that encryption and compression need as
 * well, and slow ones must not get all of them.
 */
export function publicLookupInTurn(most: number): typeof lookupPublic {
  const waiting: (() => void)[] = []
  let underWay = 0
  return (hostname, options, callback) => {
    const begin = () => {
      underWay += 1
      lookupPublic(hostname, options, (...result) => {
        underWay -= 1
        waiting.shift()?.()
        callback(...result)
      })
    }
    if (underWay < most) begin()
    else waiting.push(begin)
  }
}

/**
 * Refuses a URL whose host is written as an address that is not public: {@link lookupPublic} is not asked for those, as
 * there is no name to look up.
 *
 * @throws Error with a sentence without addresses
 */
export function demandPublicHost({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family !== 0 && !isPublicAddress({ address, family })) throw new Error('its host has no public address')
}
