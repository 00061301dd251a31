import {
  AgentError,
  didWebUrl,
  isUnderPublicUrl,
  webDidAt,
  type Account,
  type AccountRows,
} from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Database, type Sql } from '@vidimus/database'
import { insertAuditEvent, invalidInput } from '@vidimus/accounts'
import { isDid } from './home-conditions.js'
import type { UnitOfWork } from './unit-of-work.js'

/**
 * Records that an account has a did:web under the public URL, if it may have it and is the first: a published name goes to
 * another account only if the operator releases it.
 *
 * @param unit - without its public URL, and for every other DID, nothing is checked
 * @throws AgentError `did_not_granted`; `did_taken` if another account has or had it; `invalid_input` for another spelling of it
 */
export async function claimWebDid(
  connection: Connection,
  account: Pick<Account, 'id' | 'name'>,
  did: string,
  { publicUrl, webDids }: Pick<UnitOfWork, 'publicUrl' | 'webDids'>,
): Promise<void> {
  if (publicUrl === undefined || !isUnderPublicUrl(did, publicUrl)) return
  const place = didWebUrl(did)
  const spelling = place && webDidAt(place)
  if (spelling !== did) throw invalidInput('did', `must be spelled ${spelling ?? 'as its URL is'}`)
  await webDids.demand(connection, account, did, publicUrl)
  // Writing the row that exists makes this conflict with a release of the name.
  await connection.run(
    sql`INSERT INTO web_did (home, did, account_id) VALUES (${homeOfDid(did)}, ${did}, ${account.id})
      ON CONFLICT (home, did) DO UPDATE SET account_id = web_did.account_id`.changing(homeOfDid(did)),
  )
  const [row] = await connection.query<{ account_id: string | null }>(
    sql`SELECT account_id FROM web_did WHERE ${isWebDid(did)}`,
  )
  if (row?.account_id === account.id) return
  const message = `"${did}" was created by another account of this service`
  throw new AgentError('did_taken', `did: ${message}`, { details: [{ path: 'did', message }] })
}

/**
 * Frees the name of a did:web whose account is deleted, or no longer has it.
 *
 * @throws AgentError `did_not_found` if no account has taken it, `invalid_input` while one has it
 */
export async function releaseWebDid(database: Database, did: string): Promise<void> {
  await database.write(async (connection) => {
    const [claim] = await connection.query<{ account_id: string | null; account: string | null }>(
      sql`SELECT w.account_id, a.name AS account FROM web_did w LEFT JOIN account a ON a.id = w.account_id
        WHERE w.home = ${homeOfDid(did)} AND w.did = ${did}`,
    )
    if (!claim) throw new AgentError('did_not_found', `no account has taken the name "${did}"`)
    const { account_id: accountId, account } = claim
    const held =
      accountId === null
        ? []
        : await connection.query(sql`SELECT did FROM account_did WHERE ${isDid(accountId, did)}`)
    if (held.length > 0)
      throw invalidInput('did', `the account "${account}" has it; it must remove it first (didManagerDelete)`)
    await connection.run(sql`DELETE FROM web_did WHERE ${isWebDid(did)}`.changing(homeOfDid(did)))
    const actor = accountId === null ? {} : { accountId }
    await insertAuditEvent(connection, { event: 'name-released', subject: did }, actor)
  })
}

const isWebDid = (did: string): Sql => sql`home = ${homeOfDid(did)} AND did = ${did}`

/** The store of such DIDs, and the code to notify when one is no longer published. */
export type WebDidHolder = Pick<UnitOfWork, 'database'> & Partial<Pick<UnitOfWork, 'markDid'>>

/** Taken names stay taken, by nobody, when their account is deleted. */
export const webDidRows = (unit: WebDidHolder, { database } = unit): AccountRows => ({
  name: 'names of did:web',
  tables: ['web_did'],
  fate: 'made nameless',
  isLast: true,
  async count(account) {
    const [row] = await database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM web_did WHERE account_id = ${account}`,
    )
    return Number(row?.n)
  },
  async erase(account) {
    await database.write(
      async (connection) => {
        const rows = await connection.query<{ did: string }>(
          sql`SELECT did FROM web_did WHERE account_id = ${account}`,
        )
        for (const { did } of rows) {
          unit.markDid?.(connection, did)
          await connection.run(
            sql`UPDATE web_did SET account_id = NULL WHERE ${isWebDid(did)}`.changing(homeOfDid(did)),
          )
        }
      },
      { overwrite: true, spans: 'all DIDs of a deleted account' },
    )
  },
})
