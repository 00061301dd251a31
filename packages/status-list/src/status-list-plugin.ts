import type { IAgentPlugin, IPluginMethodMap } from '@veramo/core-types'
import {
  checkArguments,
  parseOptions,
  pluginSchema,
  problemsError,
  requireEffect,
  withCost,
  type ICredentialRegister,
  type HasLifecycle,
  type HasMeasurements,
  type IStatusList,
  type IStatusListCredentials,
  type IStatusListDelivery,
  type IStatusListJobs,
  type IStatusListPayments,
  type IStatusListRenewals,
  type IStatusListRestores,
  type IStatusListSeries,
  type Lifecycle,
  type Measurement,
  type PageRequest,
  type StatusListCheckArgs,
  type StatusListCheckResult,
  type StatusListCreateArgs,
  type StatusListCreateResult,
  type StatusListSearchArgs,
  type StatusListSearchResult,
  type StatusListType,
  type StatusListUpdateArgs,
  type StatusListUpdateCredentialArgs,
  type StatusListUpdateCredentialResult,
  type StatusListUpdateResult,
} from '@vidimus/core-types'
import { listNamed } from './versions/list-location.js'
import {
  credentialRegisterMethods,
  statusListJobMethods,
  statusListMethods,
  type StatusListMethods,
} from '@vidimus/core-types/schemas'
import type { z } from 'zod'
import type { UpdateOutcome } from './updates/applied-batch.js'
import { publishingAct, withHolding, type UnlockingContext, type WritingContext } from './agent-context.js'
import { deliveryMethods } from './addresses/delivery-methods.js'
import { ListAddresses } from './addresses/list-addresses.js'
import { allocationMethods } from './indices/allocation-methods.js'
import { checkList } from './checks/check-list.js'
import type { Checking } from './checks/list-at.js'
import { entriesMethods } from './checks/list-entries.js'
import { checkCredentialStatus, type CredentialStatusAnswer } from './checks/credential-status.js'
import type { CredentialStatusCheckArgs, ICredentialStatusCheck } from './checks/credential-status-check.js'
import { ForeignLists } from './strangers/foreign-lists.js'
import { FeeAllowance } from './fees/fee-allowance.js'
import { FeePayments } from './fees/fee-payments.js'
import { ListAccess } from './encryption/list-access.js'
import { ListCiphers } from './encryption/list-cipher.js'
import { Options, type StatusListPluginOptions } from './plugin-options.js'
import { PublishedLists } from './versions/published-lists.js'
import { ShownPublications } from './updates/shown-publications.js'
import { withAction, withEntryToUpdate } from './credentials/named-credential.js'
import type { CredentialUpdatingContext } from './credentials/update-credential.js'
import { demandPublication } from './updates/awaited-publication.js'
import { flagOfUpdate, updateVisibility } from './updates/update-flag.js'
import { demandReceipt, type ReceiptSources } from './receipts/new-receipt.js'
import { receiptMethods } from './receipts/receipt-methods.js'
import { JobMethods, type JobContext } from './jobs/job-methods.js'
import { registerMethods } from './register/register-methods.js'
import { restoreMethods } from './restore/restore-methods.js'
import { searchList } from './series/search-list.js'
import { SeriesMethods } from './series/series-methods.js'
import { PacedLists } from './pace/paced-lists.js'
import { ListSpans } from './renewal/list-spans.js'
import { SigningMethods } from './renewal/signing-methods.js'
import { typeFacts, typeNamed } from './types/type-named.js'
import { UpdateBatches } from './updates/update-batches.js'

type InContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}

type Context = CredentialUpdatingContext & UnlockingContext & JobContext
type MethodsInContext = InContext<IStatusList & ICredentialStatusCheck & IStatusListDelivery, Context> &
  Partial<InContext<IStatusListCredentials, Context>> &
  Partial<
    InContext<
      IStatusListRenewals & IStatusListRestores & ICredentialRegister & IStatusListJobs & IStatusListSeries,
      Context
    >
  > &
  Partial<IStatusListPayments>

/**
 * Agent plugin: status lists published as DID-Linked Resources, of the configured types. Beside its own methods it
 * implements `checkCredentialStatus`, which Veramo's verifiers call. It is built on the agent methods
 * `linkedResource*`, `didJwtVerify`, `didHeldKey`, `didHolding`, `didSign` and `resolveDid`. Lists of others are read over
 * https, only from public hosts, and if they are credentials, verified by the agent method `credentialVerify`.
 *
 * Creating and updating require the account in scope to hold the DID; checking and searching are open to everyone.
 * With a store of keys and payments lists can be encrypted: their bits are for the account that holds the DID, and
 * for accounts that meet their payment conditions by the agent methods `ledgerTransfer*`.
 */
export class StatusListPlugin implements IAgentPlugin, HasLifecycle, HasMeasurements {
  /** `statusListAllocate` only if there is a store for allocated indices */
  readonly methods: MethodsInContext
  readonly schema
  /** Stopping waits for every accepted update. */
  readonly lifecycle: Lifecycle
  readonly measurements: readonly Measurement[]
  private readonly described: StatusListMethods
  private readonly options: z.output<typeof Options>
  private readonly lists: PublishedLists
  private readonly batches: UpdateBatches
  private readonly spans: ListSpans
  private readonly paces: PacedLists
  private readonly publications = new ShownPublications()
  private readonly access: ListAccess
  private readonly addresses: ListAddresses
  private readonly foreign: ForeignLists | undefined
  private readonly ofSeries: SeriesMethods

  /**
   * @param clock - the time now
   * @throws AgentError `invalid_configuration`
   */
  constructor(
    options: StatusListPluginOptions,
    private readonly clock: () => Date = () => new Date(),
  ) {
    this.options = parseOptions(Options, options)
    const { store, maxFeeCheq: perList, maxFeesPerDayCheq: perAccountAndDay, events } = this.options
    const fees = store && new FeePayments(store.payments, { perList, perAccountAndDay }, events, clock)
    this.lists = new PublishedLists(this.options, new ListCiphers(store?.keys))
    this.access = new ListAccess(fees)
    this.addresses = new ListAddresses(this.options, store?.addresses)
    const { web, maxDecodedBytes, minForeignEntries } = this.options
    this.foreign = web === false ? undefined : new ForeignLists(web, maxDecodedBytes, minForeignEntries)
    this.spans = new ListSpans(store?.renewals, clock)
    this.paces = new PacedLists(store?.paces, this.lists.ciphers, clock)
    this.batches = new UpdateBatches(this.lists, clock, this.spans, store?.turns, events, this.paces)
    const counted = this.lists.counts.with({
      waiting: () => this.batches.waiting,
      writers: () => this.batches.writing,
    })
    this.described = statusListMethods({
      maxIndices: this.options.maxIndicesPerCall,
      lengths: {
        least: Math.min(...this.options.types.map(({ minLength }) => minLength)),
        most: this.options.maxListLength,
      },
    })
    const { lists, batches, spans, paces, publications, described, addresses } = this
    const { types, nextMemberAt } = this.options
    const parts = { types, lists, batches, spans, paces, publications, described, addresses, store, clock }
    const creation = { limits: this.options, lists, addresses, spans, paces }
    this.ofSeries = new SeriesMethods({ ...parts, creation, nextMemberAt, events })
    const { series } = this.ofSeries
    const signing = new SigningMethods({ ...parts, series, begun: (context) => this.ofSeries.begin(context) })
    const { maxJobRows: mostRows, rights } = this.options
    const jobs = store && new JobMethods({ ...parts, store, events, rights, mostRows })
    this.measurements = [
      ...counted,
      ...signing.measurements,
      ...(jobs?.measurements ?? []),
      ...this.ofSeries.measurements,
    ]
    this.lifecycle = {
      stop: async () => {
        await jobs?.stop()
        await signing.stop()
        await this.ofSeries.stop()
        await this.batches.idle()
      },
    }
    this.methods = {
      statusListCreate: (args, context) => withCost(() => this.statusListCreate(args, context)),
      statusListUpdate: (args, context) => withCost(() => this.statusListUpdate(args, context)),
      ...signing.methods,
      ...jobs?.methods,
      ...this.ofSeries.methods,
      statusListCheck: this.statusListCheck.bind(this),
      statusListSearch: this.statusListSearch.bind(this),
      ...entriesMethods(parts),
      statusListTypes: () => Promise.resolve(this.options.types.map(typeFacts)),
      checkCredentialStatus: this.checkCredentialStatus.bind(this),
      ...deliveryMethods(this.options.types, this.addresses, this.described),
      ...allocationMethods({ ...parts, series, events }),
      ...registerMethods({ ...parts, events }),
      ...receiptMethods(parts),
      ...restoreMethods(parts),
      statusListUpdateCredential: (args, context) =>
        withCost(() => this.statusListUpdateCredential(args, context)),
      ...(fees && { statusListFees: () => fees.today() }),
      ...(store && {
        statusListPayments: (args?: PageRequest) => store.payments.list(args ?? {}),
      }),
    }
    this.schema = pluginSchema(
      { ...this.described, ...credentialRegisterMethods, ...statusListJobMethods },
      this.methods,
    )
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListCreate} */
  private async statusListCreate(
    given: StatusListCreateArgs,
    context: WritingContext,
  ): Promise<StatusListCreateResult> {
    const args = checkArguments(this.described.statusListCreate.arguments, given)
    const type = this.typeNamed(args.listType)
    const held = await withHolding(args.did, publishingAct(type), context)
    const { published, ...series } = await this.ofSeries.create(type, args, held)
    const publication = this.publications.of(type, published)
    return { created: true, encrypted: args.encrypted ?? false, ...series, ...publication }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListUpdate} */
  private async statusListUpdate(
    given: StatusListUpdateArgs,
    context: WritingContext,
  ): Promise<StatusListUpdateResult> {
    const args = checkArguments(this.described.statusListUpdate.arguments, given)
    const type = this.typeNamed(args.listType)
    const name = listNamed(args)
    const { statusListVersion, statusAction: action, indices, encrypted = false, paymentConditions } = args
    if (paymentConditions && !encrypted) throw problemsError('invalid_input', [FOR_ENCRYPTED_ALONE])
    requireEffect(encrypted ? 'revoke-encrypted' : 'revoke-by-index')
    const awaited = demandPublication(args, this.options)
    const held = await withHolding(name.did, publishingAct(type), context)
    const receiptOf = await demandReceipt(args.receipt, name.did, this.receiptSources(held))
    const kind = { encrypted, paymentConditions, statusListVersion }
    const target = { type, ...name, resourceTypes: type.resourceTypesOfAction(action), ...kind }
    const operation = { action, indices, receipt: args.receipt }
    const submitted = () => this.batches.submit(target, operation, held)
    const outcome = await this.ofSeries.orNaming(name, type, held, submitted)
    const beside = { ...(await receiptOf(outcome, operation)), ...(await awaited(outcome)) }
    return { ...this.answerOf(type, action, outcome), ...beside }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListCheck} */
  private async statusListCheck(
    given: StatusListCheckArgs,
    context: UnlockingContext,
  ): Promise<StatusListCheckResult> {
    const args = checkArguments(this.described.statusListCheck.arguments, given)
    const type = this.typeNamed(args.listType)
    const { maxIndicesPerCall } = this.options
    const check = () => checkList(type, args, maxIndicesPerCall, this.checking(context))
    const { did, statusListName } = args
    if (did === undefined || statusListName === undefined) return check()
    return this.ofSeries.orNaming(listNamed({ did, statusListName }), type, context, check)
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListSearch} */
  private async statusListSearch(
    given: StatusListSearchArgs,
    context: WritingContext,
  ): Promise<StatusListSearchResult> {
    const args = checkArguments(this.described.statusListSearch.arguments, given)
    const { lists, publications, paces, ofSeries } = this
    return searchList(this.typeNamed(args.listType), args, { lists, publications, paces, ofSeries, context })
  }

  /** {@inheritDoc @vidimus/core-types#IStatusListCredentials.statusListUpdateCredential} */
  private async statusListUpdateCredential(
    args: StatusListUpdateCredentialArgs,
    context: CredentialUpdatingContext,
  ): Promise<StatusListUpdateCredentialResult> {
    checkArguments(this.described.statusListUpdateCredential.arguments, args)
    const { action, listType, statusListVersion } = withAction(args)
    requireEffect(`${action}-by-credential`)
    const awaited = demandPublication(args, this.options)
    if (listType !== undefined) this.typeNamed(listType)
    const { lists, addresses } = this
    const sources = { types: this.options.types, lists, addresses, store: this.options.store, context }
    return withEntryToUpdate({ ...args, action }, sources, async (found) => {
      const { type, location, index, encrypted } = found
      const { resourceType, ...list } = location
      const target = { type, ...list, resourceTypes: [resourceType], statusListVersion, encrypted }
      const receiptOf = await demandReceipt(args.receipt, list.did, this.receiptSources(context))
      const operation = { action, indices: [index], receipt: args.receipt }
      const outcome = await this.batches.submit(target, operation, context)
      const beside = { ...(await receiptOf(outcome, operation)), ...(await awaited(outcome)) }
      return { ...this.answerOf(type, action, outcome), ...beside, ...list, listType: type.type, index }
    })
  }

  /** {@inheritDoc @veramo/core-types#ICredentialStatusVerifier.checkCredentialStatus} */
  private async checkCredentialStatus(
    args: CredentialStatusCheckArgs,
    context: UnlockingContext,
  ): Promise<CredentialStatusAnswer> {
    checkArguments(this.described.checkCredentialStatus.arguments, args)
    const { types } = this.options
    const { credential, makeFeePayment = false, maxFee } = args
    const payer = { makeFeePayment, allowance: new FeeAllowance(maxFee) }
    return checkCredentialStatus(credential, types, payer, this.checking(context))
  }

  private receiptSources(context: WritingContext): ReceiptSources {
    return { lists: this.lists, addresses: this.addresses, context, now: this.clock }
  }

  private checking(context: UnlockingContext): Checking {
    const { lists, addresses, access, foreign, paces } = this
    const { statusIssuers } = this.options
    return { lists, addresses, access, foreign, paces, statusIssuers, context, now: this.clock() }
  }

  private answerOf(type: StatusListType, action: string, outcome: UpdateOutcome): StatusListUpdateResult {
    const publication = this.publications.of(type, outcome.published)
    const { changed } = outcome
    const said = { ...flagOfUpdate(type, action, outcome), ...updateVisibility(outcome) }
    return { updated: true, changed, ...said, ...publication }
  }

  private readonly typeNamed = (listType: string): StatusListType => typeNamed(this.options.types, listType)
}

const FOR_ENCRYPTED_ALONE = { path: 'paymentConditions', message: 'are only for encrypted lists' }
