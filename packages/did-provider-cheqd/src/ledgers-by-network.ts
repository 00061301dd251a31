import { AgentError, NETWORKS, type Network } from '@vidimus/core-types'
import { cheqdDid, LedgerError, parseCheqdDid, toAgentError, type Ledger } from '@vidimus/ledger'
import { z } from 'zod'

/** A DID of did:cheqd together with the ledger that it lives on. */
export interface LocatedDid {
  /** as the ledger keeps it: UUIDs in lower case */
  did: string
  network: Network
  /** the method-specific identifier without the network; also the id of the DID's collection of resources */
  id: string
  ledger: Ledger
}

/** The option `ledgers` of everything in this package: at least one, and one for each network. */
export const LedgerList = z
  .array(
    z.custom<Ledger>((value) => missingMembers(value).length === 0, {
      error: ({ input }) =>
        `must be a ledger, for example an EmbeddedLedger; it lacks ${missingMembers(input).join(', ')}`,
    }),
  )
  .min(1, 'must name at least one ledger')
  .superRefine((ledgers, context) => {
    ledgers.forEach(({ network }, index) => {
      if (ledgers.findIndex((other) => other.network === network) === index) return
      context.addIssue({ code: 'custom', path: [index], message: `is a second ledger for ${network}` })
    })
  })

const METHODS = [
  'submit',
  'getDidDoc',
  'listDidDocVersions',
  'findDidDocVersion',
  'getResource',
  'getResourceMetadata',
  'getLatestResource',
  'getLatestResourceMetadata',
  'findResources',
  'listResources',
  'listResourceVersions',
  'countResources',
  'countVersions',
  'check',
] as const satisfies (keyof Ledger)[]

function missingMembers(value: unknown): string[] {
  const candidate = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return [
    ...(isNetwork(candidate.network) ? [] : [`a network (${NETWORKS.join(' or ')})`]),
    ...METHODS.filter((method) => typeof candidate[method] !== 'function'),
  ]
}

export const isNetwork = (value: unknown): value is Network => NETWORKS.some((network) => network === value)

/** The configured ledgers, found by network or by DID. */
export class LedgersByNetwork {
  private readonly ledgers: ReadonlyMap<Network, Ledger>

  constructor(ledgers: readonly Ledger[]) {
    this.ledgers = new Map(ledgers.map((ledger) => [ledger.network, ledger]))
  }

  get networks(): Network[] {
    return [...this.ledgers.keys()]
  }

  all(): Ledger[] {
    return [...this.ledgers.values()]
  }

  ofNetwork(network: Network): Ledger | undefined {
    return this.ledgers.get(network)
  }

  /**
   * Finds the ledger of a DID.
   *
   * @throws AgentError `invalid_input` at the path `did` if it is not a DID of did:cheqd, `did_not_resolvable` if no
   *   ledger is configured for its network
   */
  locate(did: string): LocatedDid {
    const parsed = readCheqdDid(did)
    if (!parsed) throw atDid('invalid_input', 'is not a DID of did:cheqd on testnet or mainnet')
    const ledger = this.ledgers.get(parsed.network)
    if (!ledger)
      throw atDid('did_not_resolvable', `lives on ${parsed.network}, for which no ledger is configured`)
    return { ...parsed, ledger }
  }
}

const atDid = (code: 'invalid_input' | 'did_not_resolvable', message: string): AgentError =>
  new AgentError(code, `did: ${message}`, { details: [{ path: 'did', message }] })

/** Reads a DID of did:cheqd on one of the networks of the contract; `undefined` for anything else. */
export function readCheqdDid(text: unknown): Omit<LocatedDid, 'ledger'> | undefined {
  const parsed = typeof text === 'string' ? parseCheqdDid(text) : undefined
  if (!parsed || !isNetwork(parsed.network)) return undefined
  return { did: cheqdDid(parsed.network, parsed.id), network: parsed.network, id: parsed.id }
}

/**
 * Runs a call to a ledger and puts its refusal into the words of this service.
 *
 * @throws AgentError for every LedgerError; anything else passes through
 */
export const askLedger = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw asAgentError(error)
  })

/** A ledger's refusal in the words of this service; anything else as it is. */
export const asAgentError = (error: unknown): unknown =>
  error instanceof LedgerError ? toAgentError(error) : error
