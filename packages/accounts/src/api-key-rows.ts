import { randomUUID } from 'node:crypto'
import type { Account, ApiKey, ApiKeyGrant, CreatedApiKey, GrantSource, Network } from '@vidimus/core-types'
import { sql, type Connection, type Reader, type Sql } from '@vidimus/database'
import { hashOfApiKey, newApiKey, shownApiKey } from './api-key.js'
import { grantOf, listText, type ApiKeyRights, type CheckedRequest } from './api-key-rights.js'

/** A stored key; its clear text is not stored. */
export interface ApiKeyRow {
  id: string
  account_id: string
  /** name of the account */
  account: string
  name: string | null
  prefix_shown: string
  scopes: string | null
  networks: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  rotated_to: string | null
  token_issuer: string | null
}

/** @param rest - conditions on `k`, the key, and `a`, its account; and the order */
export const selectApiKeys = (rest: Sql): Sql =>
  sql`SELECT k.id, k.account_id, a.name AS account, k.name, k.prefix_shown, k.scopes, k.networks, k.created_at, k.expires_at,
      k.revoked_at, k.last_used_at, k.rotated_to, k.token_issuer
    FROM api_key k JOIN account a ON a.id = k.account_id ${rest}`

/** One key; with an account, only if it is that account's. */
export async function findApiKey(
  connection: Pick<Connection, 'query'>,
  id: string,
  accountId?: string,
): Promise<ApiKeyRow | undefined> {
  const ofAccount = accountId === undefined ? sql`` : sql`AND k.account_id = ${accountId}`
  const [row] = await connection.query<ApiKeyRow>(selectApiKeys(sql`WHERE k.id = ${id} ${ofAccount}`))
  return row
}

export async function insertApiKey(
  connection: Connection,
  account: Pick<Account, 'id' | 'name'>,
  { name, scopes, networks, expiresAt, issuer }: CheckedRequest,
  now: Date,
): Promise<CreatedApiKey> {
  const apiKey = newApiKey()
  const key = {
    id: randomUUID(),
    account: account.name,
    ...(name !== undefined && { name }),
    shown: shownApiKey(apiKey),
    ...(scopes && { scopes: [...scopes] }),
    ...(networks && { networks: [...networks] }),
    createdAt: now.toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  await connection.run(
    sql`INSERT INTO api_key (id, account_id, name, hash, prefix_shown, scopes, networks, created_at, expires_at,
        token_issuer)
      VALUES (${key.id}, ${account.id}, ${name ?? null}, ${hashOfApiKey(apiKey)}, ${key.shown}, ${listText(scopes)},
        ${listText(networks)}, ${key.createdAt}, ${expiresAt ?? null}, ${issuer ?? null})`,
  )
  return { ...key, apiKey }
}

/** Gives a key another secret, if the current one was never returned. */
export async function replaceApiKey(connection: Connection, row: ApiKeyRow): Promise<CreatedApiKey> {
  const apiKey = newApiKey()
  const shown = shownApiKey(apiKey)
  await connection.run(
    sql`UPDATE api_key SET hash = ${hashOfApiKey(apiKey)}, prefix_shown = ${shown} WHERE id = ${row.id}`,
  )
  return { ...toApiKey(row), shown, apiKey }
}

/** Keys that are accepted now, whether they have a successor or not. */
export async function countWorkingKeys(connection: Reader, accountId: string, now: Date): Promise<number> {
  const [row] = await connection.query<{ n: number }>(
    sql`SELECT COUNT(*) AS n FROM api_key WHERE account_id = ${accountId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now.toISOString()})`,
  )
  return Number(row?.n)
}

/** Times of use only ever grow, whichever process writes first. */
export async function writeLastUses(
  connection: Connection,
  uses: readonly { id: string; at: Date }[],
): Promise<void> {
  for (const { id, at } of uses) {
    const time = at.toISOString()
    await connection.run(
      sql`UPDATE api_key SET last_used_at = ${time}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${time})`.changing(),
    )
  }
}

export const rowRights = ({
  scopes,
  networks,
  expires_at: expiresAt,
  token_issuer: issuer,
}: ApiKeyRow): ApiKeyRights => ({
  ...(scopes !== null && { scopes: JSON.parse(scopes) as string[] }),
  ...(networks !== null && { networks: JSON.parse(networks) as Network[] }),
  ...(expiresAt !== null && { expiresAt }),
  ...(issuer !== null && { issuer }),
})

export function toApiKey(row: ApiKeyRow): ApiKey {
  const { scopes, networks, expiresAt } = rowRights(row)
  return {
    id: row.id,
    account: row.account,
    ...(row.name !== null && { name: row.name }),
    shown: row.prefix_shown,
    ...(scopes && { scopes: [...scopes] }),
    ...(networks && { networks: [...networks] }),
    createdAt: row.created_at,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.rotated_to !== null && { rotatedTo: row.rotated_to }),
  }
}

export const works = (row: ApiKeyRow, now: Date) =>
  row.revoked_at === null && (row.expires_at === null || Date.parse(row.expires_at) > now.getTime())

/**
 * The rights of a key, or of its successor if it has ended, in an account that is not disabled.
 *
 * @param issuers - the identity providers of now, as for {@link Accounts.authenticate}
 * @see RightsOfNow
 */
export async function rightsNow(
  reader: Pick<Connection, 'query'>,
  now: Date,
  accountId: string,
  source: GrantSource | undefined,
  issuers: ReadonlySet<string>,
): Promise<{ grant?: ApiKeyGrant } | undefined> {
  const [account] = await reader.query(
    sql`SELECT id FROM account WHERE id = ${accountId} AND disabled_at IS NULL`,
  )
  if (!account) return undefined
  if (!source) return {}
  const seen = new Set<string>()
  for (let next: string | null = source.id; next !== null && !seen.has(next);) {
    seen.add(next)
    const row = await findApiKey(reader, next, accountId)
    const isKnown = row && (row.token_issuer === null || issuers.has(row.token_issuer))
    if (isKnown && works(row, now)) return { grant: grantOf(row.id, row) }
    next = row?.rotated_to ?? null
  }
  return undefined
}
