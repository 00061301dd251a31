import type { IAgentPlugin, ICheckCredentialStatusArgs, IPluginMethodMap } from '@veramo/core-types'
import {
  parseOptions,
  problemsError,
  type HasLifecycle,
  type IStatusList,
  type IStatusListDelivery,
  type Lifecycle,
  type StatusListCheckArgs,
  type StatusListCheckResult,
  type StatusListCreateArgs,
  type StatusListCreateResult,
  type StatusListPublication,
  type StatusListSearchArgs,
  type StatusListType,
  type StatusListUpdateArgs,
  type StatusListUpdateResult,
} from '@vidimus/core-types'
import type { z } from 'zod'
import { demandHeldDid, type ReadingContext, type WritingContext } from './agent-context.js'
import { argumentSchemas, checkArguments, type ArgumentSchemas } from './arguments.js'
import { checkList, demandKnownPurpose } from './check-list.js'
import { createList } from './create-list.js'
import { checkCredentialStatus, type CredentialStatusAnswer } from './credential-status.js'
import { deliveryOf } from './list-delivery.js'
import { readFirst, readForPurpose } from './list-location.js'
import { Options, type StatusListPluginOptions } from './plugin-options.js'
import { pluginSchema } from './plugin-schema.js'
import { PublishedLists, type PublishedList } from './published-lists.js'
import { UpdateBatches, type UpdateOutcome } from './update-batches.js'

type InContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}

/** Veramo's seam for the status of credentials, with an answer that leaves nothing open. */
export interface ICredentialStatusCheck extends IPluginMethodMap {
  checkCredentialStatus(args: ICheckCredentialStatusArgs): Promise<CredentialStatusAnswer>
}

/**
 * Agent plugin: status lists that are published as DID-Linked Resources, of whatever types it is given. Beside its own
 * methods it answers `checkCredentialStatus`, which Veramo's verifiers ask. It stands on the agent methods
 * `linkedResource*`, `didJwtCreate`, `didJwtVerify`, `didManagerGet` and `resolveDid`, and makes no call of its own to
 * the outside: a URL in a credential or a request names a list on a ledger, or nothing.
 *
 * Creating and updating need the account in scope to hold the DID; checking and searching are open to everybody.
 */
export class StatusListPlugin implements IAgentPlugin, HasLifecycle {
  readonly methods: InContext<IStatusList & ICredentialStatusCheck & IStatusListDelivery, WritingContext>
  readonly schema
  /** Stopping waits for every accepted update. */
  readonly lifecycle: Lifecycle
  private readonly schemas: ArgumentSchemas
  private readonly options: z.output<typeof Options>
  private readonly lists: PublishedLists
  private readonly batches: UpdateBatches

  /**
   * @param clock - the time now
   * @throws AgentError `invalid_configuration`
   */
  constructor(
    options: StatusListPluginOptions,
    private readonly clock: () => Date = () => new Date(),
  ) {
    this.options = parseOptions(Options, options)
    this.lists = new PublishedLists(this.options)
    this.batches = new UpdateBatches(this.lists, clock)
    this.lifecycle = { stop: () => this.batches.idle() }
    this.schemas = argumentSchemas(this.options.maxIndicesPerCall)
    this.schema = pluginSchema(this.schemas)
    this.methods = {
      statusListCreate: this.statusListCreate.bind(this),
      statusListUpdate: this.statusListUpdate.bind(this),
      statusListCheck: this.statusListCheck.bind(this),
      statusListSearch: this.statusListSearch.bind(this),
      statusListTypes: this.statusListTypes.bind(this),
      checkCredentialStatus: this.checkCredentialStatus.bind(this),
      statusListDelivery: this.statusListDelivery.bind(this),
    }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListCreate} */
  private async statusListCreate(
    args: StatusListCreateArgs,
    context: WritingContext,
  ): Promise<StatusListCreateResult> {
    checkArguments(this.schemas.statusListCreate, args)
    const type = this.typeNamed(args.listType)
    await demandHeldDid(args.did, context)
    const published = await createList(type, args, this.options, this.lists, context, this.clock())
    return { created: true, encrypted: false, ...publicationOf(type, published) }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListUpdate} */
  private async statusListUpdate(
    args: StatusListUpdateArgs,
    context: WritingContext,
  ): Promise<StatusListUpdateResult> {
    checkArguments(this.schemas.statusListUpdate, args)
    const type = this.typeNamed(args.listType)
    const { did, statusListName, statusListVersion, statusAction: action, indices } = args
    await demandHeldDid(did, context)
    const resourceTypes = type.resourceTypesOfAction(action)
    const target = { type, did, statusListName, resourceTypes, statusListVersion }
    const outcome = await this.batches.submit(target, { action, indices }, context)
    const { published, changed } = outcome
    return { updated: true, changed, ...flagOf(type, action, outcome), ...publicationOf(type, published) }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListCheck} */
  private async statusListCheck(
    args: StatusListCheckArgs,
    context: ReadingContext,
  ): Promise<StatusListCheckResult> {
    checkArguments(this.schemas.statusListCheck, args)
    const type = this.typeNamed(args.listType)
    return checkList(type, args, this.options.maxIndicesPerCall, this.lists, context, this.clock())
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListSearch} */
  private async statusListSearch(
    args: StatusListSearchArgs,
    context: ReadingContext,
  ): Promise<StatusListPublication & { found: true }> {
    checkArguments(this.schemas.statusListSearch, args)
    const type = this.typeNamed(args.listType)
    const { statusPurpose } = args
    if (statusPurpose !== undefined) demandKnownPurpose(type, statusPurpose)
    const published =
      statusPurpose === undefined
        ? await readFirst(type, args, type.resourceTypes(), this.lists, context)
        : await readForPurpose(type, args, statusPurpose, this.lists, context)
    if (published.list.failure) throw published.list.failure.error
    return { found: true, ...publicationOf(type, published) }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListTypes} */
  private statusListTypes(): ReturnType<IStatusList['statusListTypes']> {
    return Promise.resolve(
      this.options.types.map(({ type, entryType, purposes, statusSizes }) => ({
        type,
        entryType,
        purposes: [...purposes],
        statusSizes: [...statusSizes],
      })),
    )
  }

  /** {@inheritDoc @veramo/core-types#ICredentialStatusVerifier.checkCredentialStatus} */
  private async checkCredentialStatus(
    args: ICheckCredentialStatusArgs,
    context: ReadingContext,
  ): Promise<CredentialStatusAnswer> {
    checkArguments(this.schemas.checkCredentialStatus, args)
    const { types } = this.options
    return checkCredentialStatus(args.credential, types, this.lists, context, this.clock())
  }

  /** {@inheritDoc @vidimus/core-types#IStatusListDelivery.statusListDelivery} */
  private async statusListDelivery(
    args: Parameters<IStatusListDelivery['statusListDelivery']>[0],
  ): ReturnType<IStatusListDelivery['statusListDelivery']> {
    checkArguments(this.schemas.statusListDelivery, args)
    return Promise.resolve(deliveryOf(this.options.types, args))
  }

  private typeNamed(listType: string): StatusListType {
    const found = this.options.types.find(({ type }) => type === listType)
    if (found) return found
    const known = this.options.types.map(({ type }) => type).join(', ')
    throw problemsError('unknown_list_type', [
      { path: 'listType', message: `"${listType}" is not one of ${known}` },
    ])
  }
}

/** A copy: what the cache holds belongs to nobody outside. */
const publicationOf = (type: StatusListType, { list, metadata }: PublishedList): StatusListPublication =>
  structuredClone({ resource: type.toResource(list.doc, list.entries), resourceMetadata: metadata })

/** What now is true of the entries, by the name of the action. */
function flagOf(
  type: StatusListType,
  action: string,
  { value, published: { list } }: UpdateOutcome,
): Partial<StatusListUpdateResult> {
  if (action === 'revoke') return { revoked: true }
  if (action === 'suspend') return { suspended: true }
  if (action === 'reinstate') return { unsuspended: true }
  const { status, message } = type.report(list.layout, value, 'message')
  return { status, ...(message !== undefined && { message }) }
}
