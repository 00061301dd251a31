import { createHash } from 'node:crypto'
import type { NewRegistration } from '@vidimus/core-types'
import { joinSql, sql, type Connection, type Sql } from '@vidimus/database'
import type { ListKey, ListNumber } from './list-row.js'

/** A credential with its hashed id. */
export interface HashedRegistration extends Omit<NewRegistration, 'id'> {
  hash: string
}

export interface EntryPlace {
  list: ListKey
  index: number
  /** of the entry; absent if it has none, or several share the index */
  purpose?: string | undefined
}

/** Of the public key: half a digest is shorter than any key and still unique. */
const KEY_HASH_CHARACTERS = 22

/** @param signingKey - public key in hex; absent: the signer is unknown */
export const keyHashOf = (signingKey: string | undefined): string =>
  signingKey === undefined
    ? ''
    : createHash('sha256').update(signingKey.toLowerCase()).digest('base64url').slice(0, KEY_HASH_CHARACTERS)

/** Entries `e` with their lists `l`. */
export const entryColumns: Sql = sql`SELECT "e"."credential_hash", "e"."signing_key_hash", "e"."list_id", "e"."list_index",
    "l"."did", "l"."name", "l"."resource_type", "e"."status_purpose", "e"."issued_at", "e"."expires_at"
  FROM "credential_entry" "e" JOIN "status_list" "l" ON "l"."home" = "e"."home" AND "l"."id" = "e"."list_id"`

/** Existing registrations stay unchanged. */
export const insertEntries = (
  account: string,
  entries: readonly { credential: HashedRegistration; place: EntryPlace }[],
): Sql => sql`INSERT INTO "credential_entry" ("home", "account_id", "list_id", "list_index", "credential_hash",
    "signing_key_hash", "status_purpose", "issued_at", "expires_at")
  VALUES ${joinSql(
    entries.map(
      ({ credential: { hash, signingKey, issuedAt, expiresAt }, place: { list, index, purpose } }) =>
        sql`(${list.home}, ${account}, ${list.id}, ${index}, ${hash}, ${keyHashOf(signingKey)}, ${purpose ?? null}, ${issuedAt}, ${expiresAt ?? null})`,
    ),
  )}
  ON CONFLICT ("account_id", "list_id", "list_index", "credential_hash", "signing_key_hash", "home") DO NOTHING`

interface ExpiredRow {
  home: number
  account_id: string
  list_id: ListNumber
  list_index: ListNumber
  credential_hash: string
  signing_key_hash: string
}

/** The first credentials that expired before a time, of a single account: no transaction spans two accounts. */
export async function expiredEntries(
  reader: Pick<Connection, 'query'>,
  before: string,
  most: number,
): Promise<Map<string, ExpiredRow[]>> {
  const rows = await reader.query<ExpiredRow>(
    sql`SELECT "home", "account_id", "list_id", "list_index", "credential_hash", "signing_key_hash" FROM "credential_entry"
      WHERE "expires_at" < ${before} ORDER BY "expires_at" LIMIT ${most}`,
  )
  const byAccount = new Map<string, ExpiredRow[]>()
  for (const row of rows) {
    const ofAccount = byAccount.get(row.account_id)
    if (ofAccount) ofAccount.push(row)
    else byAccount.set(row.account_id, [row])
  }
  return byAccount
}

export const deleteEntries = (account: string, rows: readonly ExpiredRow[]): Sql =>
  sql`DELETE FROM "credential_entry" WHERE "account_id" = ${account}
    AND ("list_id", "list_index", "credential_hash", "signing_key_hash", "home") IN (VALUES ${joinSql(
      rows.map(
        (row) =>
          sql`(${bigint(row.list_id)}, ${bigint(row.list_index)}, ${row.credential_hash}, ${row.signing_key_hash},
            CAST(${row.home} AS INTEGER))`,
      ),
    )})`

/** PostgreSQL does not infer number types in a list of values. */
const bigint = (value: ListNumber): Sql => sql`CAST(${value} AS BIGINT)`
