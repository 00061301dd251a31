import { randomBytes, randomUUID } from 'node:crypto'
import { homeOf, homeOfDid, sql, Sql, tally, type Database, type TalliedKind } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { base58 } from '@scure/base'
import { newKeyPair } from '@vidimus/verification-methods'
import { recount } from '../../test/support/recount.js'
import { copyRows, type Copy } from './copied-rows.js'
import { numbers, timeOf } from './dialects.js'

const DAY_MS = 86_400_000
/** Events are kept for 30 days. */
const PAST_MS = 29 * DAY_MS
const ONE_OF_TEN = 10
const AT_ONCE = 500_000
/** Copies of a DID whose key pairs are real. */
export const FITTING = 1_000

/** What the service has created, with a request that had an idempotency key. */
export interface TemplateDid {
  accountId: string
  did: string
  kid: string
}

interface Answered {
  id: string
  key_digest: string
  sealed_answer: string
}

/**
 * Copies a DID with its key, document, event, row of the audit trail and, of every tenth, the kept answer of its request. Every
 * copy has names of its own, and its private key and answer are sealed for it. Making key pairs takes longest: only the
 * first {@link FITTING} public keys fit their private ones, all others are random.
 */
export async function fillWithDids(
  database: Database,
  template: TemplateDid,
  amount: number,
  secret: string,
): Promise<void> {
  const { accountId, did, kid } = template
  const [ledger] = await database.query<{ version: string }>(
    sql`SELECT latest_version_id AS version FROM ledger_did WHERE home = ${homeOfDid(did)} AND network = 'testnet'
      AND did = ${did}`,
  )
  const [answered] = await database.query<Answered>(
    sql`SELECT r.id, r.key_digest, r.sealed_answer FROM idempotent_creation c
      JOIN idempotency_record r ON r.id = c.record_id WHERE c.account_id = ${accountId} AND c.did = ${did}`,
  )
  if (!ledger || !answered) throw new Error(`${did} is no DID of a request with an idempotency key`)
  const material = materialOf(kid)
  const names = [uuidOf(did), kid, material, ledger.version, answered.id, answered.key_digest]
  await copyRows(
    database,
    {
      names,
      columns: ['private-key.privateKeyHex', 'idempotency_record.sealed_answer'],
      time: timeOf(database.dialect, spread(amount)),
      seldom: { tables: ['idempotency_record', 'idempotent_creation'], every: ONE_OF_TEN },
    },
    copiesOf(template, answered, { amount, secret }),
  )
}

function* copiesOf(
  { accountId, did, kid: templateKid }: TemplateDid,
  { id, sealed_answer: sealed }: Answered,
  { amount, secret }: { amount: number; secret: string },
): Iterable<Copy> {
  const envelope = new PrivateKeyEnvelope({ secret })
  const template = envelope.open(sealed, answerContext(accountId, id))
  for (let n = 1; n <= amount; n += 1) {
    const { privateKeyHex, publicKeyHex: kid } = n <= FITTING ? newKeyPair('Ed25519') : randomPair()
    const [uuid, record] = [randomUUID(), randomUUID()]
    const answer = template.replaceAll(uuidOf(did), uuid).replaceAll(templateKid, kid)
    yield [
      ...[uuid, kid, materialOf(kid), randomUUID(), record, hex32()],
      envelope.seal(privateKeyHex + kid, [accountId, kid, 'Ed25519']),
      n % ONE_OF_TEN === 0 ? envelope.seal(answer, answerContext(accountId, record)) : '',
    ]
  }
}

const hex32 = (): string => randomBytes(32).toString('hex')
const randomPair = () => ({ privateKeyHex: hex32(), publicKeyHex: hex32() })
const uuidOf = (did: string): string => did.split(':').at(-1) ?? ''
const answerContext = (account: string, id: string) => ['answer of a request', account, id]

/** As Ed25519VerificationKey2020 has it; the ledger's own function looks at each point of the curve. */
const materialOf = (kid: string): string => `z${base58.encode(Buffer.from(`ed01${kid}`, 'hex'))}`

/** Other accounts like one that there is, which has an API key and nothing else. */
export async function fillWithAccounts(
  database: Database,
  { id, name }: { id: string; name: string },
  amount: number,
): Promise<void> {
  const [key] = await database.query<{ id: string; hash: string }>(
    sql`SELECT id, hash FROM api_key WHERE account_id = ${id}`,
  )
  if (!key) throw new Error(`${name} has no API key`)
  const copies = Array.from({ length: amount }, (_, n) => [
    randomUUID(),
    `${name}-${n}`,
    randomUUID(),
    hex32(),
  ])
  const time = timeOf(database.dialect, spread(amount))
  await copyRows(database, { names: [id, name, key.id, key.hash], time }, copies)
}

/** Rows of a kind in a table that only grows. */
interface Rows {
  table: 'account_event' | 'audit_event'
  /** of the row that is repeated */
  sequence: number
  amount: number
}

/** The same happened again and again to an account, as its events or the audit trail show it. */
export async function repeatRow(database: Database, { table, sequence, amount }: Rows): Promise<void> {
  const { dialect } = database
  const own = table === 'account_event'
  const columns = own
    ? sql`home, account_id, type, subject, details`
    : sql`home, account_id, event, outcome, api_key_id, address, request_id, subject, detail, occurrences`
  for (let done = 0; done < amount; done += AT_ONCE) {
    const now = Math.min(AT_ONCE, amount - done)
    const time = timeOf(dialect, spread(amount, done))
    await database.write(async (connection) => {
      const [last] = await connection.query<{ last: number | string }>(
        sql`SELECT COALESCE(MAX(e.position), 0) AS last FROM account_event e
          JOIN account_event o ON o.account_id = e.account_id WHERE o.sequence = ${sequence}`,
      )
      const place = own ? sql`, position` : sql``
      const placed = own ? sql`, ${new Sql([`${Number(last?.last ?? 0)} + s.n`], [])}` : sql``
      await connection.run(
        sql`INSERT INTO ${new Sql([table], [])} (${columns}, time${place})
          SELECT ${columns}, ${time}${placed} FROM ${numbers(dialect, now)}, ${new Sql([table], [])} t
          WHERE t.sequence = ${sequence}`,
      )
    })
  }
}

const spread = (amount: number, done = 0) => {
  const stepMs = PAST_MS / Math.max(amount, 1)
  return { first: new Date(Date.now() - PAST_MS + done * stepMs), stepMs }
}

/** What is counted of rows is what there is now. */
export async function countAnew(database: Database): Promise<void> {
  const { counted, tallied } = await recount(database)
  await database.write(async (connection) => {
    for (const { account, kind, n } of counted) {
      const before = tallied.find((one) => one.account === account && one.kind === kind)?.n ?? 0
      tally(connection, account, kind as TalliedKind, n - before)
    }
    const heads = await connection.query<{ account: string; last: number | string }>(
      sql`SELECT account_id AS account, MAX(position) AS last FROM account_event
        WHERE position IS NOT NULL GROUP BY account_id`,
    )
    for (const { account, last } of heads) {
      await connection.run(
        sql`INSERT INTO account_event_head (home, account_id, last) VALUES (${homeOf(account)}, ${account}, ${last})
          ON CONFLICT (home, account_id) DO UPDATE SET last = excluded.last`,
      )
    }
  })
}
