import type { Network } from '@vidimus/core-types'
import type { DatabaseOptions } from '@vidimus/database'
import type { Client } from '../support/client.js'
import type { Service } from '../support/service.js'

/** Networks in the place of embedded ledgers. */
export interface TestNetworks {
  migrations: DatabaseOptions['migrations'][number]
  /** the payer there */
  payer: string
  /** in ncheq */
  balanceOf(network: Network, address: string): Promise<bigint>
  stop(): Promise<void>
}

export const LIST_TYPES = ['StatusList2021', 'BitstringStatusList', 'TokenStatusList'] as const

export type ListType = (typeof LIST_TYPES)[number]

/** What a further set-up has that one process on a database of its own has not; `agent`: answers read through `/agent`. */
export type Further = 'network' | 'processes' | 'agent'

/** Types of lists differ in their documents, which databases show; what a further set-up has, one type shows. */
const LIST_TYPE_ON: Record<Further, ListType> = {
  network: 'BitstringStatusList',
  processes: 'TokenStatusList',
  agent: 'StatusList2021',
}

/** The foundation of a behavioural suite; the same suites run in every set-up. */
export interface Setup {
  /** the service, for suites that use its command line; started before the first test */
  service: () => Service
  /** a client with the key of account `default` */
  client: () => Client
  /** a client with the key of another account */
  stranger: () => Client
  /** the ledgers are these networks; left out: embedded */
  networks?: () => TestNetworks | undefined
  /** left out: one process on a database of its own */
  further?: Further
  /** the clients are remote agents, which have no forms and other messages for schema errors */
  remote?: true
}

/** Members of a response to a write, sorted by name: on a network one of them is the cost. */
export const membersOf = ({ networks }: Setup, ...others: string[]): string[] =>
  [...others, ...(networks?.() ? ['cost'] : [])].sort()

/** Those of some types of lists that a suite goes through on a set-up. */
export const listTypesOn = ({ further }: Setup, types: readonly ListType[] = LIST_TYPES) =>
  further === undefined ? types : [types.find((type) => type === LIST_TYPE_ON[further]) ?? types[0]!]

/** A test of what no further set-up has a part in, such as the notation of a request. */
export function itOnDatabases({ further }: Setup, title: string, test: () => Promise<void>): void {
  if (further === undefined) it(title, test)
}

/** A test of the very words of the API. */
export function itSays({ remote }: Setup, title: string, test: () => Promise<void>): void {
  if (!remote) it(title, test)
}

let names = 0

/** A valid DID of an existing network that nobody has created. */
export const unknownDid = 'did:cheqd:testnet:7fa85f64-5717-4562-b3fc-2c963f66afa6'

/** A name that no other test uses. */
export const freshName = (kind: string): string => `${kind}-${++names}`

/** A new DID of the client's account. */
export async function createDid(client: Client, body: Record<string, unknown> = {}): Promise<string> {
  const { did } = (await client.ok('POST', '/did/create', { json: { network: 'testnet', ...body } })) as {
    did: string
  }
  return did
}

/** A new, empty status list. @returns its identification in the body of other calls */
export async function createList(
  client: Client,
  options: {
    listType?: string
    statusPurpose?: string | string[]
    body?: Record<string, unknown>
    did?: string
  } = {},
): Promise<{ did: string; statusListName: string }> {
  const { listType = 'BitstringStatusList', statusPurpose = 'revocation', body = {} } = options
  const list = { did: options.did ?? (await createDid(client)), statusListName: freshName('list') }
  await client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType, statusPurpose },
    json: { ...list, ...body },
  })
  return list
}

/** The names of the events about an object in the audit trail of the client's account, the newest first. */
export async function auditedOf(client: Client, subject: string): Promise<string[]> {
  const { entries } = (await client.ok('GET', '/account/audit', { query: { subject } })) as {
    entries: { event: string }[]
  }
  return entries.map(({ event }) => event)
}
