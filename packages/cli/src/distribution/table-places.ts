/**
 * Where the rows of a table belong in a distributed database. `home`: with the other rows of their DID or account, once the
 * keys of the table contain `home`; `reference`: on every server; `coordinator`: on the one server that distributes.
 */
export type TablePlace = 'home' | 'reference' | 'coordinator'

interface Placed {
  place: TablePlace
  /** what decides it */
  why: string
}

const DID_ROWS = 'rows of one DID'
const LIST_ROWS = 'rows of one status list, which belongs to a DID'
const HELD_ROWS = 'rows of what an account holds: a DID, or a key'
const LINE = 'a line of one account, or of one of its DIDs'
const CAUSE = 'work that belongs to its cause: a DID or an account'
const WHO = 'few rows that each request asks for, whoever it concerns'
const ALL = 'one line for the whole installation'
const PAYER = 'money of one payer, which has one place'

/** Every table of the service. Others, of plugins, are on the coordinator unless their keys have `home`. */
const GROUPS: readonly (Placed & { tables: readonly string[] })[] = [
  {
    place: 'home',
    why: DID_ROWS,
    tables: [
      'home_version',
      'ledger_did',
      'ledger_did_version',
      'ledger_resource',
      'ledger_resource_data',
      'ledger_resource_delta',
      'ledger_resource_latest',
      'web_did',
    ],
  },
  {
    place: 'home',
    why: LIST_ROWS,
    tables: [
      'credential_entry',
      'credential_register_key',
      'status_list',
      'status_list_address',
      'status_list_change',
      'status_list_key',
      'status_list_member',
      'status_list_order',
      'status_list_pace',
      'status_list_series',
      'status_list_taken_index',
    ],
  },
  {
    place: 'home',
    why: HELD_ROWS,
    tables: [
      'account_did',
      'account_did_alias',
      'account_did_key',
      'account_key',
      'account_key_network',
      'account_private_key',
      'account_service',
      'account_tally',
      'did_rotation',
      'key',
      'private-key',
      'service',
    ],
  },
  {
    place: 'home',
    why: LINE,
    tables: [
      'account_event',
      'account_event_head',
      'audit_event',
      'idempotency_record',
      'idempotent_creation',
      'status_list_job',
      'status_list_job_part',
      'webhook_delivery',
    ],
  },
  { place: 'home', why: CAUSE, tables: ['work_item'] },
  {
    place: 'reference',
    why: WHO,
    tables: ['account', 'account_quota', 'api_key', 'secret_check', 'shared_home_version', 'webhook'],
  },
  {
    place: 'coordinator',
    why: ALL,
    tables: [
      'account_event_keeping',
      'console_session',
      'console_session_check',
      'console_sign_in',
      'database_restore',
      'ledger_state',
      'migrations',
      'publication_pass',
      'publication_place',
      'status_list_secret_check',
      'webhook_secret_check',
    ],
  },
  {
    place: 'coordinator',
    why: PAYER,
    tables: [
      'cheqd_known_height',
      'cheqd_message',
      'cheqd_sent',
      'cheqd_spend_day',
      'cheqd_transaction',
      'ledger_account',
      'ledger_payment',
      'status_list_fee_day',
      'status_list_payment',
    ],
  },
]

/** All of {@link GROUPS}; a test compares them with a fresh database. */
export const TABLE_PLACES: readonly (Placed & { table: string })[] = GROUPS.flatMap(({ tables, ...placed }) =>
  tables.map((table) => ({ table, ...placed })),
)

const PLACES = new Map(TABLE_PLACES.map((placed) => [placed.table, placed]))

export const findPlace = (table: string): Placed =>
  PLACES.get(table) ?? { place: 'coordinator', why: 'a table of a plugin' }
