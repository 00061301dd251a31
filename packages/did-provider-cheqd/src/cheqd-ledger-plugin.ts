import { randomUUID } from 'node:crypto'
import {
  inCheq,
  AgentError,
  currentAccount,
  currentCaller,
  demandHolding,
  auditEntryOfChange,
  isAccountEventSink,
  mayHaveMade,
  parseOptions,
  publishWaiting,
  recordsLedgerChanges,
  signedAgain,
  signerLeft,
  withCost,
  type AccountEventSink,
  type AuditTrail,
  type DIDHolding,
  type DidUrlDereferenceArgs,
  type IDidUrlDereferencing,
  type ILedgerSpending,
  type ILinkedResource,
  type LedgerChange,
  type LinkedResource,
  type LinkedResourceCreateArgs,
  type LinkedResourceMetadata,
  type LinkedResourceName,
  type LinkedResourcePublishArgs,
  type Network,
  type SpentOf,
  type WithCost,
} from '@vidimus/core-types'
import { linkedResourceMethods } from '@vidimus/core-types/schemas'
import {
  toLinkedResourceMetadata,
  type DidDocWithMetadata,
  type Ledger,
  type LedgerDidDoc,
  type ResourceWithMetadata,
} from '@vidimus/ledger'
import type { DIDResolutionResult, IAgentPlugin, IKey, IPluginMethodMap } from '@veramo/core-types'
import { z } from 'zod'
import { onLedger, resolutionResult } from './cheqd-did-resolver.js'
import { AuditTrailOption } from './audit-option.js'
import { dereferenceDidUrl, type ResolvingContext } from './did-url-dereferencing.js'
import { heldIdentifier, type SigningContext } from './held-keys.js'
import { DeactivateArguments, ledgerPluginSchema } from './ledger-plugin-schema.js'
import { askLedger, LedgerList, LedgersByNetwork, type LocatedDid } from './ledgers-by-network.js'
import { findPredecessor } from './kept-lists.js'
import { readLiveDidDoc } from './live-did-doc.js'
import { parseInput } from './parse-input.js'
import { submitSigned, type SigningOptions } from './message-signing.js'
import { findLatest, latestMetadata, listNewest, listResources, listVersions } from './resource-lists.js'

export interface CheqdLedgerPluginOptions {
  /** one for each network whose DIDs can publish and be read */
  ledgers: Ledger[]
  /** where new resources and deactivations are recorded, in agents without a `DIDCreationPlugin` */
  audit?: AuditTrail
  /** gets events of deactivations; absent: no events */
  events?: AccountEventSink
}

/** A configured ledger of did:cheqd. */
export interface CheqdNetwork {
  network: Network
  /** `embedded`, `cheqd` or a third party's own word */
  kind: string
  /** DIDs on it are local to this installation */
  local: boolean
}

/** The functions of did:cheqd beside creating and resolving DIDs. */
export interface ICheqdLedger extends IPluginMethodMap {
  /**
   * Deactivates a DID that the account in scope holds, for good.
   *
   * @returns how the DID resolves from now on
   * @throws AgentError `did_not_found`, `did_deactivated`, `key_not_found`, `ledger_unavailable`
   */
  cheqdDeactivate(args: { did: string }, context: SigningContext): Promise<WithCost<DIDResolutionResult>>
  cheqdNetworks(): Promise<CheqdNetwork[]>
}

export const Options = z.strictObject({
  ledgers: LedgerList,
  audit: AuditTrailOption,
  events: z
    .custom<AccountEventSink>(
      isAccountEventSink,
      'must accept events, such as Events of @vidimus/account-events',
    )
    .optional(),
})

/**
 * Agent plugin: DID-Linked Resources of did:cheqd (cheqd ADR 002), deactivation, the networks, and dereferencing of
 * DID URLs.
 *
 * Methods throw AgentError `invalid_input` with every problem of their arguments, `did_not_resolvable` for a network
 * without a configured ledger, and otherwise as their interfaces state.
 */
export class CheqdLedgerPlugin implements IAgentPlugin {
  readonly methods: ILinkedResource & ICheqdLedger & IDidUrlDereferencing & ILedgerSpending
  readonly schema = ledgerPluginSchema()
  private readonly ledgers: LedgersByNetwork
  private readonly audit: AuditTrail | undefined
  private readonly events: AccountEventSink | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(options: CheqdLedgerPluginOptions) {
    const { ledgers, audit, events } = parseOptions(Options, options)
    this.ledgers = new LedgersByNetwork(ledgers)
    this.audit = audit
    this.events = events
    this.methods = {
      linkedResourceCreate: (args: LinkedResourceCreateArgs, context: SigningContext) =>
        withCost(() => this.createOnce(args, context)),
      linkedResourcePublish: (args: LinkedResourcePublishArgs, context: SigningContext) =>
        withCost(() => this.linkedResourcePublish(args, context)),
      linkedResourceGetLatest: this.linkedResourceGetLatest.bind(this),
      linkedResourceGetLatestMetadata: async (args: unknown) => latestMetadata(this.ledgers, args),
      linkedResourceFindLatest: async (args: unknown) => findLatest(this.ledgers, args),
      linkedResourceGet: this.linkedResourceGet.bind(this),
      linkedResourceList: async (args: unknown) => listResources(this.ledgers, args),
      linkedResourceListNewest: async (args: unknown) => listNewest(this.ledgers, args),
      linkedResourceListVersions: async (args: unknown) => listVersions(this.ledgers, args),
      cheqdDeactivate: (args: { did: string }, context: SigningContext) =>
        withCost(() => signedAgain(args.did, () => this.cheqdDeactivate(args, context))),
      cheqdNetworks: this.cheqdNetworks.bind(this),
      didUrlDereference: (args: DidUrlDereferenceArgs, context: ResolvingContext) =>
        dereferenceDidUrl(args, this.ledgers, context),
      ledgerSpending: () => this.spending(),
    } as ILinkedResource & ICheqdLedger & IDidUrlDereferencing & ILedgerSpending
  }

  /** A repeated request with an idempotency key finds the version that it created. */
  private async createOnce(
    args: LinkedResourceCreateArgs,
    context: SigningContext,
  ): Promise<LinkedResourceMetadata> {
    const { did } = args
    const { run } = currentCaller() ?? {}
    const resourceId = args.resourceId ?? run?.nextVersionId('resource')
    const named = resourceId === undefined ? args : { ...args, resourceId }
    const before =
      resourceId !== undefined &&
      run?.before &&
      (await mayHaveMade({ kind: 'resource', did, versionId: resourceId }, context)) &&
      (await this.linkedResourceGet({ did, resourceId }))
    if (before) return before.metadata
    return signedAgain(did, () => this.linkedResourceCreate(named, context))
  }

  private async linkedResourceCreate(
    args: LinkedResourceCreateArgs,
    context: SigningContext,
  ): Promise<LinkedResourceMetadata> {
    const { did, ...resource } = parseInput(linkedResourceMethods.linkedResourceCreate.arguments, args)
    const located = this.ledgers.locate(did)
    const { keys } = await heldIdentifier(located.did, context)
    const { didDoc: current } = await readLiveDidDoc(located)
    const expectedPrevious = await findPredecessor(args, located, context)
    return this.publish({ ...resource, expectedPrevious }, { located, current, keys }, context)
  }

  /** What secures the list must be signed again as well if the document changes, so its engine does that. */
  private async linkedResourcePublish(
    { holding, told, actions, records, ...version }: LinkedResourcePublishArgs,
    context: SigningContext,
  ): Promise<LinkedResourceMetadata> {
    const { keys } = demandHolding(holding)
    const args = { did: holding.did, ...version }
    const { did, ...resource } = parseInput(linkedResourceMethods.linkedResourceCreate.arguments, args)
    const located = this.ledgers.locate(did)
    const { didDoc: current, metadata } = await heldDocument(holding, located)
    return this.publish(resource, { located, current, keys }, context, {
      resourceKind: 'statusList',
      documentVersion: metadata.versionId,
      told,
      actions,
      records,
    })
  }

  private async publish(
    { data, resourceName, resourceType, expectedPrevious, ...optional }: NewVersion,
    { located, ...signing }: { located: LocatedDid; current: LedgerDidDoc; keys: readonly IKey[] },
    context: SigningContext,
    options: SigningOptions = { resourceKind: 'resource' },
  ): Promise<LinkedResourceMetadata> {
    const payload = {
      data: Buffer.from(data, 'base64url'),
      collectionId: located.id,
      id: optional.resourceId?.toLowerCase() ?? randomUUID(),
      name: resourceName,
      resourceType,
      version: optional.resourceVersion ?? '',
      alsoKnownAs: optional.alsoKnownAs ?? [],
    }
    const message = { type: 'createResource' as const, payload }
    const { resource } = await submitSigned({ message, ...signing }, located.ledger, context, {
      ...options,
      ...(expectedPrevious !== undefined && { expectedPrevious }),
    })
    if (!resource) {
      throw new AgentError('internal_error', 'the ledger committed a resource without returning its metadata')
    }
    const metadata = toLinkedResourceMetadata(located.network, resource)
    const { actions } = options
    const change = { kind: 'resource', did: located.did, ...(actions && { actions }) } as const
    await this.auditAlone(change, context, metadata)
    return metadata
  }

  private async linkedResourceGetLatest(args: LinkedResourceName): Promise<LinkedResource | null> {
    const { did, resourceName, resourceType } = parseInput(
      linkedResourceMethods.linkedResourceGetLatest.arguments,
      args,
    )
    const { network, id, ledger } = this.ledgers.locate(did)
    return toLinkedResource(
      network,
      await askLedger(ledger.getLatestResource(id, resourceName, resourceType)),
    )
  }

  private async linkedResourceGet(args: { did: string; resourceId: string }): Promise<LinkedResource | null> {
    const { did, resourceId } = parseInput(linkedResourceMethods.linkedResourceGet.arguments, args)
    const { network, id, ledger } = this.ledgers.locate(did)
    return toLinkedResource(network, await askLedger(ledger.getResource(id, resourceId.toLowerCase())))
  }

  private async cheqdDeactivate(
    args: { did: string },
    context: SigningContext,
  ): Promise<DIDResolutionResult> {
    const located = this.ledgers.locate(parseInput(DeactivateArguments, args).did)
    const { keys } = await heldIdentifier(located.did, context)
    await publishWaiting(located.did, context)
    const { didDoc: current } = await readLiveDidDoc(located)
    const payload = { id: located.did, versionId: randomUUID() }
    const message = { type: 'deactivateDidDoc' as const, payload }
    const event = { type: 'did.deactivated', subject: located.did } as const
    const told = this.events && { events: this.events, event }
    const { didDoc } = await submitSigned(
      { message, current, keys },
      located.ledger,
      context,
      told && { told },
    )
    if (didDoc) {
      await this.auditAlone({ kind: 'deactivation', did: located.did }, context)
      return resolutionResult(located, didDoc)
    }
    throw new AgentError('internal_error', 'the ledger deactivated a DID without returning its document')
  }

  /**
   * One row for each version, however many calls are in it; agents that record changes beforehand write it from that
   * record.
   */
  private async auditAlone(
    change: Pick<LedgerChange, 'kind' | 'did' | 'actions'>,
    context: SigningContext,
    resource?: LinkedResourceMetadata,
  ): Promise<void> {
    if (!recordsLedgerChanges(context)) await this.audit?.record(auditEntryOfChange(change, resource))
  }

  private async spending(): Promise<Record<string, SpentOf>> {
    const account = currentAccount().id
    const spent: Record<string, SpentOf> = {}
    for (const { network, spending } of this.ledgers.all()) {
      const today = await spending?.today(account)
      if (!today) continue
      const limit = today.most === undefined ? {} : { limit: inCheq(today.most) }
      spent[network] = { used: inCheq(today.spent), ...limit }
    }
    return spent
  }

  private cheqdNetworks(): Promise<CheqdNetwork[]> {
    return Promise.resolve(this.ledgers.all().map(({ network, kind, local }) => ({ network, kind, local })))
  }
}

const toLinkedResource = (
  network: Network,
  resource: ResourceWithMetadata | undefined,
): LinkedResource | null =>
  resource
    ? {
        metadata: toLinkedResourceMetadata(network, resource.metadata),
        data: Buffer.from(resource.data).toString('base64url'),
      }
    : null

type NewVersion = Omit<LinkedResourceCreateArgs, 'did'>

/** The document of a holding; a transaction of its ledger compares the version, and of a ledger elsewhere nobody can but we. */
async function heldDocument(holding: DIDHolding, located: LocatedDid): Promise<DidDocWithMetadata> {
  const known = onLedger(holding.document)
  if (known && located.ledger.participation) return known
  const live = await readLiveDidDoc(located)
  if (live.metadata.versionId !== holding.version) throw signerLeft(located.did)
  return live
}
