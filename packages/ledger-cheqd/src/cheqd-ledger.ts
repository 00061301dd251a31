import {
  log,
  parseOptions,
  type AccountRows,
  type CheckResult,
  type HasAccountRows,
  type HasLifecycle,
  type HasMeasurements,
  type Measurement,
  type Network,
  type NoticesRestore,
} from '@vidimus/core-types'
import {
  authoriseMessage,
  cheqdDid,
  encodeMessage,
  isChange,
  isOnItsWay,
  MeasuredSubmission,
  normaliseDid,
  normaliseUniqueId,
  subjectOf,
  validateMessage,
  type DidDocMetadata,
  type DidDocWithMetadata,
  type FoundResource,
  type Ledger,
  type LedgerBank,
  type LedgerMessage,
  type LedgerReceipt,
  type LedgerSpending,
  type ResourceSummary,
  type ResourceQuery,
  type ResourceWithMetadata,
  type SubmitOptions,
  type VersionPage,
} from '@vidimus/ledger'
import { diagnoseChain } from './chain-diagnosis.js'
import { ChainNode } from './chain-node.js'
import { chainCheck, reportOn, type CheqdReport } from './chain-report.js'
import { ChainState } from './chain-state.js'
import { KnownHeight } from './known-height.js'
import { CheqdBank } from './cheqd-bank.js'
import { CheqdSending } from './cheqd-sending.js'
import { findDidDoc, findDidDocVersions } from './did-doc-queries.js'
import { networkMeasurements, nodeFailureCounter } from './measurements.js'
import { messageSlot } from './message-slot.js'
import { migrations } from './migrations.js'
import { accountRows } from './account-rows.js'
import { assertMigrated } from './assert-migrated.js'
import { Options, type CheqdLedgerOptions, type Settings } from './options.js'
import { PayerAccount } from './payer.js'
import { PayerShortage } from './payer-shortage.js'
import { ledgerReceipt } from './receipts.js'
import { ResourceQueries } from './resource-queries.js'
import { RpcEndpoints } from './rpc-endpoints.js'
import { versionsPage } from './versions-page.js'

const CREATION = ['createDidDoc'] as const
const DOCUMENTS = [...CREATION, 'updateDidDoc', 'deactivateDidDoc'] as const
const RESOURCES = ['createResource'] as const

/** How long a look at the network serves the next health check. */
const REPORT_SERVES_MS = 2_000

/**
 * A cheqd network, over the RPC of its nodes. Writes go through an outbox in the service's database: they are stored
 * before they are sent, and sent once, whatever becomes of this process, its connection and the node. Several
 * processes may share a database and a payer: one of them sends.
 */
export class CheqdLedger implements Ledger, HasLifecycle, HasMeasurements, HasAccountRows, NoticesRestore {
  readonly kind = 'cheqd'
  readonly local = false
  readonly network: Network
  readonly bank: LedgerBank
  readonly spending: LedgerSpending = { today: (account) => this.spentToday(account) }
  readonly measurements: readonly Measurement[]
  readonly accountRows: readonly AccountRows[]
  readonly lifecycle = {
    start: () => this.start(),
    stop: () => this.sending.sender.stop(),
    check: () => this.check(),
    diagnose: () =>
      diagnoseChain(
        this.settings,
        () => this.report(),
        () => this.noticeRestore(),
      ),
  }

  readonly noticeRestore = () => this.sending.forgotten.notice()
  readonly acceptRestore = () => this.sending.forgotten.accept()

  private readonly submission: MeasuredSubmission
  private readonly settings: Settings
  /** nodes are contacted over http, where anyone in between can forge responses */
  private readonly inClear: boolean
  private readonly state: ChainState
  private readonly node: ChainNode
  private readonly resources: ResourceQueries
  private readonly sending: CheqdSending
  private readonly shortage: PayerShortage
  private looked: { report: Promise<CheqdReport>; until: number } | undefined

  /** Nothing is contacted. @throws AgentError `invalid_configuration` */
  constructor(options: CheqdLedgerOptions) {
    const { payer, rpc, allowHttp, ...settings } = parseOptions(Options, options)
    assertMigrated(settings.database, migrations)
    const nodeFailures = nodeFailureCounter(settings.network)
    const endpoints = new RpcEndpoints(rpc, settings, nodeFailures)
    this.submission = new MeasuredSubmission(settings.network, this.kind)
    this.settings = settings
    this.inClear = allowHttp
    this.shortage = new PayerShortage(settings.network, settings.events)
    this.network = settings.network
    this.accountRows = accountRows(settings)
    this.state = new ChainState(endpoints, new KnownHeight(settings.database, settings), settings.agree)
    this.node = new ChainNode(endpoints)
    this.resources = new ResourceQueries(this.state)
    const { state, node, resources } = this
    const account = payer && PayerAccount.of(payer)
    this.sending = new CheqdSending({ settings, state, node, resources, ...(account && { account }) })
    const { outbox, rows } = this.sending
    this.bank = new CheqdBank({
      network: settings.network,
      state,
      node,
      outbox,
      rows,
      ...(account && { payer: account }),
      assertAffordable: (payer, message) =>
        this.sending.costs(payer).assertAffordable({ kind: 'payment', message, gasAttempts: 0 }),
      submission: this.submission,
      maxFeesPerDay: settings.maxFeesPerDayCheq,
    })
    this.measurements = [
      ...this.submission.measurements,
      ...networkMeasurements({
        network: settings.network,
        rows: this.sending.rows,
        nodeFailures,
        hasPayer: account !== undefined,
        report: () => this.recentReport(),
      }),
    ]
  }

  /**
   * @throws LedgerError of phase `check` or `deliver` with the codes of cheqd-node and cosmos-sdk (`sdk` 5 if the
   *   payer has too little, `vidimus` 6 above `maxFee`, 7 if no block can hold it, 8 above the daily limit); of phase
   *   `conflict` (`vidimus` 1) if `expectedPrevious` is not the newest version; of phase `transport` if nothing was
   *   sent; of phase `timeout` if the message continues by itself. The signal's reason if it aborts before that.
   */
  submit(message: LedgerMessage, options: SubmitOptions = {}): Promise<LedgerReceipt> {
    return this.submission.run(message.type, () => this.shortage.tellOf(() => this.send(message, options)))
  }

  private async send(
    message: LedgerMessage,
    { signal, resourceKind, handOver, ...options }: SubmitOptions,
  ): Promise<LedgerReceipt> {
    const expectedPrevious = message.type === 'createDidDoc' ? undefined : options.expectedPrevious
    signal?.throwIfAborted()
    validateMessage(this.network, message)
    const payer = await this.sending.payer()
    const subject = subjectOf(this.network, message)
    const created = message.type === 'createDidDoc' ? subject : undefined
    await authoriseMessage(this.network, message, { findDidDoc: (did) => this.documentFor(did, created) })
    const encoded = encodeMessage(message)
    const affordable = { kind: message.type, message: encoded, gasAttempts: 0 }
    const fee = await this.sending.costs(payer).assertAffordable(affordable)
    const changes = isChange(message.type, resourceKind, (expectedPrevious ?? null) === null)
    const outcome = await this.sending.outbox.submit(
      payer.address,
      {
        kind: message.type,
        subject,
        slot: expectedPrevious === undefined ? null : messageSlot(this.network, message),
        expectedPrevious: expectedPrevious === undefined ? null : (expectedPrevious ?? '').toLowerCase(),
        memo: '',
        message: encoded,
        ...(handOver && { handOver }),
        expense: { fee, mostPerDay: this.settings.maxSpendPerDay, isChange: changes },
      },
      signal,
    )
    this.state.wrote(outcome.height)
    return ledgerReceipt(message.type, outcome)
  }

  /** @throws LedgerError of phase `transport` also while the creation of the DID, or the named version, waits for its block */
  async getDidDoc(did: string, versionId?: string): Promise<DidDocWithMetadata | undefined> {
    const id = normaliseDid(did)
    const version = versionId?.toLowerCase()
    const kinds = version === undefined ? CREATION : DOCUMENTS
    return this.sending.orOnItsWay({ did: id, version, kinds }, () => findDidDoc(this.state, id, version))
  }

  /** Of two creations of one DID either may fail for another reason: it is the chain that decides between them. */
  private async documentFor(
    did: string,
    created: string | undefined,
  ): Promise<DidDocWithMetadata | undefined> {
    try {
      return await this.getDidDoc(did)
    } catch (error) {
      if (did === created && isOnItsWay(error)) return undefined
      throw error
    }
  }

  async listDidDocVersions(did: string, page: VersionPage): Promise<DidDocMetadata[]> {
    const versions = await findDidDocVersions(this.state, normaliseDid(did))
    return versionsPage(versions, page, ({ versionId }) => versionId)
  }

  async findDidDocVersion(did: string, before: Date): Promise<DidDocMetadata | undefined> {
    const versions = await findDidDocVersions(this.state, normaliseDid(did))
    return versions.findLast(({ created, updated }) => (updated ?? created) < before)
  }

  /** @throws LedgerError of phase `transport` also while it waits for its block */
  getResource(collectionId: string, id: string): Promise<ResourceWithMetadata | undefined> {
    const [collection, version] = [normaliseUniqueId(collectionId), id.toLowerCase()]
    const made = { did: cheqdDid(this.network, collection), version, kinds: RESOURCES }
    return this.sending.orOnItsWay(made, () => this.resources.find(collection, version))
  }

  getResourceMetadata(collectionId: string, id: string): Promise<ResourceSummary | undefined> {
    return this.resources.findMetadata(normaliseUniqueId(collectionId), id.toLowerCase())
  }

  getLatestResource(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceWithMetadata | undefined> {
    return this.resources.findLatest(normaliseUniqueId(collectionId), name, type)
  }

  getLatestResourceMetadata(
    collectionId: string,
    name: string,
    type: string,
  ): Promise<ResourceSummary | undefined> {
    return this.resources.findLatestMetadata(normaliseUniqueId(collectionId), name, type)
  }

  findResources(collectionId: string, query: ResourceQuery): Promise<FoundResource[]> {
    return this.resources.newest(normaliseUniqueId(collectionId), query)
  }

  async listResources(collectionId: string, page: VersionPage): Promise<ResourceSummary[]> {
    return versionsPage(await this.resources.list(normaliseUniqueId(collectionId)), page, ({ id }) => id)
  }

  async listResourceVersions(
    collectionId: string,
    name: string,
    type: string,
    page: VersionPage,
  ): Promise<ResourceSummary[]> {
    const all = await this.resources.list(normaliseUniqueId(collectionId))
    const versions = all.filter((one) => one.name === name && one.resourceType === type)
    return versionsPage(versions.toReversed(), page, ({ id }) => id)
  }

  async countResources(
    collectionId: string,
    types: readonly string[] | undefined,
    most: number,
  ): Promise<{ seen: number; fitting: number }> {
    const found = await this.findResources(collectionId, { limit: most })
    const fitting = found.filter(({ resourceType }) => types?.includes(resourceType) ?? true)
    return { seen: found.length, fitting: fitting.length }
  }

  async countVersions(collectionId: string, name: string, type: string): Promise<number> {
    const all = await this.resources.list(normaliseUniqueId(collectionId))
    return all.filter((one) => one.name === name && one.resourceType === type).length
  }

  check(): Promise<CheckResult[]> {
    return chainCheck(this.settings, () => this.recentReport())
  }

  /** The state of the network and the payer, for an operator. @throws LedgerError if no node can be reached */
  report(): Promise<CheqdReport> {
    const { settings, state, node, sending } = this
    return reportOn({ settings, state, node, sending })
  }

  /** Whatever the node does: the service starts, and {@link check} reports it. */
  private async start(): Promise<void> {
    if (this.inClear) {
      const { network } = this.settings
      log('warn', 'allowHttp: others on the way to the nodes can change what they say', { network })
    }
    if (!this.sending.account || this.settings.database.isReadOnly) return
    this.sending.sender.start()
    await this.sending.account.open().catch(() => undefined)
  }

  private async spentToday(account: string) {
    const { database, maxSpendPerDay: most } = this.settings
    const spent = await this.sending.rows.spending.today(database, await database.now(), account)
    return { spent, most }
  }

  private recentReport(): Promise<CheqdReport> {
    const now = performance.now()
    if (!this.looked || this.looked.until < now) {
      this.looked = { report: this.report(), until: now + REPORT_SERVES_MS }
    }
    return this.looked.report
  }
}
