import { isSameKey } from '@vidimus/verification-methods'
import {
  NETWORKS,
  parseOptions,
  problemsError,
  withCost,
  type ChecksCreateOptions,
  type Cost,
  type Network,
  type WithCost,
} from '@vidimus/core-types'
import { isUuid, normaliseDidUrl, publicKeyOf, type Ledger, type LedgerDidDoc } from '@vidimus/ledger'
import type { DIDDocument, IAgentContext, IIdentifier, IKey, IKeyManager, IService } from '@veramo/core-types'
import { AbstractIdentifierProvider } from '@veramo/did-manager'
import { z } from 'zod'
import { parseCreateOptions, Service } from './create-options.js'
import { recordCreation } from './creation-record.js'
import { prepareDID, type PreparedDID } from './did-creation.js'
import {
  keyNotInDocument,
  keysAfter,
  replaceDidDoc,
  withinBounds,
  withKey,
  withoutKey,
  withoutService,
  withService,
  type CheqdAddKeyOptions,
} from './did-doc-changes.js'
import { changeDidDoc, withoutWriting } from './did-doc-writing.js'
import {
  heldIdentifier,
  heldMethods,
  keyOfMethod,
  keysByPublicKey,
  type SigningContext,
} from './held-keys.js'
import { askLedger, LedgerList, LedgersByNetwork } from './ledgers-by-network.js'
import { signMessage } from './message-signing.js'
import { parseInput } from './parse-input.js'
import { serviceFragment, serviceEntry, toHeldService, toLedgerService } from './service-entries.js'

export interface CheqdDIDProviderOptions {
  /** one for each network on which DIDs can be made */
  ledgers: Ledger[]
  /** name of the KMS that creates new keys by default */
  defaultKms: string
  /** the network of new DIDs if neither the caller nor the document names one; default: that of the first ledger */
  defaultNetwork?: Network
}

/** The result of a document change on the ledger. */
export interface DidDocWritten {
  /** UUID of the version with the requested content */
  versionId: string
  /** upper-case hex; absent if the document had it already, so that nothing was written */
  txHash?: string
  /** absent if nothing was paid */
  cost?: Cost
}

/** How a whole document is replaced. */
export interface CheqdUpdateOptions {
  /** the ledger has the document already */
  localOnly?: boolean
  /** `versionId` of the document on which the new one is based */
  expectedPrevious?: string
}

const UpdateArguments = z.object({
  options: z
    .object({
      localOnly: z.boolean().optional(),
      expectedPrevious: z.string().refine(isUuid, 'must be the UUID of a version').optional(),
    })
    .optional(),
})

export const Options = z.strictObject({
  ledgers: LedgerList,
  defaultKms: z.string().min(1),
  defaultNetwork: z.enum(NETWORKS).optional(),
})

/**
 * Provider of did:cheqd for all networks, over any {@link Ledger}. Keys never leave their KMS: the agent's key
 * manager signs for the ledger in the scope of the caller's account.
 */
export class CheqdDIDProvider extends AbstractIdentifierProvider {
  readonly checkCreateOptions: ChecksCreateOptions['checkCreateOptions'] = parseCreateOptions
  private readonly ledgers: LedgersByNetwork
  private readonly defaultKms: string
  private readonly defaultNetwork: Network

  /** @throws AgentError `invalid_configuration` */
  constructor(options: CheqdDIDProviderOptions) {
    super()
    const { ledgers, defaultKms, defaultNetwork } = parseOptions(Options, options)
    this.ledgers = new LedgersByNetwork(ledgers)
    this.defaultKms = defaultKms
    this.defaultNetwork = defaultNetwork ?? firstNetwork(this.ledgers.networks)
  }

  override matchPrefix(prefix: string): boolean {
    return prefix === 'did:cheqd' || prefix.startsWith('did:cheqd:')
  }

  /**
   * Creates a DID and its document on the ledger.
   *
   * @param args - `options` are {@link CheqdCreateOptions}
   * @throws AgentError `invalid_input` with every problem at the path that it has in the HTTP contract,
   * `key_not_found`, `did_taken`, `ledger_rule`, `ledger_unavailable`
   */
  createIdentifier(
    args: { kms?: string; alias?: string; options?: unknown },
    context: IAgentContext<IKeyManager>,
  ): Promise<WithCost<Omit<IIdentifier, 'provider'>>> {
    return withCost(() => this.create(args, context as SigningContext))
  }

  private async create(
    args: { kms?: string; alias?: string; options?: unknown },
    context: SigningContext,
  ): Promise<Omit<IIdentifier, 'provider'>> {
    const { ledgers, defaultKms, defaultNetwork } = this
    const prepared = await prepareDID(
      { kms: args.kms, options: args.options },
      { ledgers, defaultKms, defaultNetwork },
      context,
    )
    const identifier = toIdentifier(prepared, args.alias)
    const { ledger, message, key } = prepared
    const signed = await signMessage({ message, keys: [key] }, ledger, context)
    const { joined, ...guard } = await recordCreation(identifier, { ledger, signed }, context)
    if (!joined) await askLedger(ledger.submit(signed, guard))
    return identifier
  }

  /**
   * Replaces the whole DID document, signed with the old and the new keys as far as the account holds them.
   *
   * New keys are found by their public halves: create them with `keyManagerCreate` first. With `options.localOnly`
   * the ledger is not written, and the account's keys and services are synchronised with the given document.
   *
   * `options.expectedPrevious` is the `versionId` of the document on which the new one is based, as in the resolution
   * metadata: if that is not the newest one any more, nothing changes. Without it, the new document replaces whatever
   * there is.
   *
   * @throws AgentError `invalid_input`, `did_not_found`, `did_deactivated`, `key_not_found`, `ledger_rule`,
   *   `version_conflict`, `ledger_unavailable`
   */
  updateIdentifier(
    args: { did: string; document: Partial<DIDDocument>; options?: CheqdUpdateOptions },
    context: IAgentContext<IKeyManager>,
  ): Promise<WithCost<IIdentifier>> {
    return withCost(() => this.update(args, context as SigningContext))
  }

  private async update(
    args: { did: string; document: Partial<DIDDocument>; options?: CheqdUpdateOptions },
    context: SigningContext,
  ): Promise<IIdentifier> {
    const { localOnly, expectedPrevious } = parseInput(UpdateArguments, args).options ?? {}
    const identifier = await heldIdentifier(args.did, context)
    const located = this.ledgers.locate(identifier.did)
    let found: IKey[] = []
    const of = async (current: LedgerDidDoc) => {
      const next = withinBounds(replaceDidDoc(current, args.document), current)
      found = await findNewKeys(next, identifier.keys, context)
      return { next, keys: [...identifier.keys, ...found] }
    }
    const basis = expectedPrevious === undefined ? 'whatever there is' : { versionId: expectedPrevious }
    const change = { located, of, basis } as const
    const { before, after } = localOnly ? await withoutWriting(change) : await changeDidDoc(change, context)
    return updatedIdentifier(
      identifier,
      after,
      keysAfter(localOnly ? undefined : before, after, identifier.keys, found),
    )
  }

  /** Lets go of the DID: a ledger cannot delete. To end its use, deactivate it before. */
  deleteIdentifier(_identifier: IIdentifier): Promise<boolean> {
    return Promise.resolve(true)
  }

  /**
   * Adds a key to the DID document, under the first free `#key-<n>`.
   *
   * @throws AgentError as {@link updateIdentifier}
   */
  async addKey(
    args: { identifier: IIdentifier; key: IKey; options?: CheqdAddKeyOptions },
    context: IAgentContext<IKeyManager>,
  ): Promise<DidDocWritten> {
    const keys = [...args.identifier.keys, args.key]
    return this.change(args.identifier, (doc) => withKey(doc, args.key, args.options), context, keys)
  }

  /**
   * Removes a key and everything that refers to it from the DID document; the key itself stays in the account.
   *
   * @throws AgentError as {@link updateIdentifier}; `key_not_found` at `kid`
   */
  async removeKey(
    args: { identifier: IIdentifier; kid: string; options?: unknown },
    context: IAgentContext<IKeyManager>,
  ): Promise<DidDocWritten> {
    const key = args.identifier.keys.find(({ kid }) => kid === args.kid)
    if (!key) throw keyNotInDocument()
    return this.change(args.identifier, (doc) => withoutKey(doc, key), context)
  }

  /**
   * @param args - the id of the service may be absolute, `#<fragment>` or the bare fragment
   * @throws AgentError as {@link updateIdentifier}
   */
  async addService(
    args: { identifier: IIdentifier; service: IService; options?: unknown },
    context: IAgentContext<IKeyManager>,
  ): Promise<DidDocWritten> {
    const { did } = args.identifier
    const { service } = parseInput(z.object({ service: Service }), {
      service: withoutDescription(args.service),
    })
    const fragment = serviceFragment(absoluteId(did, service.id ?? ''), normaliseDidUrl(did))
    if (fragment === undefined) {
      throw problemsError('invalid_input', [{ path: 'service.id', message: `must be ${did}#<fragment>` }])
    }
    return this.change(
      args.identifier,
      (doc) => withService(doc, toLedgerService(serviceEntry(service, fragment), doc.id)),
      context,
    )
  }

  /** @throws AgentError as {@link updateIdentifier}; `invalid_input` if the document has no such service */
  async removeService(
    args: { identifier: IIdentifier; id: string; options?: unknown },
    context: IAgentContext<IKeyManager>,
  ): Promise<DidDocWritten> {
    const id = absoluteId(args.identifier.did, args.id)
    return this.change(args.identifier, (doc) => withoutService(doc, id), context)
  }

  private async change(
    identifier: IIdentifier,
    change: (doc: LedgerDidDoc) => LedgerDidDoc,
    context: IAgentContext<IKeyManager>,
    keys: readonly IKey[] = identifier.keys,
  ): Promise<DidDocWritten> {
    const located = this.ledgers.locate(identifier.did)
    const of = (current: LedgerDidDoc) => ({ next: withinBounds(change(current), current), keys })
    return withCost(async () => {
      const { versionId, txHash } = await changeDidDoc(
        { located, of, basis: 'made of the newest' },
        context as SigningContext,
      )
      return { versionId, ...(txHash !== undefined && { txHash }) }
    })
  }
}

function firstNetwork(networks: readonly Network[]): Network {
  const [first] = networks
  if (!first) throw new TypeError('no ledger, which the options refuse')
  return first
}

const toIdentifier = (
  { did, key, message }: PreparedDID,
  alias: string | undefined,
): Omit<IIdentifier, 'provider'> => ({
  did,
  ...(alias === undefined ? {} : { alias }),
  controllerKeyId: key.kid,
  keys: [key],
  services: message.payload.service.map(toHeldService),
})

function updatedIdentifier(before: IIdentifier, doc: LedgerDidDoc, keys: IKey[]): IIdentifier {
  const { controllerKeyId: former, ...identifier } = before
  const [controlling] = heldMethods(doc, keys)
  const kept = keys.find(({ kid }) => kid === former)?.kid
  const controllerKeyId = kept ?? controlling?.key.kid
  return {
    ...identifier,
    ...(controllerKeyId === undefined ? {} : { controllerKeyId }),
    keys,
    services: doc.service.map(toHeldService),
  }
}

/** Keys of the account that are in the document, but were not among those of the DID so far. */
async function findNewKeys(
  doc: LedgerDidDoc,
  known: readonly IKey[],
  context: SigningContext,
): Promise<IKey[]> {
  const methods = doc.verificationMethod.filter((method) => !keyOfMethod(method, known))
  const keys = await keysByPublicKey(
    methods.flatMap((method) => publicKeyOf(method) ?? []),
    context,
  )
  return keys.filter((key, n) => keys.findIndex((other) => isSameKey(key, other)) === n)
}

const absoluteId = (did: string, id: string): string => {
  if (id.startsWith('#')) return did + id
  return id.includes('#') ? normaliseDidUrl(id) : `${did}#${id}`
}

/** Veramo's services may carry a description, for which a DID document has no place. */
function withoutDescription(service: IService): unknown {
  if (typeof service !== 'object') return service
  const { description: _description, ...others } = service
  return others
}
