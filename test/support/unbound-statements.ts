import type { Sql } from '@vidimus/database'

/** Columns that name one account, DID or list, or one thing that belongs to one of them. */
const BINDING = [
  'account_id',
  'did',
  'list_id',
  'home',
  // the DID of a resource
  'collection_id',
  // of a private key of an account, a webhook, a job
  'stored_alias',
  'webhook_id',
  'job_uid',
].join('|')

const COMPARED = new RegExp(`\\b(${BINDING})"?(, "?\\w+"?)*\\)? (=|IN|<=?|>=?) (\\?|\\()`)
const INSERTED = new RegExp(`^INSERT INTO \\S+ \\([^)]*\\b(${BINDING})\\b`)

/**
 * Statements of requests, and of the work beside them, that name neither an account nor a DID nor a list, and why they
 * may: how the tables could be distributed follows from them.
 */
export const NAMED_UNBOUND: readonly (readonly [statement: RegExp, why: string])[] = [
  [
    /^SELECT 1$|^SELECT 1 AS \w+ FROM \w+ LIMIT 1$|^SELECT 1 FROM account WHERE id = ''$/,
    'whether the database answers',
  ],
  [
    /\b(secret_check|\w+_secret_check)\b|^SELECT substr\(|NOT LIKE '%\.%'/,
    'which secret seals: at start, and when it is replaced',
  ],
  [/FROM "database_restore"/, 'whether a restore is under way: at start'],
  [
    /(WHERE|AND) \S+ <=? \?.* ORDER BY .* LIMIT \?$|"last_expiry" < \?|^DELETE FROM webhook WHERE revoked_at < \?|FROM webhook w WHERE w\.id > \? AND .* LIMIT \?$/,
    'background work: what is due next, of all accounts, through an index of its time; the change that follows names whose it is',
  ],
  [/WHERE (expires_at|time) <=? \? ORDER BY/, 'background work: which stored responses are over, and whose'],
  [
    /FROM (api_key|"?account"?)\b.* WHERE (k\.hash|k\.id|name) = \?|^UPDATE api_key SET .* WHERE id = \?|^INSERT INTO account \(/,
    'who the caller is, by the hash of its key, and accounts by name: small tables, the same on every server',
  ],
  [
    /^SELECT id(, name, .*)? FROM account WHERE id = \?( AND disabled_at|$)/,
    'whether the account of a job may still act, and whose work something is',
  ],
  [
    /FROM "status_list_address" WHERE "(id|url)"/,
    'the public id of a list is a hash of its name, which is all that a reader has',
  ],
  [
    /\b(account_event\b.*\bposition|account_event_keeping|UPDATE account_event SET position)/,
    'events get their positions in the order in which they were committed',
  ],
  [
    /^(SELECT CAST\(\? AS TEXT\) AS kind, MIN\(due_at\)|SELECT DISTINCT holder, kind FROM work_item|SELECT COUNT\(\*\) AS "?n"? FROM work_item WHERE kind (= \?|IN \(\?, \?\)) AND (due_at < \?|\(holder IS NOT NULL OR attempts > 0\))$|UPDATE work_item .* AND holder = \?$)/,
    'background work: when something of a kind is due, and which processes hold work',
  ],
  [
    /"ledger_(state|account|payment)"/,
    'the coins of the embedded ledger, and its height: one row for each network or address; no update of a list changes them',
  ],
  [
    /FROM work_item w WHERE w\.owner = \?/,
    'what waits for an account or a DID of it, through the index of owners',
  ],
  [/SUM\("ncheq"\)/, 'what the payer of a network has spent in a day, for all accounts'],
  [
    /^(SELECT|UPDATE|DELETE) .*\b(idempotency_record|webhook|service)"? (SET .* )?WHERE "?id"? = \?/,
    'one row, by a random id that was read with its account',
  ],
  [
    /^INSERT INTO ("key"|"private-key"|service) \(/,
    'tables of Veramo, whose ids begin with that of the account',
  ],
]

/** Those of the statements that nothing binds, and no reason names. */
export function unboundStatements(statements: Iterable<Sql>): string[] {
  const unbound = [...statements].map(plain).filter((text) => !COMPARED.test(text) && !INSERTED.test(text))
  return unbound.filter((text) => !NAMED_UNBOUND.some(([statement]) => statement.test(text)))
}

const plain = ({ fragments }: Sql): string => fragments.join('?').trim().replaceAll(/\s+/g, ' ')
