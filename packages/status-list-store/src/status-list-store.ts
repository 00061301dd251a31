import {
  hasAuditRows,
  hasMethods,
  isPublicationOutbox,
  parseOptions,
  RepeatedPasses,
  type AccountRows,
  type AuditRows,
  type CheckResult,
  type CredentialRegister as CredentialRegisterSeam,
  type HasAccountRows,
  type HasLifecycle,
  type HasMeasurements,
  type HasSealedStores,
  type KeyEnvelope,
  type Measurement,
  type NoticesRestore,
  type PublicationOutbox,
  type SealedStore,
  type StatusListAddresses,
  type StatusListIndices,
  type StatusListJobs,
  type StatusListKeys,
  type StatusListPaces,
  type StatusListPayments,
  type StatusListRenewals,
  type StatusListSeriesStore,
  type StatusListStore as StatusListStoreSeam,
  type StatusListTurns,
} from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { z } from 'zod'
import { AccountPayments } from './account-payments.js'
import { accountRows } from './account-rows.js'
import { CredentialRegister, daysToMs } from './credential-register.js'
import { Aggregations, ListAddresses } from './list-addresses.js'
import { ListKeys } from './list-keys.js'
import { ListJobs } from './jobs/list-jobs.js'
import { feeMeasurements, fillMeasurements, waitingMeasurements } from './measurements.js'
import { ListPaces } from './list-paces.js'
import { ListRenewals } from './list-renewals.js'
import { ListSeries } from './list-series.js'
import { RegisterKeys } from './register-keys.js'
import { Restores } from './restores.js'
import { TakenIndices } from './taken-indices.js'

export const Options = z.strictObject({
  database: z.custom<Database>(
    (value) => hasMethods(value, 'query', 'write', 'inTurn'),
    'must be a Database of @vidimus/database',
  ),
  envelope: z.custom<KeyEnvelope>(
    (value) => hasMethods(value, 'seal', 'open', 'knows', 'isInUse', 'keyIdOf', 'prepare'),
    'must be a key envelope, for example a PrivateKeyEnvelope of @vidimus/kms-node',
  ),
  publication: z
    .custom<PublicationOutbox>(isPublicationOutbox, 'must be a Publication of @vidimus/publication')
    .optional(),
  keepDaysAfterExpiry: z.number().min(0).max(36_500).default(90),
  maxOpenJobs: z.int().min(1).max(1000).default(10),
  keepJobsDays: z.number().min(0).max(36_500).default(30),
  audit: z
    .custom<AuditRows>(hasAuditRows, 'must be an audit trail in the database, such as AuditLog')
    .optional(),
  clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
})

const SWEEPS = { work: 'deletion of expired credentials and of ended jobs', pauseMs: 3_600_000 }

export interface StatusListStoreOptions {
  /** with the `migrations` of this package */
  database: Database
  /** seals the keys of encrypted lists, and those of the allocation orders */
  envelope: KeyEnvelope
  /** where lists are also written; absent: nowhere */
  publication?: PublicationOutbox
  /** how long the register keeps a credential after it expires, in days from 0 to 36 500; default 90 */
  keepDaysAfterExpiry?: number
  /** mass changes of an account that have not ended, 1 to 1000; default 10 */
  maxOpenJobs?: number
  /** how long an ended mass change and its report are kept, in days from 0 to 36 500; default 30 */
  keepJobsDays?: number
  /** audit trail of imports into the register, of mass changes and of payments; absent: none */
  audit?: AuditRows
  /** current time; default: the system clock */
  clock?: () => Date
}

/** Status list data kept outside the ledger, in the database of the service; several processes may share it. */
export class StatusListStore
  implements
    StatusListStoreSeam,
    HasLifecycle,
    HasSealedStores,
    HasMeasurements,
    HasAccountRows,
    NoticesRestore
{
  readonly indices: StatusListIndices
  readonly keys: StatusListKeys
  /** throw AgentError `no_account_scope` outside an account scope */
  readonly payments: StatusListPayments
  readonly turns: StatusListTurns
  readonly addresses: StatusListAddresses
  readonly renewals: StatusListRenewals
  readonly paces: StatusListPaces
  readonly register: CredentialRegisterSeam
  readonly jobs: StatusListJobs
  readonly series: StatusListSeriesStore
  readonly restores: Restores
  /** `start` throws AgentError `wrong_secret` if the stored data was sealed with another secret. */
  readonly lifecycle = {
    start: () => this.start(),
    stop: () => this.sweeps.stop(),
    check: () => this.check(),
  }
  readonly sealedStores: readonly SealedStore[]
  readonly measurements: readonly Measurement[]
  readonly accountRows: readonly AccountRows[]

  private readonly database: Database
  private readonly start: () => Promise<void>
  private readonly sweeps = new RepeatedPasses(SWEEPS)

  /** @throws AgentError `invalid_configuration` */
  constructor(options: StatusListStoreOptions) {
    const parsed = parseOptions(Options, options)
    const { database, envelope, publication, audit, clock = () => new Date() } = parsed
    this.database = database
    const hashKeys = new RegisterKeys(database, envelope)
    const keepMs = daysToMs(parsed.keepDaysAfterExpiry)
    const register = new CredentialRegister(database, hashKeys, keepMs, clock, audit)
    const jobLimits = { mostOpen: parsed.maxOpenJobs, keepMs: daysToMs(parsed.keepJobsDays) }
    const jobs = new ListJobs(database, envelope, jobLimits, clock, audit)
    const indices = new TakenIndices(database, envelope, register)
    const keys = new ListKeys(database, envelope, clock)
    this.measurements = [
      ...fillMeasurements(database),
      ...feeMeasurements(database, clock),
      ...waitingMeasurements(database, clock),
      register.registered,
      register.forgotten,
      ...jobs.measurements,
    ]
    this.indices = indices
    this.keys = keys
    this.restores = new Restores(database, indices.texts)
    this.register = register
    this.jobs = jobs
    this.sealedStores = [indices.texts, keys.texts, hashKeys.texts, jobs.kept.texts]
    this.start = async () => {
      for (const { texts } of [indices, keys, hashKeys, jobs.kept]) await texts.verify()
      if (database.isReadOnly) return
      this.sweeps.begin(async () => {
        await register.sweep()
        await jobs.sweep()
      })
    }
    this.accountRows = accountRows(database)
    this.payments = new AccountPayments(database, clock, audit)
    const addresses = new ListAddresses(database, indices.texts, publication)
    publication?.adopt(addresses)
    publication?.adopt(new Aggregations(database))
    this.addresses = addresses
    this.renewals = new ListRenewals(database, clock)
    this.series = new ListSeries(database, (did) => this.renewals.holders(did))
    this.paces = new ListPaces(database, clock)
    this.turns = {
      take: (list, work, options) => database.inTurn(list, work, options),
    }
  }

  async noticeRestore(): Promise<string | undefined> {
    return (await this.restores.isInterrupted()) ? 'an earlier `vidimus restored` was interrupted' : undefined
  }

  async serveRestored(): Promise<void> {
    await this.restores.serve()
  }

  private async check(): Promise<CheckResult[]> {
    const name = 'status-list-store'
    try {
      await this.database.probe(sql`SELECT "id" FROM "status_list" WHERE "home" = ${0} AND "id" = ${0}`)
      return [{ name, ok: true }]
    } catch {
      return [{ name, ok: false, message: 'its tables cannot be read from the database' }]
    }
  }
}
