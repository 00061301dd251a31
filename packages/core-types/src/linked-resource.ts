import type { ToldChange } from './account-events.js'
import type { IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import type { WithCost } from './costs.js'
import type { NextPage, PageRequest, Total, WholeOrPage } from './paging.js'
import type * as schemas from './schemas/index.js'

/** Metadata of one version of a DID-Linked Resource, as section 2.8 of the API contract has it. */
export type LinkedResourceMetadata = z.output<typeof schemas.LinkedResourceMetadata>

/** The newest version, and how many there are of its name and type. */
export interface NewestResource {
  versions: number
  metadata: LinkedResourceMetadata
}

/** A version of a resource with its content. */
export interface LinkedResource {
  metadata: LinkedResourceMetadata
  /** the content, base64url without padding, so that it survives JSON */
  data: string
}

/** Names a resource: all of its versions share these. */
export interface LinkedResourceName {
  did: string
  resourceName: string
  resourceType: string
}

export interface LinkedResourceCreateArgs extends LinkedResourceName {
  /** base64url without padding, 1 to 2 097 152 bytes decoded */
  data: string
  /** at most 64 bytes */
  resourceVersion?: string
  /** at most 100, and 16 384 bytes: everybody who reads it would have them read */
  alsoKnownAs?: { uri: string; description: string }[]
  /** UUID of the new version, which no other of the DID may have; left out: a random one */
  resourceId?: string
  /**
   * Optimistic lock: the `resourceId` that must be the newest version (`null`: there must be none yet).
   * Left out, the new version follows whatever is newest.
   */
  expectedPrevious?: string | null
}

/** No JSON can have this member: whoever calls from outside is not believed to be the engine of status lists. */
const OF_LIST_ENGINE = Symbol.for('vidimus: a version of a status list, by its engine')

/** Marks a version of a status list as one that its engine has made: nobody else adds versions to a list. */
export const byListEngine = (
  args: LinkedResourceCreateArgs,
  mark: EngineMark = {},
): LinkedResourceCreateArgs & MarkedByEngine => Object.assign({ ...args }, { [OF_LIST_ENGINE]: mark })

/** What the engine of status lists says of a resource that it creates; `undefined`: another is creating it. */
export const markOfListEngine = (args: LinkedResourceCreateArgs): EngineMark | undefined =>
  (args as Partial<MarkedByEngine>)[OF_LIST_ENGINE]

export interface EngineMark {
  /** what the account is to be told, by whoever creates the resource; who does so takes it away */
  told?: ToldChange
  /** what it does to entries of the list, for the audit trail */
  actions?: readonly string[]
}

interface MarkedByEngine {
  [OF_LIST_ENGINE]: EngineMark
}

/**
 * DID-Linked Resources of the DIDs that the account in scope holds. Reading is open to everybody, as published
 * resources are public.
 */
export interface ILinkedResource extends IPluginMethodMap {
  /**
   * Publishes a new version, signed with the keys of the DID; resolves when it is durable.
   *
   * @throws AgentError `did_not_found` where the account does not hold the DID, `key_not_found` where it lacks a key
   * that must sign, `did_deactivated`, `list_exists` for another version of a status list, `ledger_rule`, `version_conflict`, `ledger_unavailable`
   */
  linkedResourceCreate(args: LinkedResourceCreateArgs): Promise<WithCost<LinkedResourceMetadata>>
  /** The newest version, or `null` where there is none. */
  linkedResourceGetLatest(args: LinkedResourceName): Promise<LinkedResource | null>
  /** Metadata of the newest version, or `null`: cheap, to find out whether something cached is still current. */
  linkedResourceGetLatestMetadata(args: LinkedResourceName): Promise<LinkedResourceMetadata | null>
  /** One version, or `null`. */
  linkedResourceGet(args: { did: string; resourceId: string }): Promise<LinkedResource | null>
  /**
   * Metadata of the versions of all resources of a DID, oldest first.
   *
   * @param args - `limit` and `after`, a `resourceId`: a page; without either, all
   * @throws AgentError `invalid_input`, also where there are too many for one answer
   */
  linkedResourceList(args: { did: string } & WholeOrPage): Promise<LinkedResourceMetadata[]>
  /**
   * Of each name and type of a DID the newest version, in the order of both, page by page.
   *
   * @param args - `resourceTypes`: these alone
   */
  linkedResourceListNewest(
    args: { did: string; resourceTypes?: readonly string[] } & PageRequest,
  ): Promise<{ resources: NewestResource[] } & Total & NextPage>
  /** The versions of one resource, newest first, page by page. @throws AgentError `resource_not_found` */
  linkedResourceListVersions(
    args: LinkedResourceName & PageRequest,
  ): Promise<{ versions: LinkedResourceMetadata[] } & Total & NextPage>
}
