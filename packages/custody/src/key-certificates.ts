import type { DIDDocument, IAgentContext, IResolver } from '@veramo/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import {
  askedGauge,
  changedOnce,
  currentAccount,
  currentActor,
  currentCaller,
  didAsKept,
  isJsonObject,
  mayCause,
  requireEffect,
  type Finding,
  type HasLifecycle,
  type HasMeasurements,
  type KeyCertificateStore,
  type Kid,
} from '@vidimus/core-types'
import { homeOf, inAccount, joinSql, sql, takeSample, type Reader, type Sql } from '@vidimus/database'
import { documentSource, publicKeysOfDocument } from '@vidimus/verification-methods'
import { keyNotFound } from './key-rows.js'
import { CERTIFICATE_EXPIRY } from './measurements.js'
import { requireUnitOfWork } from './require-unit-of-work.js'
import type { UnitOfWork } from './unit-of-work.js'

/** How long before its end a certificate is to be replaced. */
const SOON_MS = 30 * 86_400_000

type Args = Readonly<Record<string, unknown>>

/** These give a DID keys that the account has. */
const LINKING: ReadonlySet<string> = new Set([
  'didManagerCreate',
  'didManagerGetOrCreate',
  'didManagerAddKey',
])

/**
 * Refuses calls that would give a DID a key with a certificate, before a ledger does what cannot be undone. The store
 * asks again, for each key that the DID did not have.
 *
 * @throws AgentError `forbidden`; of an import what resolution throws
 */
export async function demandIssuerOfCall(
  reader: Reader,
  { method, args, context }: { method: string; args: Args; context: unknown },
): Promise<void> {
  if (mayCause(currentCaller()?.grant, 'name-issuer')) return
  const did = typeof args.did === 'string' ? args.did : undefined
  if (LINKING.has(method)) await demandIssuerOfKeys(reader, namedKeys(args))
  if (method === 'didManagerUpdate') await demandIssuerOfKeys(reader, keysInDocument(args.document), did)
  if (method !== 'didManagerImport' || did === undefined) return
  const document = await documentSource(context as IAgentContext<IResolver>)(did)
  await demandIssuerOfKeys(reader, keysInDocument(document), did)
}

/**
 * Whoever gives a DID a key with a certificate decides in whose name the account issues as that DID.
 *
 * @param kids - names of keys, or their public keys in hex
 * @param did - that may have some of them already; absent: that counts as giving them
 * @throws AgentError `forbidden`
 */
export async function demandIssuerOfKeys(
  reader: Reader,
  kids: readonly string[],
  did?: string,
): Promise<void> {
  if (kids.length === 0 || mayCause(currentCaller()?.grant, 'name-issuer')) return
  const [certified] = await reader.query(
    sql`SELECT a.kid FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(currentAccount().id, sql`a.`)} AND a.certificate_chain IS NOT NULL
        AND (a.kid IN (${joinSql(kids)}) OR LOWER(k."publicKeyHex") IN (${joinSql(kids.map((kid) => kid.toLowerCase()))}))
        ${did === undefined ? sql`` : sql`AND NOT ${isOfDid(did)}`} LIMIT 1`,
  )
  if (certified) requireEffect('name-issuer')
}

/** Whether a key of `account_key a` is one of the DID. */
const isOfDid = (did: string): Sql =>
  sql`EXISTS (SELECT 1 FROM account_did_key l WHERE l.home = a.home AND l.account_id = a.account_id
    AND l.did = ${didAsKept(did)} AND l.kid = a.kid)`

/** The keys that arguments name, as such or in `options`. */
function namedKeys({ key, options }: Args): string[] {
  const inOptions = isJsonObject(options) ? [options.key, options.keyRef, options.publicKeyHex] : []
  const names = [key, ...inOptions].map((one) => (isJsonObject(one) ? one.kid : one))
  return names.filter((name) => typeof name === 'string')
}

/** Whatever a caller sends as a document: the provider refuses what is none. */
function keysInDocument(document: unknown): string[] {
  const members = isJsonObject(document) ? Object.values(document).flat() : []
  const verificationMethod = members.filter(isJsonObject) as unknown as NonNullable<
    DIDDocument['verificationMethod']
  >
  return publicKeysOfDocument({ id: '', verificationMethod }).map(({ publicKeyHex }) => publicKeyHex)
}

/** The certificates of keys, in the rows of the keys: they go with them, wherever these go. */
export class KeyCertificates implements KeyCertificateStore, HasMeasurements, HasLifecycle {
  readonly measurements = [askedGauge(CERTIFICATE_EXPIRY, () => this.firstExpiry())]
  readonly lifecycle = { check: () => Promise.resolve([]), diagnose: () => this.diagnose() }

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly unit: UnitOfWork,
    private readonly clock: () => Date = () => new Date(),
  ) {
    requireUnitOfWork(unit)
  }

  /** {@inheritDoc @vidimus/core-types#KeyCertificateStore.find} */
  async find(kid: Kid, did?: string): Promise<readonly string[] | undefined> {
    const account = currentAccount().id
    const [row] = await this.unit.queryRemembered<{ certificate_chain: string | null }>(
      sql`SELECT a.certificate_chain FROM account_key a WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}
        ${did === undefined ? sql`` : sql`AND ${isOfDid(did)}`}`,
      homeOf(account),
    )
    return row?.certificate_chain == null ? undefined : (JSON.parse(row.certificate_chain) as string[])
  }

  /** {@inheritDoc @vidimus/core-types#KeyCertificateStore.put} */
  async put(kid: Kid, chain: readonly string[], expiresAt: Date | undefined): Promise<void> {
    const account = currentAccount().id
    const actor = currentActor()
    const [text, end] =
      chain.length > 0 ? [JSON.stringify(chain), expiresAt?.toISOString() ?? null] : [null, null]
    await changedOnce<void>(this.unit.database, ['certificates', kid, text], (record) =>
      this.unit.transaction(async ({ connection }) => {
        await record(connection)
        const changed = await connection.run(
          sql`UPDATE account_key SET certificate_chain = ${text}, certificate_expires_at = ${end}
          WHERE ${inAccount(account)} AND kid = ${kid}`.changing(homeOf(account)),
        )
        if (changed === 0) throw keyNotFound(kid)
        await insertAuditEvent(connection, { event: 'key-certified', subject: kid }, actor)
      }),
    )
  }

  /** {@inheritDoc @vidimus/core-types#KeyCertificateStore.all} */
  async all(): Promise<{ kid: string; chain: readonly string[] }[]> {
    const rows = await this.unit.database.query<{ kid: string; certificate_chain: string }>(
      sql`SELECT kid, certificate_chain FROM account_key WHERE certificate_chain IS NOT NULL ORDER BY kid`,
    )
    return rows.map(({ kid, certificate_chain: text }) => ({ kid, chain: JSON.parse(text) as string[] }))
  }

  /** In seconds since 1970. */
  private async firstExpiry() {
    const [row] = await this.unit.database.query<{ first: string | null }>(
      sql`SELECT MIN(certificate_expires_at) AS first FROM account_key WHERE certificate_expires_at IS NOT NULL`,
    )
    return row?.first == null ? [] : [{ labels: [], value: Date.parse(row.first) / 1000 }]
  }

  private async diagnose(): Promise<Finding[]> {
    const name = 'certificates'
    const soon = new Date(this.clock().getTime() + SOON_MS).toISOString()
    const from = sql`FROM account_key WHERE certificate_expires_at < ${soon}`
    const { count, examples } = await takeSample(this.unit.database, from, sql`kid`)
    const [row] = await this.unit.database.query<{ n: number | string }>(
      sql`SELECT COUNT(*) AS n FROM account_key WHERE certificate_expires_at IS NOT NULL`,
    )
    const all = Number(row?.n ?? 0)
    if (all === 0) return []
    if (count === 0)
      return [{ name, level: 'ok', message: `valid for more than 30 days: those of ${all} keys` }]
    const message = `expire within 30 days, or have expired: those of ${count} keys (${examples.join(', ')})`
    return [
      {
        name,
        level: 'warn',
        message,
        advice: 'POST /key/csr, and the new certificates to POST /key/certificate',
      },
    ]
  }
}
