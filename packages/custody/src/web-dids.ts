import { AgentError, didWebUrl, isUnderPublicUrl, webDidAt, type AccountRows } from '@vidimus/core-types'
import { homeOfDid, sql, type Connection, type Sql } from '@vidimus/database'
import { invalidInput } from '@vidimus/accounts'
import type { UnitOfWork } from './unit-of-work.js'

/**
 * Records that an account has a did:web under the public URL, if it is the first: a published name never goes to
 * another account.
 *
 * @param publicUrl - without it, and for every other DID, nothing is checked
 * @throws AgentError `did_taken` if another account has or had it; `invalid_input` for another spelling of it
 */
export async function claimWebDid(
  connection: Connection,
  account: string,
  did: string,
  publicUrl: string | undefined,
): Promise<void> {
  if (publicUrl === undefined || !isUnderPublicUrl(did, publicUrl)) return
  const place = didWebUrl(did)
  const spelling = place && webDidAt(place)
  if (spelling !== did) throw invalidInput('did', `must be spelled ${spelling ?? 'as its URL is'}`)
  await connection.run(
    sql`INSERT INTO web_did (home, did, account_id) VALUES (${homeOfDid(did)}, ${did}, ${account})
      ON CONFLICT (home, did) DO NOTHING`.changing(homeOfDid(did)),
  )
  const [row] = await connection.query<{ account_id: string | null }>(
    sql`SELECT account_id FROM web_did WHERE ${isWebDid(did)}`,
  )
  if (row?.account_id === account) return
  const message = `"${did}" was created by another account of this service`
  throw new AgentError('did_taken', `did: ${message}`, { details: [{ path: 'did', message }] })
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
