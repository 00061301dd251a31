import type { ToldChange } from './account-events.js'
import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { WithCost } from './costs.js'
import type { DIDHolding } from './did-holding.js'
import type * as schemas from './schemas/index.js'
import type { WithVersion } from './with-version.js'

/** Metadata of one version of a DID-Linked Resource, as section 2.8 of the API contract has it. */
export type LinkedResourceMetadata = z.output<typeof schemas.LinkedResourceMetadata>

type Methods = typeof schemas.linkedResourceMethods

/** The newest version, and how many there are of its name and type. */
export type NewestResource = z.output<typeof schemas.NewestResource>

/** A version of a resource with its content. */
export type LinkedResource = z.output<typeof schemas.LinkedResource>

/** Names a resource: all of its versions share these. */
export type LinkedResourceName = z.output<Methods['linkedResourceGetLatest']['arguments']>

export type LatestResourcesArgs = z.output<Methods['linkedResourceFindLatest']['arguments']>
export type LatestResources = z.output<Methods['linkedResourceFindLatest']['returns']>

export type LinkedResourceCreateArgs = z.output<Methods['linkedResourceCreate']['arguments']>

/** A new version of a status list, by its engine: nothing else adds versions to a list. */
export interface LinkedResourcePublishArgs extends Omit<LinkedResourceCreateArgs, 'did'> {
  /** what secures the list was signed under its document, which must still be the newest one */
  holding: DIDHolding
  /** the account's event */
  told?: ToldChange | undefined
  /** its changes to entries of the list, for the audit trail */
  actions?: readonly string[]
  /** recorded with the version, where its ledger or the record of its message is in the same database */
  records?: readonly WithVersion[]
}

/**
 * DID-Linked Resources of the DIDs that the account in scope holds. Anyone may read, as published resources are
 * public.
 */
export interface ILinkedResource extends IPluginMethodMap {
  /**
   * Publishes a new version, signed with the keys of the DID; resolves when it is durable.
   *
   * @throws AgentError `did_not_found` if the account does not hold the DID, `key_not_found` if it lacks a required
   *   key, `did_deactivated`, `list_exists` for another version of a status list, `ledger_rule`, `version_conflict`,
   *   `ledger_unavailable`
   */
  linkedResourceCreate(args: LinkedResourceCreateArgs): Promise<WithCost<LinkedResourceMetadata>>
  /**
   * Publishes a new version of a status list as a holding that was obtained before. Not for callers of other services.
   *
   * @throws AgentError as {@link linkedResourceCreate}, and `version_conflict` at `did` if the document of the holding is no
   *   longer the newest one: ask for another holding and sign again
   */
  linkedResourcePublish(args: LinkedResourcePublishArgs): Promise<WithCost<LinkedResourceMetadata>>
  /** The newest version, or `null` if there is none. */
  linkedResourceGetLatest(args: LinkedResourceName): Promise<LinkedResource | null>
  /** Metadata of the newest version, or `null`: a cheap check whether a cached version is still current. */
  linkedResourceGetLatestMetadata(args: LinkedResourceName): Promise<LinkedResourceMetadata | null>
  /**
   * The newest versions of one name, of those types that have one; and the version of the DID document, under which what secures
   * them must be valid: one question in place of several.
   */
  linkedResourceFindLatest(args: LatestResourcesArgs): Promise<LatestResources>
  /** One version, or `null`. */
  linkedResourceGet(args: z.output<Methods['linkedResourceGet']['arguments']>): Promise<LinkedResource | null>
  /**
   * Metadata of the versions of all resources of a DID, oldest first.
   *
   * @param args - `limit` and `after`, a `resourceId`: a page; without either, all
   * @throws AgentError `invalid_input`, also if there are too many for one response
   */
  linkedResourceList(
    args: z.output<Methods['linkedResourceList']['arguments']>,
  ): Promise<LinkedResourceMetadata[]>
  /**
   * The newest version of each name and type of a DID, ordered by both, page by page.
   *
   * @param args - `resourceTypes`: only these
   */
  linkedResourceListNewest(
    args: z.output<Methods['linkedResourceListNewest']['arguments']>,
  ): Promise<z.output<Methods['linkedResourceListNewest']['returns']>>
  /** The versions of one resource, newest first, page by page. @throws AgentError `resource_not_found` */
  linkedResourceListVersions(
    args: z.output<Methods['linkedResourceListVersions']['arguments']>,
  ): Promise<z.output<Methods['linkedResourceListVersions']['returns']>>
}
