import { type Network } from '@vidimus/core-types'
import {
  cheqdDid,
  isUuid,
  normaliseDidUrl,
  type LedgerDidDoc,
  type LedgerVerificationMethod,
} from '@vidimus/ledger'
import type { CollectedProblems } from './collected-problems.js'
import {
  RELATIONSHIPS,
  type ParsedCreateOptions,
  type ParsedDidDocument,
  type Relationship,
} from './create-options.js'
import { readCheqdDid } from './ledgers-by-network.js'
import { serviceFragment, readServices, toLedgerService, type ServiceEntry } from './service-entries.js'

/** A controller DID of a document, and its place. */
export interface ListedController {
  did: string
  path: string
}

/** A new DID document whose DID and key may still be unknown. */
export interface DidDocDraft {
  network: Network
  /** the method-specific identifier that the caller chose */
  id?: string
  /** of the one verification method */
  methodFragment: string
  relationships: readonly Relationship[]
  /** in the order of the caller; `undefined` means the DID itself */
  controllers: readonly (ListedController | undefined)[]
  service: readonly ServiceEntry[]
  context: readonly string[]
  alsoKnownAs: readonly string[]
}

const DEFAULT_FRAGMENT = 'key-1'
const DEFAULT_RELATIONSHIPS: readonly Relationship[] = ['authentication', 'assertionMethod']

/**
 * Combines the options without reading a ledger or keys.
 *
 * @returns `undefined` if the network is unknown, which is one of the problems then
 */
export function draftDidDoc(
  options: ParsedCreateOptions,
  networks: { configured: readonly Network[]; fallback: Network },
  problems: CollectedProblems,
): DidDocDraft | undefined {
  const document = options.didDocument
  const given = readId(options, problems)
  const network = chooseNetwork(options, given?.network, networks, problems)
  const relationships = document
    ? readRelationships(document, given?.did, problems)
    : { fragment: DEFAULT_FRAGMENT, names: DEFAULT_RELATIONSHIPS }
  const service = draftServices(options, given?.did, relationships.fragment, problems)
  const controllers = document ? readControllers(document, given?.did, network, problems) : [undefined]
  refuseBeside(options, problems)
  refuseRepeated(document?.alsoKnownAs ?? [], 'didDocument.alsoKnownAs', problems)
  if (!network) return undefined
  return {
    network,
    ...(given ? { id: given.id } : {}),
    methodFragment: relationships.fragment,
    relationships: relationships.names,
    controllers,
    service,
    context: [...new Set(document ? document['@context'] : options.context)],
    alsoKnownAs: document?.alsoKnownAs ?? [],
  }
}

/** The document for a DID and its key. */
export function completeDidDoc(
  draft: DidDocDraft,
  did: string,
  key: Pick<LedgerVerificationMethod, 'verificationMethodType' | 'verificationMaterial'>,
): LedgerDidDoc {
  const methodId = `${did}#${draft.methodFragment}`
  const related = Object.fromEntries(
    RELATIONSHIPS.map((name) => [name, draft.relationships.includes(name) ? [methodId] : []]),
  ) as Record<Relationship, string[]>
  return {
    context: [...draft.context],
    id: did,
    controller: draft.controllers.map((controller) => controller?.did ?? did),
    verificationMethod: [{ id: methodId, controller: did, ...key }],
    ...related,
    service: draft.service.map((entry) => toLedgerService(entry, did)),
    alsoKnownAs: [...draft.alsoKnownAs],
  }
}

export const didOfDraft = (draft: DidDocDraft, id: string): string => cheqdDid(draft.network, id)

function readId(options: ParsedCreateOptions, problems: CollectedProblems) {
  const text = options.didDocument?.id
  if (text === undefined) return undefined
  const given = readCheqdDid(text)
  if (!given) {
    problems.add(
      'didDocument.id',
      'must be did:cheqd:<testnet or mainnet>:<a UUID, or base58 of exactly 16 bytes>',
    )
    return undefined
  }
  const format = isUuid(given.id) ? 'uuid' : 'base58btc'
  if (options.identifierFormatType !== undefined && options.identifierFormatType !== format) {
    problems.add('identifierFormatType', `does not match didDocument.id, whose format is ${format}`)
  }
  return given
}

function chooseNetwork(
  options: ParsedCreateOptions,
  ofDocument: Network | undefined,
  { configured, fallback }: { configured: readonly Network[]; fallback: Network },
  problems: CollectedProblems,
): Network | undefined {
  const network = options.network ?? ofDocument ?? fallback
  if (ofDocument !== undefined && ofDocument !== network) {
    problems.add('network', `is ${network}, but didDocument.id is a DID on ${ofDocument}`)
  }
  if (configured.includes(network)) return network
  const path = options.network === undefined && ofDocument ? 'didDocument.id' : 'network'
  problems.add(path, `no ledger is configured for ${network}; configured: ${configured.join(', ')}`)
  return undefined
}

function readRelationships(
  document: ParsedDidDocument,
  did: string | undefined,
  problems: CollectedProblems,
): { fragment: string; names: readonly Relationship[] } {
  let chosen: string | undefined
  for (const name of RELATIONSHIPS) {
    for (const [index, reference] of (document[name] ?? []).entries()) {
      const path = `didDocument.${name}[${index}]`
      const fragment = serviceFragment(reference, did)
      if (fragment === undefined) {
        problems.add(
          path,
          `must name the verification method of the new DID, ${did ?? ''}#${DEFAULT_FRAGMENT}`,
        )
      } else if (fragment !== (chosen ?? fragment)) {
        problems.add(path, `must name the one verification method of the DID, which is #${chosen ?? ''}`)
      } else if (index > 0) problems.add(path, 'repeats the verification method')
      chosen ??= fragment
    }
  }
  const names = RELATIONSHIPS.filter((name) => document[name]?.length)
  return { fragment: chosen ?? DEFAULT_FRAGMENT, names: names.length > 0 ? names : DEFAULT_RELATIONSHIPS }
}

function readControllers(
  document: ParsedDidDocument,
  did: string | undefined,
  network: Network | undefined,
  problems: CollectedProblems,
): (ListedController | undefined)[] {
  const name = document.controllers === undefined ? 'controller' : 'controllers'
  const listed = (document[name] ?? []).map(normaliseDidUrl)
  const same = JSON.stringify(document.controller) === JSON.stringify(document.controllers)
  if (document.controller && document.controllers && !same) {
    problems.add('didDocument.controller', 'differs from controllers; give only one of the two')
  }
  refuseRepeated(listed, `didDocument.${name}`, problems)
  return listed.map((controller, index) => {
    if (controller === did) return undefined
    const path = `didDocument.${name}[${index}]`
    const parsed = readCheqdDid(controller)
    if (!parsed) problems.add(path, 'must be a DID of did:cheqd')
    else if (network && parsed.network !== network) problems.add(path, `must be a DID on ${network}`)
    return { did: controller, path }
  })
}

function draftServices(
  { service, didDocument }: ParsedCreateOptions,
  did: string | undefined,
  methodFragment: string,
  problems: CollectedProblems,
): ServiceEntry[] {
  const [services, path] = didDocument ? [didDocument.service, 'didDocument.service'] : [service, 'service']
  const entries = readServices(services ?? [], did, path, problems)
  entries.forEach(({ fragment }, index) => {
    if (fragment !== methodFragment) return
    problems.add(`${path}[${index}]`, `its fragment "${fragment}" is that of the verification method`)
  })
  return entries
}

function refuseBeside(
  { service, context, didDocument }: ParsedCreateOptions,
  problems: CollectedProblems,
): void {
  if (!didDocument) return
  if (service) problems.add('service', 'must be in didDocument.service if there is a didDocument')
  if (context) problems.add('@context', 'must be in didDocument if there is one')
}

function refuseRepeated(values: readonly string[], path: string, problems: CollectedProblems): void {
  values.forEach((value, index) => {
    if (values.indexOf(value) < index) problems.add(`${path}[${index}]`, 'repeats an earlier entry')
  })
}
