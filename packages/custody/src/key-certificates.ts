import { insertAuditEvent } from '@vidimus/accounts'
import {
  askedGauge,
  changedOnce,
  currentAccount,
  currentActor,
  currentCaller,
  mayCause,
  requireEffect,
  type Finding,
  type HasLifecycle,
  type HasMeasurements,
  type KeyCertificateStore,
} from '@vidimus/core-types'
import { homeOf, inAccount, joinSql, sql, takeSample, type Reader } from '@vidimus/database'
import { keyNotFound } from './key-rows.js'
import { CERTIFICATE_EXPIRY } from './measurements.js'
import { requireUnitOfWork } from './require-unit-of-work.js'
import type { UnitOfWork } from './unit-of-work.js'

/** How long before its end a certificate is to be replaced. */
const SOON_MS = 30 * 86_400_000

/**
 * Whoever puts a key with a certificate into a DID document decides in whose name the account issues as that DID.
 *
 * @param kids - names of keys, or their public keys in hex
 * @throws AgentError `forbidden`
 */
export async function demandIssuerOfKeys(reader: Reader, kids: readonly string[]): Promise<void> {
  if (kids.length === 0 || mayCause(currentCaller()?.grant, 'name-issuer')) return
  const [certified] = await reader.query(
    sql`SELECT a.kid FROM account_key a JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(currentAccount().id, sql`a.`)} AND a.certificate_chain IS NOT NULL
        AND (a.kid IN (${joinSql(kids)}) OR LOWER(k."publicKeyHex") IN (${joinSql(kids.map((kid) => kid.toLowerCase()))}))
      LIMIT 1`,
  )
  if (certified) requireEffect('name-issuer')
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
  async find(kid: string): Promise<readonly string[] | undefined> {
    const account = currentAccount().id
    const [row] = await this.unit.queryRemembered<{ certificate_chain: string | null }>(
      sql`SELECT certificate_chain FROM account_key WHERE ${inAccount(account)} AND kid = ${kid}`,
      homeOf(account),
    )
    return row?.certificate_chain == null ? undefined : (JSON.parse(row.certificate_chain) as string[])
  }

  /** {@inheritDoc @vidimus/core-types#KeyCertificateStore.put} */
  async put(kid: string, chain: readonly string[], expiresAt: Date | undefined): Promise<void> {
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
