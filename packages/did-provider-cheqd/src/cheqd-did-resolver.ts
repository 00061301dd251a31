import { deepFrozen, parseOptions } from '@vidimus/core-types'
import {
  findVersion,
  shownResources,
  toDidDocument,
  toDidDocumentMetadata,
  type DidDocWithMetadata,
  type Ledger,
  type ShownResources,
  isUuid,
  readTime,
} from '@vidimus/ledger'
import type { DIDResolutionOptions, DIDResolutionResult, DIDResolver, ParsedDID } from 'did-resolver'
import { z } from 'zod'
import {
  askLedger,
  LedgerList,
  LedgersByNetwork,
  readCheqdDid,
  type LocatedDid,
} from './ledgers-by-network.js'

export interface CheqdDidResolverOptions {
  /** one for each network whose DIDs can be resolved */
  ledgers: Ledger[]
}

/** Beside those of DID Resolution: `versionId`, `versionTime` and `accept`. */
export interface CheqdResolutionOptions extends DIDResolutionOptions {
  /**
   * `false` omits `linkedResourceMetadata` from the metadata. Callers that only need keys or services should set it:
   * a DID may have published hundreds of status lists. They share the result, which is frozen.
   */
  linkedResourceMetadata?: boolean
}

export const Options = z.strictObject({ ledgers: LedgerList })

const LD_JSON = 'application/did+ld+json'
const PLAIN_JSON = 'application/did+json'
const ACCEPTED = [LD_JSON, PLAIN_JSON, 'application/did', 'application/ld+json', 'application/json', '*/*']

/**
 * Resolver entry for did:cheqd (DID Core 7.1), to be used with Veramo's DIDResolverPlugin or a `did-resolver`.
 *
 * Returns `invalidDid`, `invalidDidUrl`, `notFound`, `representationNotSupported`, and `unsupportedDidMethod` for a
 * network without a configured ledger. An unreachable ledger says nothing about the DID: it throws AgentError
 * `ledger_unavailable`.
 *
 * @throws AgentError `invalid_configuration`
 */
export function getCheqdDidResolver(options: CheqdDidResolverOptions): { cheqd: DIDResolver } {
  const ledgers = new LedgersByNetwork(parseOptions(Options, options).ledgers)
  return { cheqd: (did, parsed, _resolver, asked) => resolve(did, parsed, asked ?? {}, ledgers) }
}

async function resolve(
  text: string,
  parsed: ParsedDID,
  options: CheqdResolutionOptions,
  ledgers: LedgersByNetwork,
): Promise<DIDResolutionResult> {
  const contentType = contentTypeFor(options.accept)
  if (!contentType) return failure('representationNotSupported', 'the resolver writes JSON and JSON-LD')
  const did = readCheqdDid(text)
  if (!did) return failure('invalidDid', 'it is not a DID of did:cheqd on testnet or mainnet')
  const ledger = ledgers.ofNetwork(did.network)
  if (!ledger) return failure('unsupportedDidMethod', `no ledger is configured for ${did.network}`)
  const version = readVersionQuery(parsed.query, options)
  if (!version) return failure('invalidDidUrl', 'versionId must be one UUID, versionTime one RFC 3339 time')
  const located = { ...did, ledger }
  const { versionId, versionTime } = version
  const document = await askLedger(findVersion(did.did, { versionId, versionTime }, ledger))
  if (!document) return failure('notFound', 'the DID or version does not exist on the ledger')
  if (options.linkedResourceMetadata === false && contentType === LD_JSON) return resultAlone(document)
  const resources = options.linkedResourceMetadata === false ? {} : await resourcesOf(located)
  return resultOf(document, resources, contentType)
}

/** The resolution result of one version of a document, with the metadata of resources. */
export async function resolutionResult(
  located: LocatedDid,
  document: DidDocWithMetadata,
): Promise<DIDResolutionResult> {
  return resultOf(document, await resourcesOf(located))
}

const resourcesOf = ({ network, id, ledger }: LocatedDid): Promise<ShownResources> =>
  askLedger(shownResources({ network, id, ledger }))

/** By the version that a ledger caches, which is asked for with every signature and list that is verified. */
const resultsAlone = new WeakMap<DidDocWithMetadata, DIDResolutionResult>()

/** What documents of these results are on their ledger. */
const versions = new WeakMap<object, DidDocWithMetadata>()

/** A document that was resolved without resources, as its ledger has it; `undefined`: somebody else has resolved it. */
export const onLedger = (document: object): DidDocWithMetadata | undefined => versions.get(document)

/** The result without resources; shared by its callers, so it is frozen. */
function resultAlone(document: DidDocWithMetadata): DIDResolutionResult {
  const known = resultsAlone.get(document)
  if (known) return known
  const result = deepFrozen(resultOf(document, {}))
  resultsAlone.set(document, result)
  if (result.didDocument) versions.set(result.didDocument, document)
  return result
}

function resultOf(
  { didDoc, metadata }: DidDocWithMetadata,
  resources: ShownResources,
  contentType = LD_JSON,
): DIDResolutionResult {
  const { '@context': context, ...document } = toDidDocument(didDoc)
  return {
    didResolutionMetadata: { contentType },
    // DID Core 6.2.1: plain JSON has no @context.
    didDocument:
      contentType === PLAIN_JSON ? document : { ...(context ? { '@context': context } : {}), ...document },
    didDocumentMetadata: toDidDocumentMetadata(metadata, resources),
  }
}

function contentTypeFor(accept: string | undefined): string | undefined {
  if (accept === undefined) return LD_JSON
  const types = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  const accepted = types.find((type) => ACCEPTED.includes(type))
  if (accepted === undefined) return undefined
  return accepted === PLAIN_JSON ? PLAIN_JSON : LD_JSON
}

const failure = (error: string, message: string): DIDResolutionResult => ({
  didResolutionMetadata: { error, message },
  didDocument: null,
  didDocumentMetadata: {},
})

/** Which version of a DID document is asked for (DID Core 3.2.1: the parameters `versionId` and `versionTime`). */
interface VersionQuery {
  versionId?: string
  versionTime?: Date
}

/**
 * Reads the version from the query of a DID URL or, if that has none, from the resolution options.
 *
 * @returns `undefined` if a parameter is repeated or malformed
 */
function readVersionQuery(
  query: string | undefined,
  options: Readonly<Record<string, unknown>>,
): VersionQuery | undefined {
  const parameters = new URLSearchParams(query)
  const [versionId, isIdRead] = singleValue(parameters.getAll('versionId'), options.versionId)
  const [timeText, isTimeRead] = singleValue(parameters.getAll('versionTime'), options.versionTime)
  const versionTime = timeText === undefined ? undefined : readTime(timeText)
  if (!isIdRead || !isTimeRead) return undefined
  if (versionId !== undefined && !isUuid(versionId)) return undefined
  if (timeText !== undefined && !versionTime) return undefined
  return {
    ...(versionId === undefined ? {} : { versionId: versionId.toLowerCase() }),
    ...(versionTime ? { versionTime } : {}),
  }
}

/** The value, and whether it could be read: at most one, and a string. */
function singleValue(
  inQuery: readonly string[],
  option: unknown,
): [value: string | undefined, isRead: boolean] {
  const values = inQuery.length > 0 ? inQuery : option === undefined ? [] : [option]
  const [value] = values
  if (value !== undefined && typeof value !== 'string') return [undefined, false]
  return [value, values.length <= 1]
}
