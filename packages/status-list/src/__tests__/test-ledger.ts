import { createHash, randomUUID } from 'node:crypto'
import type { IAgentContext, IAgentPlugin, IDIDManager, IResolver } from '@veramo/core-types'
import {
  AgentError,
  type ILinkedResource,
  type LatestResourcesArgs,
  type LinkedResource,
  type LinkedResourceCreateArgs,
  type LinkedResourceMetadata,
  type LinkedResourceName,
  type LinkedResourcePublishArgs,
} from '@vidimus/core-types'
import type { DIDDocument, DIDResolutionResult } from 'did-resolver'

/** With what the engine adds to the versions of its lists. */
type Published = LinkedResourceCreateArgs & Pick<LinkedResourcePublishArgs, 'records'>

interface Version {
  metadata: LinkedResourceMetadata
  data: string
}

/**
 * DID documents and append-only histories of resources in memory: a version names the one before it, and no two
 * versions name the same one.
 */
export class TestLedger {
  readonly documents = new Map<string, DIDDocument>()
  readonly deactivated = new Set<string>()
  readonly calls = { create: 0, getLatest: 0, getLatestMetadata: 0 }
  /** runs before a version is taken: to be slow, to fail, to let others be faster */
  beforeCommit: (args: Published) => Promise<void> = () => Promise.resolve()
  private readonly histories = new Map<string, Version[]>()

  /** Agents share a ledger, each through a plugin of its own. */
  plugin(): IAgentPlugin {
    const methods = {
      linkedResourceCreate: async (args: LinkedResourceCreateArgs, context: IAgentContext<IDIDManager>) => {
        await context.agent.didManagerGet({ did: args.did })
        this.calls.create++
        await this.beforeCommit(args)
        return this.append(args)
      },
      linkedResourcePublish: async (
        { holding: { did }, ...args }: LinkedResourcePublishArgs,
        context: IAgentContext<IDIDManager>,
      ) => {
        await context.agent.didManagerGet({ did })
        this.calls.create++
        await this.beforeCommit({ did, ...args })
        return this.append({ did, ...args })
      },
      linkedResourceGetLatest: async (name: LinkedResourceName) => {
        this.calls.getLatest++
        return this.latest(name)
      },
      linkedResourceGetLatestMetadata: async (name: LinkedResourceName) => {
        this.calls.getLatestMetadata++
        return this.latest(name)?.metadata ?? null
      },
      linkedResourceFindLatest: async (
        { did, resourceName, resourceTypes, documentVersion }: LatestResourcesArgs,
        { agent }: IAgentContext<IResolver>,
      ) => {
        this.calls.getLatestMetadata++
        const named = resourceTypes.map((resourceType) => ({ did, resourceName, resourceType }))
        const { didDocument, didDocumentMetadata } = await agent.resolveDid({ didUrl: did })
        const isAlive = documentVersion && !didDocumentMetadata.deactivated
        return {
          resources: named.flatMap((name) => this.latest(name)?.metadata ?? []),
          documentVersion: isAlive ? (didDocumentMetadata.versionId ?? JSON.stringify(didDocument)) : null,
        }
      },
      linkedResourceGet: async ({ resourceId }: { did: string; resourceId: string }) =>
        [...this.histories.values()].flat().find(({ metadata }) => metadata.resourceId === resourceId) ??
        null,
    } satisfies Partial<Record<keyof ILinkedResource, unknown>>
    return { methods }
  }

  /** A version published by somebody who does not use this package. */
  append(args: LinkedResourceCreateArgs): LinkedResourceMetadata {
    const history = this.history(args)
    const newest = history.at(-1)
    const previous = newest?.metadata.resourceId ?? null
    if (args.expectedPrevious !== undefined && args.expectedPrevious !== previous) {
      throw new AgentError('version_conflict', 'another writer was faster')
    }
    const resourceId = args.resourceId ?? randomUUID()
    if (newest) newest.metadata = { ...newest.metadata, nextVersionId: resourceId }
    const content = Buffer.from(args.data, 'base64url')
    const metadata: LinkedResourceMetadata = {
      resourceURI: `${args.did}/resources/${resourceId}`,
      resourceCollectionId: args.did.split(':').at(-1) ?? '',
      resourceId,
      resourceName: args.resourceName,
      resourceType: args.resourceType,
      mediaType: content.at(0) === 0x7b ? 'application/json' : 'text/plain; charset=utf-8',
      resourceVersion: args.resourceVersion ?? '',
      created: new Date().toISOString().replace(/\.\d+/, ''),
      checksum: createHash('sha256').update(content).digest('hex'),
      previousVersionId: previous,
      nextVersionId: null,
    }
    this.histories.set(keyOf(args), [...history, { metadata, data: args.data }])
    return metadata
  }

  appendText(name: LinkedResourceName, text: string): LinkedResourceMetadata {
    return this.append({ ...name, data: Buffer.from(text).toString('base64url') })
  }

  /** Changes stored content, which must never happen. */
  tamper(name: LinkedResourceName, change: (content: string) => string): void {
    const newest = this.history(name).at(-1)
    if (!newest) throw new Error('there is nothing to tamper with')
    const content = Buffer.from(change(Buffer.from(newest.data, 'base64url').toString()))
    newest.data = content.toString('base64url')
    const checksum = createHash('sha256').update(content).digest('hex')
    newest.metadata = { ...newest.metadata, checksum }
  }

  history(name: LinkedResourceName): Version[] {
    return this.histories.get(keyOf(name)) ?? []
  }

  newestText(name: LinkedResourceName): string {
    return Buffer.from(this.history(name).at(-1)?.data ?? '', 'base64url').toString()
  }

  resolve(did: string): Promise<DIDResolutionResult> {
    const didDocument = this.documents.get(did) ?? null
    const didResolutionMetadata = didDocument ? {} : { error: 'notFound' }
    const didDocumentMetadata = this.deactivated.has(did) ? { deactivated: true } : {}
    return Promise.resolve({ didDocument, didResolutionMetadata, didDocumentMetadata })
  }

  private latest(name: LinkedResourceName): LinkedResource | null {
    return this.history(name).at(-1) ?? null
  }
}

const keyOf = ({ did, resourceName, resourceType }: LinkedResourceName): string =>
  JSON.stringify([did, resourceName, resourceType])
