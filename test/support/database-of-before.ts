import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import type { Place } from './fresh-database.js'
import { PostgresServer } from './postgres-server.js'
import type { ServiceOptions } from './service.js'

const folder = join(import.meta.dirname, '../fixtures/database-of-before')

/** A list of the holder's. */
export interface ListOfBefore {
  listType: string
  statusPurpose: string
  did: string
  statusListName: string
  revoked: number[]
}

/** What is in the database of before, by the names that its makers gave it. */
export interface Before {
  /** `KMS_SECRET_KEY` */
  secret: string
  /** an API key without limits of each account */
  accounts: { holder: string; taker: string }
  apiKeys: { second: string; afterRotation: string }
  /** kids of the holder by type, of an imported one with the label `labelled`, and one with a name of its own */
  keys: Record<'Ed25519' | 'Secp256r1' | 'Secp256k1' | 'X25519' | 'labelled' | 'named', string>
  dids: Record<'cheqd' | 'mainnet' | 'key' | 'jwk' | 'web' | 'deactivated', string>
  lists: ListOfBefore[]
  /** encrypted, and paid for by the taker */
  sealed: { did: string; statusListName: string; revoked: number[] }
  credentials: { good: string; revoked: string }
  webhook: string
  /**
   * What the taker has under names that are public keys of others: a key named `kid`, and the holder's DID by it; two keys
   * each named as the other is; a key under its own name and a foreign one; a key of a did:key.
   */
  claimed: {
    did: string
    kid: string
    statusListName: string
    swapped: [string, string]
    twice: string
    ofDidKey: { did: string; kid: string }
  }
  /** a DID that the holder has in the ledger's spelling and in upper case, the taker in upper case alone */
  spelling: { did: string; kid: string }
}

/**
 * Puts the database of an earlier version where a service can be started on it: what that version's own service has
 * written, on SQLite as its file, on PostgreSQL as `pg_dump --inserts --no-owner --no-privileges` has it.
 */
export async function restoreBefore(
  place: Place,
  dataDirectory: string,
): Promise<{ before: Before; options: ServiceOptions & { dataDirectory: string } }> {
  const manifest = place === 'SQLite' ? 'sqlite.json' : 'postgres.json'
  const before = JSON.parse(await readFile(join(folder, manifest), 'utf8')) as Before
  const environment: Record<string, string> = { KMS_SECRET_KEY: before.secret }
  if (place === 'SQLite') {
    await writeFile(
      join(dataDirectory, 'agent.sqlite'),
      gunzipSync(await readFile(join(folder, 'sqlite.gz'))),
    )
  } else environment.DATABASE_URL = await restorePostgres()
  return { before, options: { dataDirectory, environment } }
}

async function restorePostgres(): Promise<string> {
  const url = await (await PostgresServer.shared()).createDatabase()
  const dump = gunzipSync(await readFile(join(folder, 'postgres.sql.gz'))).toString()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Lines for psql alone.
  await client.query(dump.replace(/^\\(un)?restrict .*$/gm, ''))
  await client.end()
  return url
}
