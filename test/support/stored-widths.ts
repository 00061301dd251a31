import { ACTIONS_TOLD, BOUNDS } from '@vidimus/core-types'
import { sql, Sql, type Database } from '@vidimus/database'

const UUID = 36
const TIME = 24
const DIGEST = 64
const NETWORK = 16
const NAME_OF_OURS = 64
const CHEQD_DID = 64
const ADDRESS = 96
const AMOUNT = 32
const WORST_CHARACTER = 4
/** In JSON. */
const ESCAPED_CHARACTER = 6
const KID = BOUNDS.name * WORST_CHARACTER
/** What is sealed is longer by its head, and written in base64. */
const sealed = (bytes: number) => 256 + Math.ceil((bytes * 4) / 3)
/** With the id of the account in front. */
const scoped = (bytes: number) => UUID + 1 + bytes
/** A list of texts as JSON. */
const listed = (entries: number, bytes: number) => 2 + entries * (bytes + 3)

const KEY = BOUNDS.keyMetaBytes + 4 * KID
/** A DID with its keys and services, as JSON. */
const IDENTIFIER = 2 * BOUNDS.documentBytes + listed(BOUNDS.documentEntries, KEY)
const SENTENCE = BOUNDS.text
const TEXT = BOUNDS.did * WORST_CHARACTER
const SECRET = 256
/** OpenID Connect Core 2. */
const TOKEN_SUBJECT = 255

/**
 * Bytes that a text or a blob may have, by its column, or by table and column: each column that anything a caller sends may
 * reach has a bound of `BOUND_TABLE`, the others are of the service's own making.
 */
export const STORED_WIDTHS: Readonly<Record<string, number>> = {
  account_id: UUID,
  credential_hash: DIGEST,
  signing_key_hash: DIGEST,
  status_purpose: NAME_OF_OURS,
  did: BOUNDS.indexedText,
  stored_did: scoped(BOUNDS.indexedText),
  alias: BOUNDS.indexedText,
  provider: BOUNDS.name,
  kms: BOUNDS.name,
  certificate_chain: listed(BOUNDS.certificates, BOUNDS.certificateText),
  certificate_expires_at: TIME,
  kid: KID,
  stored_kid: scoped(KID),
  'account_private_key.alias': KID,
  stored_alias: scoped(KID),
  public_key: BOUNDS.indexedText,
  'key.publicKeyHex': BOUNDS.indexedText,
  'key.type': NAME_OF_OURS,
  'key.meta': BOUNDS.keyMetaBytes,
  'private-key.type': NAME_OF_OURS,
  'private-key.privateKeyHex': sealed(BOUNDS.hexKey),
  'account_service.id': BOUNDS.indexedText,
  'service.type': BOUNDS.serviceTypeBytes,
  'service.serviceEndpoint': BOUNDS.documentBytes,
  'service.description': BOUNDS.documentBytes,
  'key.kid': scoped(KID),
  // of an undone creation, which stands in front
  'private-key.alias': NAME_OF_OURS + scoped(KID),
  controller_key_id: scoped(BOUNDS.indexedText),
  identifierDid: scoped(BOUNDS.indexedText),
  // Nothing but NULL: ours has the alias.
  'service.id': scoped(UUID),
  stored_id: scoped(UUID),
  'account.name': 63 * WORST_CHARACTER,
  'api_key.name': BOUNDS.name * WORST_CHARACTER,
  'api_key.token_issuer': BOUNDS.bearerToken,
  scopes: listed(BOUNDS.scopes, NAME_OF_OURS),
  networks: listed(2, NETWORK),
  'webhook.url': BOUNDS.url * WORST_CHARACTER,
  'webhook.types': listed(BOUNDS.eventTypes, BOUNDS.word * WORST_CHARACTER),
  'ledger_did_version.doc': BOUNDS.documentBytes,
  'ledger_resource.also_known_as': BOUNDS.alternativesBytes,
  data: BOUNDS.resourceBytes,
  delta: BOUNDS.resourceBytes,
  'cheqd_message.message': 2 * BOUNDS.resourceBytes,
  'cheqd_transaction.bytes': 4 * BOUNDS.resourceBytes,
  'cheqd_transaction.message_ids': listed(BOUNDS.documentEntries, UUID),
  result: 2 * BOUNDS.resourceBytes,
  error: 2 * SENTENCE,
  // The configuration has a lower one, of `IdempotencyRecords`.
  sealed_answer: sealed(BOUNDS.resourceBytes),
  'idempotent_creation.change': sealed(BOUNDS.resourceBytes),
  'status_list.did': BOUNDS.indexedText,
  'ledger_resource.name': BOUNDS.resourceNameBytes,
  'ledger_resource_latest.name': BOUNDS.resourceNameBytes,
  'status_list.name': BOUNDS.resourceNameBytes,
  'status_list_address.name': BOUNDS.resourceNameBytes,
  grace_period: BOUNDS.word,
  lists_after: 2 * BOUNDS.resourceNameBytes,
  former_kid: BOUNDS.name,
  failure: TEXT,
  'status_list_job.id': BOUNDS.jobId * WORST_CHARACTER,
  'status_list_job_part.sealed': sealed(BOUNDS.resourceBytes),
  // two numbers and two hashes, as JSON in base64url
  select_after: 256,
  // form, effects and networks of a job
  ordered: 512,
  rule: DIGEST,
  series: BOUNDS.seriesNameBytes,
  'status_list_series.did': BOUNDS.indexedText,
  'status_list_member.did': BOUNDS.indexedText,
  template: BOUNDS.resourceBytes,
  period: BOUNDS.word,
  expiry_group: TIME,
  last_expiry: TIME,
  publish_every: BOUNDS.word,
  // an index, or half a digest of it
  place: 22,
  // index, value and action; encrypted for encrypted lists
  content: sealed(BOUNDS.text),
  'work_item.key': BOUNDS.indexedText + listed(3, BOUNDS.resourceNameBytes * ESCAPED_CHARACTER),
  'work_item.owner': BOUNDS.indexedText,
  'work_item.due_at': TIME,
  // an event with its details; a change of a ledger with its keys, who asked for it, and what it tells; a creation of a DID, with its keys
  'work_item.payload':
    2 * IDENTIFIER +
    2 * TEXT +
    listed(BOUNDS.documentEntries, KID) +
    SENTENCE +
    listed(ACTIONS_TOLD.most, ACTIONS_TOLD.characters * ESCAPED_CHARACTER),
  // the public URL, which the configuration gives, and the id
  'status_list_address.url': TEXT,
  list_name: BOUNDS.resourceNameBytes,
  resource_type: BOUNDS.resourceNameBytes,
  type: BOUNDS.resourceNameBytes,
  version: BOUNDS.resourceNameBytes,
  'status_list_payment.did': CHEQD_DID,
  'ledger_did.did': CHEQD_DID,
  'ledger_did_version.did': CHEQD_DID,
  collection_id: UUID,
  memo: BOUNDS.memoBytes,
  detail: TEXT,
  'audit_event.subject': TEXT,
  // Of a configured provider, and named in a token.
  'audit_event.token_issuer': BOUNDS.bearerToken,
  'audit_event.token_subject': TOKEN_SUBJECT,
  'account_event.subject': TEXT,
  details: 2 * TEXT,
  failed_reason: SENTENCE,
  ...ofEach(UUID, 'id', 'record_id', 'api_key_id', 'webhook_id', 'version_id'),
  ...ofEach(UUID, 'uid', 'job_uid', 'part_id'),
  ...ofEach(UUID, 'previous_version_id', 'next_version_id', 'base_id', 'resource_id', 'latest_version_id'),
  ...ofEach(
    UUID,
    'holder',
    'presence',
    'rotated_to',
    'expected_previous',
    'request_id',
    'restore_id',
    'origin',
  ),
  ...ofEach(DIGEST, 'hash', 'key_digest', 'content_digest', 'checksum', 'tx_hash'),
  ...ofEach(
    TIME,
    'time',
    'created',
    'updated',
    'created_at',
    'issued_at',
    'queued_at',
    'expires_at',
    'paid_at',
    'begun_at',
    'waiting_since',
    'hurried_until',
    'retry_at',
    'started_at',
    'signs_since',
    'removes_at',
    'ended_at',
  ),
  ...ofEach(TIME, 'coalesce', 'counts_until', 'day', 'revoked_at', 'since'),
  ...ofEach(
    TIME,
    'disabled_at',
    'suspended_at',
    'deletion_began_at',
    'kept_until',
    'last_used_at',
    'noted_at',
    'missed_since',
  ),
  ...ofEach(TIME, 'finished_at', 'signed_at', 'delivered_at', 'failed_at', 'dead_at', 'last_time'),
  ...ofEach(NAME_OF_OURS, 'event', 'quota', 'kind', 'state', 'slot', 'outcome', 'counts_as', 'media_type'),
  ...ofEach(NAME_OF_OURS, 'revoked_by', 'prefix_shown', 'seeded'),
  ...ofEach(ADDRESS, 'address', 'recipient', 'payer', 'sender'),
  ...ofEach(SECRET, 'sealed', 'sealed_key', 'sealed_secret'),
  mark: UUID + 2,
  network: NETWORK,
  // as the nodes of the network are configured with it
  chain_id: NAME_OF_OURS,
  amount: AMOUNT,
  balance: AMOUNT,
  // a DID, or the collection, name and type of a resource
  subject: CHEQD_DID + 2 * (BOUNDS.resourceNameBytes + 1),
}

export const storedWidth = (table: string, column: string): number | undefined =>
  STORED_WIDTHS[`${table}.${column}`] ?? STORED_WIDTHS[column]

/** What is the database's own. */
export const UNUSED_TABLES = /^migrations$|^sqlite_/

interface Column {
  table: string
  column: string
}

/** Every column of a SQLite database that has texts or blobs. */
export async function textColumns(database: Pick<Database, 'query'>): Promise<Column[]> {
  const columns = await database.query<Column>(
    sql`SELECT m.name AS "table", p.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) p
      WHERE m.type = 'table' AND p.type NOT LIKE '%INT%' AND p.type NOT LIKE '%BOOL%' AND p.type <> 'REAL'`,
  )
  return columns.filter(({ table }) => !UNUSED_TABLES.test(table))
}

/** @returns what of a SQLite database is longer than its column may hold, and how much there was to look at */
export async function overWidths(
  database: Pick<Database, 'query'>,
): Promise<{ over: string[]; filled: number }> {
  const columns = await textColumns(database)
  const over: string[] = []
  let filled = 0
  for (const { table, column } of columns) {
    const [from, name] = [named(table), named(column)]
    const [row] = await database.query<{ bytes: number | null }>(
      sql`SELECT MAX(LENGTH(CAST(${name} AS BLOB))) AS bytes FROM ${from}`,
    )
    const bytes = row?.bytes ?? 0
    if (bytes > 0) filled += 1
    if (bytes > (storedWidth(table, column) ?? 0)) over.push(`${table}.${column}: ${bytes}`)
  }
  return { over, filled }
}

const named = (name: string) => new Sql([`"${name}"`], [])

function ofEach(width: number, ...columns: string[]): Record<string, number> {
  return Object.fromEntries(columns.map((column) => [column, width]))
}
