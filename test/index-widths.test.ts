import assert from 'node:assert/strict'
import { migrations as ofAccounts, entities } from '@vidimus/account-manager'
import { BOUNDS } from '@vidimus/core-types'
import { Database, sql } from '@vidimus/database'
import { migrations as ofCheqd } from '@vidimus/ledger-cheqd'
import { migrations as ofLedger } from '@vidimus/ledger-local'
import { migrations as ofLists } from '@vidimus/status-list-store'
import { freshDatabase } from './support/fresh-database.js'

/** Bytes: a third of a page of PostgreSQL, without what stands at its head. */
const MOST = 2704
/** Before each text of an entry, and before the entry. */
const HEAD = 8

const UUID = 36
const TIME = 24
const DIGEST = 64
const NETWORK = 16
const NAME_OF_OURS = 64
const CHEQD_DID = 64
const ADDRESS = 96
const AMOUNT = 32
const WORST_CHARACTER = 4
const KID = BOUNDS.name * WORST_CHARACTER
/** With the id of the account in front. */
const scoped = (bytes: number) => UUID + 1 + bytes

/** Bytes that a text may have, by its column, or by table and column. */
const WIDTHS: Readonly<Record<string, number>> = {
  account_id: UUID,
  did: BOUNDS.indexedText,
  stored_did: scoped(BOUNDS.indexedText),
  alias: BOUNDS.indexedText,
  provider: BOUNDS.name,
  kms: BOUNDS.name,
  kid: KID,
  stored_kid: scoped(KID),
  'account_private_key.alias': KID,
  stored_alias: scoped(KID),
  public_key: BOUNDS.indexedText,
  'key.publicKeyHex': BOUNDS.indexedText,
  'account_service.id': BOUNDS.indexedText,
  'key.kid': scoped(KID),
  'private-key.alias': scoped(KID),
  'identifier.did': scoped(BOUNDS.indexedText),
  identifierDid: scoped(BOUNDS.indexedText),
  // Nothing but NULL: ours has the alias.
  'identifier.alias': 0,
  'service.id': scoped(UUID),
  stored_id: scoped(UUID),
  'account.name': 63 * WORST_CHARACTER,
  'status_list.did': BOUNDS.indexedText,
  'ledger_resource.name': BOUNDS.resourceNameBytes,
  'ledger_resource_latest.name': BOUNDS.resourceNameBytes,
  'status_list.name': BOUNDS.resourceNameBytes,
  list_name: BOUNDS.resourceNameBytes,
  resource_type: BOUNDS.resourceNameBytes,
  type: BOUNDS.resourceNameBytes,
  version: BOUNDS.resourceNameBytes,
  'status_list_payment.did': CHEQD_DID,
  'ledger_did.did': CHEQD_DID,
  'ledger_did_version.did': CHEQD_DID,
  collection_id: UUID,
  memo: BOUNDS.memoBytes,
  substr: 12 * WORST_CHARACTER,
  ...ofEach(UUID, 'id', 'mark', 'record_id', 'api_key_id', 'creation', 'webhook_id', 'version_id'),
  ...ofEach(UUID, 'previous_version_id'),
  ...ofEach(DIGEST, 'hash', 'key_digest', 'checksum'),
  ...ofEach(TIME, 'time', 'created', 'created_at', 'queued_at', 'expires_at', 'paid_at', 'next_attempt_at'),
  ...ofEach(TIME, 'next_look_at', 'coalesce', 'counts_until', 'day', 'revoked_at'),
  ...ofEach(NAME_OF_OURS, 'event', 'quota', 'kind', 'state', 'slot'),
  ...ofEach(ADDRESS, 'address', 'recipient', 'payer'),
  network: NETWORK,
  // as the nodes of the network are configured with it
  chain_id: NAME_OF_OURS,
  amount: AMOUNT,
  // a DID, or the collection, name and type of a resource
  subject: CHEQD_DID + 2 * (BOUNDS.resourceNameBytes + 1),
  // network and collection
  'ledger_resource.expr': NETWORK + 1 + UUID,
}

/** Of Veramo's tables, those that nothing is written to here. */
const UNUSED = /^(?:claim|credential|message|presentation)/

describe('entries of indexes', () => {
  let database: Database
  before(async () => {
    database = new Database({
      url: await freshDatabase('PostgreSQL'),
      migrations: [ofAccounts, ofLedger, ofLists, ofCheqd],
      entities: [entities],
    })
    await database.lifecycle.start()
  })
  after(() => database.lifecycle.stop())

  it('are never too long: each text in one has a bound', async () => {
    const columns = await database.query<{ table: string; index: string; column: string }>(
      sql`SELECT t.relname AS "table", i.relname AS "index", a.attname AS "column"
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
          JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_attribute a ON a.attrelid = i.oid
        WHERE n.nspname = current_schema() AND format_type(a.atttypid, NULL) IN ('text', 'character varying')`,
    )
    const bytes = new Map<string, number>()
    const unbounded = new Set<string>()
    for (const { table, index, column } of columns.filter(({ table }) => !UNUSED.test(table))) {
      const width = WIDTHS[`${table}.${column}`] ?? WIDTHS[column]
      if (width === undefined) unbounded.add(`${table}.${column}`)
      else bytes.set(index, (bytes.get(index) ?? HEAD) + HEAD + width)
    }
    assert.deepEqual([...unbounded], [])
    assert.ok(bytes.size > 60, String(bytes.size))
    assert.deepEqual(
      [...bytes].filter(([, width]) => width > MOST),
      [],
    )
  })
})

function ofEach(width: number, ...columns: string[]): Record<string, number> {
  return Object.fromEntries(columns.map((column) => [column, width]))
}
