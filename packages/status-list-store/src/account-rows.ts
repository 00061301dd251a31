import type { AccountRows } from '@vidimus/core-types'
import { joinSql, sql, TableOfAccounts, type Connection, type Database } from '@vidimus/database'
import { FEE_DAYS } from './fee-days.js'
import { hurryLists } from './list-paces.js'
import { isSeries } from './member-rows.js'
import { BEGUN, SETTLED } from './payment-rows.js'

/** Lists per transaction: a single list may have many allocated indices. */
const TOGETHER = 20

/** How long requests of an account may still run after it was disabled, in milliseconds. */
const HURRIED_MS = 3_600_000

/** Deletes data together with an account. */
export function accountRows(database: Database): AccountRows[] {
  const payments = { table: 'status_list_payment', id: ['id'] } as const
  return [
    new TableOfAccounts(database, {
      ...payments,
      name: 'payments under way',
      fate: 'waited for',
      which: BEGUN,
    }),
    new TableOfAccounts(database, { ...payments, name: 'payments', which: SETTLED }),
    new TableOfAccounts(database, {
      name: 'registered credentials',
      table: 'credential_entry',
      id: ['list_id', 'list_index', 'credential_hash', 'signing_key_hash'],
    }),
    new TableOfAccounts(database, {
      name: 'keys of registers of credentials',
      table: 'credential_register_key',
      id: ['account_id'],
    }),
    new TableOfAccounts(database, {
      name: 'rows of jobs',
      table: 'status_list_job_part',
      id: ['job_uid', 'kind', 'list', 'place'],
    }),
    new TableOfAccounts(database, { name: 'jobs', table: 'status_list_job', id: ['uid'] }),
    FEE_DAYS.rowsOf(database, 'days with fees'),
    new WaitingLists(database),
    new ListsOfAccount(database),
  ]
}

/**
 * List keys and allocated indices. They belong to the DID: data needed by another account with that DID is kept. Runs
 * before the DIDs are deleted, as they are needed to find the rows.
 */
class ListsOfAccount implements AccountRows {
  readonly name = 'status lists that only this account can update'
  readonly tables = ['status_list', 'status_list_series', 'status_list_member']

  constructor(private readonly database: Database) {}

  async count(account: string): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM ${rowsOfAccount(account)}`,
    )
    return Number(row?.n)
  }

  async erase(account: string): Promise<void> {
    for (let erased = TOGETHER; erased === TOGETHER;) {
      erased = await this.database.write((connection) => eraseSome(connection, account), { overwrite: true })
    }
    for (let erased = TOGETHER; erased === TOGETHER;) {
      erased = await this.database.write((connection) => eraseSeries(connection, account))
    }
  }
}

/** Acknowledged changes that wait for their publication: they are published before the account ends. */
class WaitingLists implements AccountRows {
  readonly name = 'status lists with changes to be published'
  readonly tables = ['status_list_pace']
  readonly fate = 'waited for'

  constructor(private readonly database: Database) {}

  async count(account: string): Promise<number> {
    const [row] = await this.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM "status_list_pace" p WHERE ${waitsFor(account)}`,
    )
    return Number(row?.n)
  }

  /** Requests that were let in before the account was disabled publish their changes themselves, or fail. */
  async hasten(account: string): Promise<void> {
    const now = new Date()
    const at = now.toISOString()
    const lists = sql`"id" IN (SELECT s."id" FROM ${rowsOfAccount(account)})`
    await this.database.write(async (connection) => {
      await connection.run(hurryLists(lists, new Date(now.getTime() + HURRIED_MS)))
      await connection.run(
        sql`UPDATE "status_list_pace" AS p SET "beat_at" = ${at} WHERE ${waitsFor(account)} AND "beat_at" > ${at}`,
      )
    })
  }

  erase(): Promise<void> {
    return Promise.reject(new Error('changes of status lists are published, not erased'))
  }
}

const waitsFor = (account: string) => sql`p."stored" > p."published" AND p."list_id" IN
  (SELECT s."id" FROM "status_list" s JOIN account_did d ON d.did = s."did" WHERE d.account_id = ${account})`

const rowsOfAccount = (
  account: string,
  table = sql`"status_list"`,
) => sql`${table} s JOIN account_did d ON d.did = s."did"
  WHERE d.account_id = ${account} AND NOT EXISTS
    (SELECT 1 FROM account_did other WHERE other.did = s."did" AND other.account_id <> ${account})`

const OF_LISTS = [
  sql`"status_list_taken_index"`,
  sql`"status_list_order"`,
  sql`"status_list_key"`,
  sql`"status_list_change"`,
  sql`"status_list_pace"`,
]

async function eraseSome(connection: Connection, account: string): Promise<number> {
  const lists = await connection.query<{ id: number | string }>(
    sql`SELECT s."id" FROM ${rowsOfAccount(account)} LIMIT ${TOGETHER}`,
  )
  if (lists.length === 0) return 0
  const ids = joinSql(lists.map(({ id }) => id))
  for (const table of OF_LISTS) {
    await connection.run(sql`DELETE FROM ${table} WHERE "list_id" IN (${ids})`)
  }
  await connection.run(sql`DELETE FROM "status_list" WHERE "id" IN (${ids})`)
  return lists.length
}

/** Series with their members, some at a time. */
async function eraseSeries(connection: Connection, account: string): Promise<number> {
  const series = await connection.query<{ home: number; did: string; series: string; resource_type: string }>(
    sql`SELECT s."home", s."did", s."series", s."resource_type"
      FROM ${rowsOfAccount(account, sql`"status_list_series"`)} LIMIT ${TOGETHER}`,
  )
  for (const { did, series: statusListName, resource_type: resourceType } of series) {
    const which = isSeries({ did, statusListName, resourceType })
    await connection.run(sql`DELETE FROM "status_list_member" WHERE ${which}`)
    await connection.run(sql`DELETE FROM "status_list_series" WHERE ${which}`)
  }
  return series.length
}
