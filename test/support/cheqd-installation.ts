import { randomUUID } from 'node:crypto'
import { Database } from '@vidimus/database'
import { CheqdLedger, migrations, type CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import type { Ledger, LedgerMessage, ResourceMetadata, UnsignedLedgerMessage } from '@vidimus/ledger'
import {
  createDid,
  createResource,
  deactivateDid,
  didDoc,
  ed25519Key,
  newDid,
  signed,
  updateDid,
} from '../../packages/ledger/src/__tests__/signing.js'

export const CHEQ = 10n ** 9n

/** The first test vector of BIP-39: known to everybody. */
export const MNEMONIC = `${'abandon '.repeat(11)}about`
export const PAYER = 'cheqd19rl4cm2hmr8afy4kldpxz3fka4jguq0ajzpa5y'

/**
 * Intervals for blocks of some milliseconds. A transaction that is held stays under way: no block ends it. An answer that a
 * busy machine makes wait is no lost one.
 */
export const FAST = {
  outbox: { pollMs: 10, tableMs: 10, electionMs: 20, submitTimeoutMs: 20_000, timeoutBlocks: 10_000 },
  requests: { pauseMs: 5, leaveAloneMs: 10, timeoutMs: 10_000 },
  shortestBlockMs: 1,
}

/** An installation on a cheqd network: a database and a ledger, each process of it one of these. */
export class CheqdInstallation {
  private constructor(
    readonly database: Database,
    readonly ledger: CheqdLedger,
  ) {}

  static async open(
    url: string,
    options: Partial<CheqdLedgerOptions> & Pick<CheqdLedgerOptions, 'rpc'>,
    prepare: (database: Database) => void = () => undefined,
  ): Promise<CheqdInstallation> {
    const database = new Database({ url, migrations: [migrations] })
    prepare(database)
    await database.lifecycle.start()
    const ledger = new CheqdLedger({
      network: 'testnet',
      database,
      payer: { mnemonic: MNEMONIC },
      shortestBlockMs: FAST.shortestBlockMs,
      ...options,
      outbox: { ...FAST.outbox, ...options.outbox },
      requests: { ...FAST.requests, ...options.requests },
    })
    await ledger.lifecycle.start()
    return new CheqdInstallation(database, ledger)
  }

  async close(): Promise<void> {
    await this.ledger.lifecycle.stop()
    await this.database.lifecycle.stop()
  }
}

/** A DID with one key, and messages that it signs. */
export class Subject {
  readonly did = newDid()
  readonly key = ed25519Key()
  readonly doc = didDoc(this.did, [this.key])

  sign(message: UnsignedLedgerMessage): LedgerMessage {
    return signed(message, [`${this.did}#key-1`, this.key])
  }

  create = () => this.sign(createDid(this.doc))
  update = () => this.sign(updateDid({ ...this.doc, alsoKnownAs: [`https://${randomUUID()}.example`] }))
  deactivate = () => this.sign(deactivateDid(this.did))
  publish = (changes: Parameters<typeof createResource>[1] = {}) =>
    this.sign(createResource(this.did, changes))

  static async created(ledger: Ledger): Promise<Subject> {
    const subject = new Subject()
    await ledger.submit(subject.create())
    return subject
  }
}

/** Publishes a resource. */
export async function publish(
  ledger: Ledger,
  message: LedgerMessage,
  expectedPrevious?: string | null,
): Promise<ResourceMetadata> {
  const { resource } = await ledger.submit(
    message,
    expectedPrevious === undefined ? {} : { expectedPrevious },
  )
  if (!resource) throw new Error('a receipt without the resource')
  return resource
}
