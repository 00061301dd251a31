import { randomUUID } from 'node:crypto'
import {
  AgentError,
  isAgentError,
  listUrl,
  overdueWork,
  problemsError,
  type AccountEventSink,
  type NamedStatusList,
  type Problem,
  type StatusListCreateArgs,
  type StatusListCreateParameters,
  type StatusListPace,
  type StatusListType,
  type WithVersion,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { entriesIn } from '../encoding/entries.js'
import type { PacedLists } from '../pace/paced-lists.js'
import type { ListSpans } from '../renewal/list-spans.js'
import { listNamed } from '../versions/list-location.js'
import { listEvent } from '../versions/list-event.js'
import { isOvertaken } from '../updates/overtaken-versions.js'
import { publishList } from '../updates/publish-list.js'
import { createdEarlier, ownFirstVersion, type OwnFirstVersion } from './repeated-creation.js'
import { decodedList, type DocumentedList } from '../versions/decoded-list.js'
import { listResourceName, type PublishedLists } from '../versions/published-lists.js'

export interface CreationLimits {
  /** entries of a new list */
  maxListLength: number
  maxDecodedBytes: number
  /** default for lists that can have one */
  embeddedProof: boolean
  /** gets the event of the new list */
  events?: AccountEventSink | undefined
}

/** The arguments for a new list. */
export interface ListCreation {
  limits: CreationLimits
  lists: PublishedLists
  addresses: ListAddresses
  spans: ListSpans
  paces: PacedLists
  now: Date
  /** of a member of a series; default: that of the request, if it has an idempotency key */
  first?: OwnFirstVersion | undefined
  /** recorded with the first version */
  records?: readonly WithVersion[]
}

/**
 * Publishes the first version of a list. The key of an encrypted one is stored before anything needs it; if
 * publishing fails, the next attempt uses the same key. A list that an earlier run of the same request created is
 * returned in its current state.
 *
 * @throws AgentError `invalid_input` with every problem, `list_exists` with a detail at the path `statusListName`,
 *   and what {@link publishList} throws
 */
export async function createList(
  type: StatusListType,
  args: StatusListCreateArgs,
  creation: ListCreation,
  context: WritingContext,
): Promise<DocumentedList> {
  const { limits, lists, addresses, spans, paces, now, records } = creation
  const parameters = await readParameters(type, args, creation)
  const [purpose] = parameters.purposes
  const [resourceType = ''] = type.resourceTypes(purpose)
  const { address } = args
  const location = addresses.newList({ ...listNamed(args), resourceType }, address)
  const { first = ownFirstVersion() } = creation
  const exists = await context.agent.linkedResourceGetLatestMetadata(listResourceName(location))
  const earlier = exists && (await createdEarlier(type, location, first, lists, context))
  const pace = requestedPace(args, now)
  const made = async (published: DocumentedList) => {
    await paces.noteMade(namedLocation(location), pace)
    return called(type, location, published, addresses)
  }
  if (earlier) return made(earlier)
  if (exists) throw listExists(args.statusListName, type)
  const cipher = args.encrypted ? await lists.ciphers.findOrCreate(location) : undefined
  const encryption = cipher && { cipher, paymentConditions: args.paymentConditions ?? [] }
  const doc = await type.create({ ...parameters, ...(encryption && { encryption }) }, location, now)
  const bits = await type.unpack(doc, limits.maxDecodedBytes, cipher)
  const { layout, entries } = decodedList(type, doc, bits)
  const options = {
    expectedPrevious: null,
    resourceId: first?.resourceId ?? randomUUID(),
    ...(args.statusListVersion !== undefined && { resourceVersion: args.statusListVersion }),
    ...(args.alsoKnownAs && { alsoKnownAs: args.alsoKnownAs }),
    ...(records && { records }),
  }
  await addresses.announce(location, entries)
  await spans.noteNew(namedLocation(location), layout)
  await paces.noteNew(namedLocation(location), pace)
  try {
    const told = limits.events && {
      events: limits.events,
      event: listEvent(type, location, options.resourceId),
    }
    const publication = { type, location, doc, bits, now, told, ...options }
    return await made(await publishList(publication, lists, context))
  } catch (error) {
    if (!isOvertaken(error) || overdueWork(error)) throw error
    // another caller was faster with the same name, or another run of the same request
    const faster = await createdEarlier(type, location, first, lists, context)
    if (faster) return made(faster)
    await paces.dropNew(namedLocation(location))
    throw listExists(args.statusListName, type, error)
  }
}

const namedLocation = ({ did, statusListName, resourceType }: NamedStatusList) => ({
  did,
  statusListName,
  resourceType,
})

/** The identity of a list is settled: its document states it, or it is stored beside it. */
async function called(
  type: StatusListType,
  list: NamedStatusList,
  published: DocumentedList,
  addresses: ListAddresses,
): Promise<DocumentedList> {
  const isTold = type.securingOf !== undefined && list.url === listUrl(list)
  if (!isTold) await addresses.settle(list)
  return published
}

/**
 * What a list of the type is made of.
 *
 * @param others - problems that were found already
 * @throws AgentError `invalid_input` with every problem
 */
export async function readParameters(
  type: StatusListType,
  args: StatusListCreateArgs,
  { limits, lists, addresses, paces, now }: Omit<ListCreation, 'spans' | 'first' | 'records'>,
  others: readonly Problem[] = [],
): Promise<StatusListCreateParameters> {
  const purposes = [...new Set([args.statusPurpose].flat())]
  const statusSize = args.statusSize ?? type.defaultStatusSize(purposes)
  const problems = [
    ...purposeProblems(type, purposes),
    ...sizeProblems(type, { ...args, statusSize }, limits),
    ...validityProblems(args.validUntil, now),
    ...others,
    ...encryptionProblems(type, args, lists.ciphers.available),
    ...embeddedProofProblems(type, args),
    ...addresses.problems(args.address),
    ...paceProblems(args, paces.available),
  ]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const bits = await initialBits(type, args, limits)
  const length = args.length ?? (bits ? entriesIn(bits, statusSize) : type.defaultLength)
  const lengthProblems = [
    ...(bits ? bitsProblems(bits, length, statusSize) : []),
    ...sizeProblems(type, { length, statusSize }, limits, bits ? 'encodedList' : 'length'),
  ]
  if (lengthProblems.length > 0) throw problemsError('invalid_input', lengthProblems)
  const { encoding, statusMessages, ttl, validUntil } = args
  const embeddedProof = args.embeddedProof ?? (limits.embeddedProof && canEmbedProof(type, args))
  return {
    length,
    statusSize,
    purposes,
    embeddedProof,
    ...(bits && { bits }),
    ...(encoding !== undefined && { encoding }),
    ...(statusMessages && { statusMessages }),
    ...(ttl !== undefined && { ttl }),
    ...(validUntil !== undefined && { validUntil }),
  }
}

function paceProblems({ publishEvery, always }: StatusListCreateArgs, available: boolean): Problem[] {
  if (publishEvery === undefined) {
    return always ? [{ path: 'always', message: 'is only possible with publishEvery' }] : []
  }
  const message = 'is not possible: this installation stores no changes of status lists'
  return available ? [] : [{ path: 'publishEvery', message }]
}

const requestedPace = (
  { publishEvery, always = false }: StatusListCreateArgs,
  startedAt: Date,
): StatusListPace | undefined =>
  publishEvery === undefined ? undefined : { publishEvery, always, startedAt }

function encryptionProblems(
  type: StatusListType,
  { encrypted = false, paymentConditions }: StatusListCreateArgs,
  keysAvailable: boolean,
): Problem[] {
  if (!encrypted) {
    const message = 'are only for encrypted lists'
    return paymentConditions ? [{ path: 'paymentConditions', message }] : []
  }
  const problems: Problem[] = []
  if (!type.encryptable) {
    problems.push({ path: 'listType', message: `a ${type.type} cannot be encrypted` })
  }
  if (!keysAvailable) {
    const message = 'is not possible: this installation does not store keys of encrypted lists'
    problems.push({ path: 'encrypted', message })
  }
  return problems
}

/** No context defines the terms of encryption. */
const canEmbedProof = (
  { embedsProofs = false }: StatusListType,
  { encrypted = false }: StatusListCreateArgs,
) => embedsProofs && !encrypted

function embeddedProofProblems(type: StatusListType, args: StatusListCreateArgs): Problem[] {
  if (args.embeddedProof !== true || canEmbedProof(type, args)) return []
  const what = type.embedsProofs ? 'an encrypted list' : `a ${type.type}`
  return [{ path: 'embeddedProof', message: `is not possible for ${what}` }]
}

function purposeProblems(type: StatusListType, purposes: readonly string[]): Problem[] {
  const known = type.purposes.join(', ')
  return purposes
    .filter((purpose) => !type.purposes.includes(purpose))
    .map((purpose) => ({ path: 'statusPurpose', message: `"${purpose}" is not one of ${known}` }))
}

function sizeProblems(
  type: StatusListType,
  { length, statusSize }: { length?: number | undefined; statusSize: number },
  { maxListLength, maxDecodedBytes }: CreationLimits,
  path = 'length',
): Problem[] {
  const problems: Problem[] = []
  if (!type.statusSizes.includes(statusSize)) {
    const message = `${statusSize} is not one of ${type.statusSizes.join(', ')}`
    problems.push({ path: 'statusSize', message })
  }
  const most = Math.min(maxListLength, Math.floor((maxDecodedBytes * 8) / statusSize))
  if (length !== undefined && (length < type.minLength || length > most)) {
    problems.push({ path, message: `must be ${type.minLength} to ${most} entries, not ${length}` })
  } else if (length !== undefined && length % 8 !== 0) {
    problems.push({ path, message: `must be a multiple of 8, which ${length} is not` })
  }
  return problems
}

function validityProblems(validUntil: string | undefined, now: Date): Problem[] {
  if (validUntil === undefined || Date.parse(validUntil) > now.getTime()) return []
  return [{ path: 'validUntil', message: `"${validUntil}" is not in the future` }]
}

async function initialBits(
  type: StatusListType,
  { encodedList, encoding }: StatusListCreateArgs,
  { maxDecodedBytes }: CreationLimits,
): Promise<Uint8Array | undefined> {
  if (encodedList === undefined) return undefined
  try {
    return await type.decode(encodedList, encoding, maxDecodedBytes)
  } catch (cause) {
    if (!isAgentError(cause) || cause.code !== 'malformed_list') throw cause
    const message = cause.message.replace('the resource is not a readable status list', 'cannot be read')
    throw new AgentError('invalid_input', `encodedList: ${message}`, {
      cause,
      details: [{ path: 'encodedList', message }],
    })
  }
}

function bitsProblems(bits: Uint8Array, length: number, statusSize: number): Problem[] {
  const bytes = (length * statusSize) / 8
  if (bits.length === bytes) return []
  const message = `has ${bits.length} bytes of bits, but ${length} entries of ${statusSize} bits need ${bytes}`
  return [{ path: 'encodedList', message }]
}

export const listExists = (statusListName: string, type: StatusListType, cause?: unknown): AgentError => {
  const message = `the DID has already published a ${type.type} "${statusListName}" with this resource type`
  return new AgentError('list_exists', `statusListName: ${message}`, {
    cause,
    details: [{ path: 'statusListName', message }],
  })
}
