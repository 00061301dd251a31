import type { AccountRows } from '@vidimus/core-types'
import {
  laneOfAccount,
  sql,
  TableOfAccounts,
  type AccountTable,
  type Connection,
  type Database,
  type Sql,
  inAccount,
} from '@vidimus/database'
import { WorkOfAccounts } from '@vidimus/work'
import { deleteKey } from './key-rows.js'
import { KEY_ERASURE } from './key-erasures.js'
import { LEDGER_CHANGE } from './ledger-change-rows.js'
import { deletePrivateKey } from './account-private-key-store.js'
import { deleteIdentifier, DID_CREATION } from './identifier-writes.js'
import { forgetUndone, IS_UNDONE } from './undone-creations.js'
import { ROTATION } from './rotation/rotation-rows.js'
import { webDidRows, type WebDidHolder } from './web-dids.js'

/** Rows that are removed one by one, as a caller would; this many in one transaction. */
const TOGETHER = 100

/** This package's rows of accounts, in the order in which they can be erased. */
export const accountRows = (unit: WebDidHolder, { database } = unit): AccountRows[] => [
  // Their KMS may be away.
  new WorkOfAccounts(database, KEY_ERASURE, 'keys that are to be erased elsewhere', 'waited for'),
  new WorkOfAccounts(database, LEDGER_CHANGE, 'changes of ledgers under way', 'waited for'),
  new WorkOfAccounts(
    database,
    DID_CREATION,
    'creations of DIDs under way',
    'waited for',
    sql`NOT ${IS_UNDONE}`,
  ),
  new TableOfAccounts(database, NETWORKS_OF_KEYS),
  new TableOfAccounts(database, ROTATIONS),
  new WorkOfAccounts(database, ROTATION, 'rotations of keys under way'),
  ...HELD.map((held) => new HeldRows(database, held)),
  webDidRows(unit),
]

const NETWORKS_OF_KEYS: AccountTable = {
  name: 'networks of keys',
  table: 'account_key_network',
  id: ['home', 'account_id', 'public_key', 'network'],
  hasHomeOfAccount: true,
}

const ROTATIONS: AccountTable = {
  name: 'rotations of keys',
  table: 'did_rotation',
  id: ['home', 'account_id', 'did'],
}

interface Held {
  name: string
  tables: readonly string[]
  /** of the first table, and of the column that names its rows */
  table: Sql
  named: Sql
  isOf: (account: string) => Sql
  remove(connection: Connection, account: string, name: string): Promise<unknown>
}

/** With Veramo's own rows behind them. */
const HELD: readonly Held[] = [
  {
    name: 'creations that were undone',
    tables: ['work_item'],
    table: sql`work_item`,
    named: sql`key`,
    isOf: (account) => sql`kind = ${DID_CREATION} AND owner = ${account} AND ${IS_UNDONE}`,
    remove: forgetUndone,
  },
  {
    name: 'DIDs, with their aliases and services',
    tables: ['account_did', 'account_did_alias', 'account_did_key', 'account_service'],
    table: sql`account_did`,
    named: sql`did`,
    isOf: (account) => sql`account_id = ${account}`,
    remove: deleteIdentifier,
  },
  {
    name: 'private keys',
    tables: ['account_private_key'],
    table: sql`account_private_key`,
    named: sql`alias`,
    isOf: inAccount,
    remove: deletePrivateKey,
  },
  {
    name: 'keys',
    tables: ['account_key'],
    table: sql`account_key`,
    named: sql`kid`,
    isOf: inAccount,
    remove: deleteKey,
  },
]

class HeldRows implements AccountRows {
  readonly isLast = true
  readonly name: string
  readonly tables: readonly string[]

  constructor(
    private readonly database: Database,
    private readonly held: Held,
  ) {
    this.name = held.name
    this.tables = held.tables
  }

  async count(account: string): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM ${this.held.table} WHERE ${this.held.isOf(account)}`,
    )
    return Number(row?.n)
  }

  async erase(account: string): Promise<void> {
    for (let erased = TOGETHER; erased === TOGETHER;) {
      erased = await this.database.write((connection) => this.eraseSome(connection, account), {
        lane: laneOfAccount(account),
        overwrite: true,
        spans: 'what a deleted account held, in portions',
      })
    }
  }

  private async eraseSome(connection: Connection, account: string): Promise<number> {
    const rows = await connection.query<{ name: string }>(
      sql`SELECT ${this.held.named} AS name FROM ${this.held.table} WHERE ${this.held.isOf(account)} LIMIT ${TOGETHER}`,
    )
    for (const { name } of rows) await this.held.remove(connection, account, name)
    return rows.length
  }
}
