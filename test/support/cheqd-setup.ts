import type { Network } from '@vidimus/core-types'
import { migrations } from '@vidimus/ledger-cheqd'
import { CHEQ, FAST, MNEMONIC, PAYER } from './cheqd-installation.js'
import { CheqdNode } from './cheqd-node/cheqd-node.js'

/** A node for each network, and the lines of agent.yml that put them in the place of the embedded ledgers. */
export class CheqdSetup {
  private constructor(
    readonly nodes: Readonly<Record<Network, CheqdNode>>,
    private readonly options: object,
  ) {}

  /**
   * @param options - of both ledgers, in place of the fast ones
   * @param blockTime - in milliseconds
   */
  static async start(options: object = {}, blockTime = 15): Promise<CheqdSetup> {
    const start = (network: Network) => startNode(network, blockTime)
    const [testnet, mainnet] = await Promise.all([start('testnet'), start('mainnet')])
    return new CheqdSetup({ testnet, mainnet }, options)
  }

  readonly migrations = migrations
  readonly payer = PAYER

  readonly environment = { CHEQD_MNEMONIC: MNEMONIC }

  /** agent.yml with the networks in place of the embedded ledgers. */
  configure = (text: string): string => withCheqdLedgers(text, this.ledgers())

  /** in ncheq */
  balanceOf(network: Network, address: string): Promise<bigint> {
    return Promise.resolve(this.nodes[network].balanceOf(address))
  }

  stop = async (): Promise<void> => {
    await Promise.all(Object.values(this.nodes).map((node) => node.stop()))
  }

  private ledgers(): LedgerEntry[] {
    // A whole suite writes more in a day than an account may as shipped.
    const shared = { maxSpendPerDayCheq: null, ...FAST, ...this.options }
    return Object.entries(this.nodes).map(([network, node]) => [
      network as Network,
      ledgerEntry({ network, rpc: node.url, ...shared }),
    ])
  }
}

type LedgerEntry = readonly [Network, string]

/** A cheqd network as one of the `ledgers` of agent.yml; its payer's words are CHEQD_MNEMONIC. */
export function ledgerEntry(options: object): string {
  const written = {
    database: { $ref: '/database' },
    payer: { mnemonic: { $env: 'CHEQD_MNEMONIC' } },
    ...options,
  }
  return `  - $require: '@vidimus/ledger-cheqd#CheqdLedger'\n    $args: [${JSON.stringify(written)}]\n`
}

/** agent.yml with these in the place of the embedded ledgers of their networks. */
export function withCheqdLedgers(text: string, entries: readonly LedgerEntry[]): string {
  const own = new Map<string, string>(entries)
  const replaced = (entry: string) => own.get(/network: (\w+)/.exec(entry)?.[1] ?? '') ?? entry
  return text
    .replace(/^ledgers:\n(?: .*\n)*/m, (section) => {
      const [beginning = '', ...embedded] = section.split(/^(?= {2}- \$require)/m)
      return beginning + embedded.map(replaced).join('')
    })
    .replace(
      /^( *- )\{ \$require: '@vidimus\/ledger-local\?t=object#migrations' \}\n/m,
      "$&$1{ $require: '@vidimus/ledger-cheqd?t=object#migrations' }\n",
    )
}

async function startNode(network: Network, blockTime: number): Promise<CheqdNode> {
  const node = await CheqdNode.start({ network, blockTime })
  await node.fund(PAYER, 1_000_000_000n * CHEQ)
  return node
}
