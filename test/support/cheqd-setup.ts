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

  /** @param options - of both ledgers, in place of the fast ones */
  static async start(options: object = {}): Promise<CheqdSetup> {
    const [testnet, mainnet] = await Promise.all([startNode('testnet'), startNode('mainnet')])
    return new CheqdSetup({ testnet, mainnet }, options)
  }

  readonly migrations = migrations
  readonly payer = PAYER

  readonly environment = { CHEQD_MNEMONIC: MNEMONIC }

  /** agent.yml with the networks in place of the embedded ledgers. */
  configure = (text: string): string =>
    text
      .replace(/^ledgers:\n(?: .*\n)*/m, this.ledgers())
      .replace(
        /^( *- )\{ \$require: '@vidimus\/ledger-local\?t=object#migrations' \}\n/m,
        "$&$1{ $require: '@vidimus/ledger-cheqd?t=object#migrations' }\n",
      )

  /** in ncheq */
  balanceOf(network: Network, address: string): bigint {
    return this.nodes[network].balanceOf(address)
  }

  stop = async (): Promise<void> => {
    await Promise.all(Object.values(this.nodes).map((node) => node.stop()))
  }

  private ledgers(): string {
    const entries = Object.entries(this.nodes).map(([network, node]) => {
      const options = {
        network,
        database: { $ref: '/database' },
        rpc: node.url,
        payer: { mnemonic: { $env: 'CHEQD_MNEMONIC' } },
        // A whole suite writes more in a day than an account may as shipped.
        maxSpendPerDayCheq: null,
        ...FAST,
        ...this.options,
      }
      return `  - $require: '@vidimus/ledger-cheqd#CheqdLedger'\n    $args: [${JSON.stringify(options)}]\n`
    })
    return `ledgers:\n${entries.join('')}`
  }
}

async function startNode(network: Network): Promise<CheqdNode> {
  const node = await CheqdNode.start({ network, blockTime: 15 })
  await node.fund(PAYER, 1_000_000_000n * CHEQ)
  return node
}
