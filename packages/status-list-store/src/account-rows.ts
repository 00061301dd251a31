import type { AccountRows } from '@vidimus/core-types'
import {
  homeOfDid,
  joinSql,
  sql,
  TableOfAccounts,
  type Connection,
  type Database,
  type Sql,
} from '@vidimus/database'
import { WorkOfAccounts, workOn } from '@vidimus/work'
import { FEE_DAYS } from './fee-days.js'
import { JOB } from './jobs/job-rows.js'
import { hurryLists } from './list-paces.js'
import { SLOT, toLocation, workOfList, type LocationRow } from './list-row.js'
import { BEGUN, SETTLED } from './payment-rows.js'

/** Lists per transaction: a single list may have many allocated indices. */
const TOGETHER = 20
/** DIDs looked at in one statement. */
const DIDS = 200

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
      id: ['list_id', 'list_index', 'credential_hash', 'signing_key_hash', 'home'],
    }),
    new TableOfAccounts(database, {
      name: 'keys of registers of credentials',
      table: 'credential_register_key',
      id: ['account_id', 'home'],
    }),
    new TableOfAccounts(database, {
      name: 'rows of jobs',
      table: 'status_list_job_part',
      id: ['job_uid', 'kind', 'list', 'place'],
    }),
    new TableOfAccounts(database, { name: 'jobs', table: 'status_list_job', id: ['uid'] }),
    new WorkOfAccounts(database, JOB, 'jobs that have not ended'),
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
    let count = 0
    for await (const dids of didsOf(this.database, account)) {
      const [row] = await this.database.query<{ n: number | string }>(
        sql`SELECT COUNT(*) AS n FROM "status_list" s WHERE ${areOf(dids)}`,
      )
      count += Number(row?.n)
    }
    return count
  }

  /** A transaction is about a single DID. */
  async erase(account: string): Promise<void> {
    for await (const dids of didsOf(this.database, account)) {
      for (const did of await withRows(this.database, sql`"status_list" s`, dids)) await this.eraseLists(did)
      for (const did of await withRows(this.database, sql`"status_list_series" s`, dids)) {
        await this.database.write(async (connection) => {
          for (const table of OF_SERIES)
            await connection.run(sql`DELETE FROM ${table} WHERE ${isOf(did)}`.changing(homeOfDid(did)))
        })
      }
    }
  }

  private async eraseLists(did: string): Promise<void> {
    for (let erased = TOGETHER; erased === TOGETHER;) {
      erased = await this.database.write((connection) => eraseSome(connection, did), { overwrite: true })
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
      sql`SELECT COUNT(*) AS n ${waitingFor(account)}`,
    )
    return Number(row?.n)
  }

  /** Requests that were let in before the account was disabled publish their changes themselves, or fail. */
  async hasten(account: string): Promise<void> {
    const now = new Date()
    for await (const dids of didsOf(this.database, account)) {
      for (const did of await withRows(this.database, PACED, dids)) {
        const hurry = hurryLists(did, new Date(now.getTime() + HURRIED_MS))
        await this.database.write((connection) => connection.run(hurry))
      }
    }
    const waiting = await this.database.query<LocationRow>(
      sql`SELECT s."did", s."name", s."resource_type" ${waitingFor(account)}`,
    )
    const work = workOn(this.database)
    for (const list of waiting)
      await this.database.write((connection) =>
        work.hasten(connection, SLOT, workOfList(toLocation(list)), now),
      )
  }

  erase(): Promise<void> {
    return Promise.reject(new Error('changes of status lists are published, not erased'))
  }
}

/** Begins with the few that wait, of all accounts. */
const waitingFor = (account: string) => sql`FROM "status_list_pace" p
  JOIN "status_list" s ON s."home" = p."home" AND s."id" = p."list_id" 
    JOIN account_did d ON d.home = s."home" AND d.did = s."did"
  WHERE p."waiting_since" IS NOT NULL AND d.account_id = ${account}`

const PACED = sql`"status_list" s JOIN "status_list_pace" p ON p."home" = s."home" AND p."list_id" = s."id"`

/** DIDs that no other account has, some at a time. */
async function* didsOf(database: Database, account: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await database.query<{ did: string }>(
      sql`SELECT d.did FROM account_did d WHERE d.account_id = ${account} AND d.did > ${after} AND NOT EXISTS
          (SELECT 1 FROM account_did other WHERE other.home = d.home AND other.did = d.did AND other.account_id <> ${account})
        ORDER BY d.did LIMIT ${DIDS}`,
    )
    const last = rows.at(-1)
    if (!last) return
    after = last.did
    yield rows.map(({ did }) => did)
  }
}

/** Those of the DIDs that have rows. @param from - tables, the one with a DID as `s` */
async function withRows(database: Database, from: Sql, dids: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ did: string }>(
    sql`SELECT DISTINCT s."did" FROM ${from} WHERE ${areOf(dids)}`,
  )
  return rows.map(({ did }) => did)
}

const areOf = (dids: readonly string[]): Sql =>
  sql`(s."home", s."did") IN (VALUES ${joinSql(
    dids.map((did) => sql`(CAST(${homeOfDid(did)} AS INTEGER), ${did})`),
  )})`

const isOf = (did: string): Sql => sql`"home" = ${homeOfDid(did)} AND "did" = ${did}`

const OF_SERIES = [sql`"status_list_member"`, sql`"status_list_series"`]

const OF_LISTS = [
  sql`"status_list_taken_index"`,
  sql`"status_list_order"`,
  sql`"status_list_key"`,
  sql`"status_list_change"`,
  sql`"status_list_pace"`,
]

async function eraseSome(connection: Connection, did: string): Promise<number> {
  const lists = await connection.query<{ id: number | string }>(
    sql`SELECT "id" FROM "status_list" WHERE ${isOf(did)} LIMIT ${TOGETHER}`,
  )
  if (lists.length === 0) return 0
  const home = homeOfDid(did)
  const ids = joinSql(lists.map(({ id }) => id))
  for (const table of OF_LISTS) {
    await connection.run(
      sql`DELETE FROM ${table} WHERE "home" = ${home} AND "list_id" IN (${ids})`.changing(home),
    )
  }
  await connection.run(
    sql`DELETE FROM "status_list" WHERE "home" = ${home} AND "id" IN (${ids})`.changing(home),
  )
  await connection.run(sql`DELETE FROM work_item WHERE owner = ${did} AND kind = ${SLOT} AND home = ${home}`)
  return lists.length
}
