import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Network } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { CheqdLedger, migrations, type CheqdReport } from '@vidimus/ledger-cheqd'
import { ledgerEntry, withCheqdLedgers } from '../../test/support/cheqd-setup.js'

/** Where a network is asked, and who pays on it. */
export interface NetworkOptions {
  network: Network
  rpc: string[]
  chainId?: string
  allowHttp?: boolean
}

/** A local chain may be far faster than the public ones. */
const SHORTEST_BLOCK_MS = 100
/** Of an account in a day: the suite has told what it costs before. */
const NO_LIMIT = null

/** A network that there is, in the place of one of the embedded ledgers; the other one stays embedded. */
export class OneNetwork {
  readonly migrations = migrations

  private constructor(
    private readonly options: NetworkOptions,
    private readonly mnemonic: string,
    private readonly folder: string,
    private readonly database: Database,
    private readonly ledger: CheqdLedger,
    readonly payer: string,
  ) {}

  /** @throws Error where the node cannot be asked, or there is nobody who pays */
  static async open(options: NetworkOptions, mnemonic: string): Promise<OneNetwork> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-try-cheqd-'))
    const database = new Database({ url: `sqlite:${join(folder, 'look.sqlite')}`, migrations: [migrations] })
    await database.lifecycle.start()
    const ledger = new CheqdLedger({
      ...options,
      database,
      payer: { mnemonic },
      shortestBlockMs: SHORTEST_BLOCK_MS,
    })
    await ledger.lifecycle.start()
    const { payer } = await ledger.report()
    if (!payer) throw new Error('the payer is not known')
    return new OneNetwork(options, mnemonic, folder, database, ledger, payer.address)
  }

  get environment(): Record<string, string> {
    return { CHEQD_MNEMONIC: this.mnemonic }
  }

  configure = (text: string): string => {
    const { network } = this.options
    const settings = {
      ...this.options,
      maxSpendPerDayCheq: NO_LIMIT,
      shortestBlockMs: SHORTEST_BLOCK_MS,
    }
    return withCheqdLedgers(text, [[network, ledgerEntry(settings)]])
  }

  report(): Promise<CheqdReport> {
    return this.ledger.report()
  }

  /** in ncheq */
  balanceOf(_network: Network, address: string): Promise<bigint> {
    return this.ledger.bank.balanceOf(address)
  }

  stop = async (): Promise<void> => {
    await this.ledger.lifecycle.stop()
    await this.database.lifecycle.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}
