import { createPrivateKey, sign } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import {
  stricterProblems,
  type DidDocWithMetadata,
  type LedgerMessage,
  type ResourceMetadata,
  type UnsignedLedgerMessage,
} from '@vidimus/ledger'
import { toDidDoc, toResourceMetadata } from '../../packages/ledger-cheqd/src/proto-encoding.js'
import { IDENTITY_CODECS, signedBytes } from '../support/cheqd-node/identity-messages.js'
import { nestedPaths } from './member-paths.js'
import type { GoldenCase, GoldenFile, SentMessage } from './read-cases.js'
import type { Outcome, Refused, Room } from './room.js'
import type { Verdict } from './verdict.js'

/** The first message that reaches a handler is of the first second of the year, each further one a second later. */
const START = Date.UTC(2021, 0, 1)

/** One message after others, or several, whose answers and state are known. */
export async function judgeMessages(
  one: GoldenCase,
  file: GoldenFile,
  rooms: readonly Room[],
): Promise<Verdict> {
  const sent = isHistory(one) ? one.in.messages : [...(one.before ?? []), sentOf(one, file)]
  const messages = sent.map(decodeMessage)
  const differences: Difference[] = []
  for (const room of rooms) {
    const found = await differencesIn(room, messages, one)
    differences.push(
      ...found.map((difference) => ({ ...difference, text: `${room.name}: ${difference.text}` })),
    )
  }
  const isTaken = isHistory(one) || one.out.code === 0
  const taken = isTaken ? messages : messages.slice(0, -1)
  const isRefusable = taken.some((message) => stricterProblems(message).length > 0)
  // A rule of our own explains a refusal of what the node accepts, but no other difference.
  const others = isRefusable ? differences.filter(({ isRefusal }) => !isRefusal) : differences
  const isStricter = isRefusable && others.length === 0 && (isTaken || differences.length > 0)
  return { differences: others.map(({ text }) => text), isStricter }
}

interface Difference {
  text: string
  /** the room refuses what the node accepts */
  isRefusal: boolean
}

const other = (text: string): Difference => ({ text, isRefusal: false })

const isHistory = (one: GoldenCase): one is GoldenCase & { in: { did: string; messages: SentMessage[] } } =>
  Array.isArray(one.in.messages)

export const isMessageCase = (one: GoldenCase): boolean =>
  typeof one.in.message === 'string' ||
  typeof one.in.messageWithout === 'string' ||
  typeof one.in.did === 'string'

function sentOf(one: GoldenCase, file: GoldenFile): SentMessage {
  const { typeUrl, message } = one.in as Partial<SentMessage>
  if (typeUrl === undefined) throw new TypeError('a message has a typeUrl')
  return { typeUrl, message: message ?? signedAnew(one, file) }
}

/** Of a large resource the file has neither the content nor the message: `data of N bytes`, each the letter x. */
function signedAnew(one: GoldenCase, { keys }: GoldenFile): string {
  const [, length] = /of (\d+) bytes/.exec(one.name) ?? []
  const [, name] = /key (\w+)/.exec(String(one.in.messageWithout)) ?? []
  const seed = keys.find((key) => key.name === name)?.seed
  if (length === undefined || seed === undefined) throw new TypeError('its message cannot be made')
  const without = resource.MsgCreateResourcePayload.decode(
    Buffer.from(String(one.in.payloadWithoutData), 'base64'),
  )
  const payload = { ...without, data: Buffer.alloc(Number(length), 'x') }
  const bytes = resource.MsgCreateResourcePayload.encode(payload).finish()
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from(seed, 'hex'),
  ])
  const signature = sign(null, bytes, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  const verificationMethodId = `did:cheqd:testnet:${payload.collectionId}#key-1`
  const signatures = [{ verificationMethodId, signature }]
  return Buffer.from(resource.MsgCreateResource.encode({ payload, signatures }).finish()).toString('base64')
}

function decodeMessage({ typeUrl, message }: SentMessage): LedgerMessage {
  const codec = IDENTITY_CODECS[typeUrl]
  if (!codec) throw new TypeError(`${typeUrl} is no message of the ledger`)
  return codec.decode(Buffer.from(message, 'base64'))
}

async function differencesIn(
  room: Room,
  messages: readonly LedgerMessage[],
  one: GoldenCase,
): Promise<Difference[]> {
  await room.reset()
  let outcome: Outcome | undefined
  for (const [n, message] of messages.entries()) {
    outcome = await room.submit(message, new Date(START + (n + 1) * 1000))
    const isLast = n === messages.length - 1
    if ('refused' in outcome && (!isLast || isHistory(one)))
      return [{ text: `refuses message ${n + 1}: ${told(outcome)}`, isRefusal: true }]
  }
  if (!outcome) return []
  return isHistory(one)
    ? (await differencesOfVersions(room, one)).map(other)
    : differencesOfOutcome(room, outcome, one)
}

const told = (outcome: Outcome) =>
  'refused' in outcome
    ? `${outcome.refused.codespace}/${outcome.refused.code} ${outcome.refused.log} (${outcome.refused.stage ?? ''} ${outcome.refused.paths.join(', ')})`
    : 'accepted'

async function differencesOfOutcome(room: Room, outcome: Outcome, one: GoldenCase): Promise<Difference[]> {
  const { out, after } = one
  if (out.panic !== undefined) {
    return 'refused' in outcome ? [] : [other('takes what the code of the node breaks down of')]
  }
  if (out.code !== 0) {
    const isSame = 'refused' in outcome && isRefusedAlike(outcome.refused, out)
    const wanted = `${String(out.codespace)}/${String(out.code)} ${String(out.log)} (${String(out.stage)})`
    return isSame ? [] : [other(`${told(outcome)}, and not ${wanted}`)]
  }
  if ('refused' in outcome) return [{ text: `refuses it: ${told(outcome)}`, isRefusal: true }]
  const state = 'resource' in outcome ? outcome.resource : outcome.didDoc
  const isKept = isDeepStrictEqual(plain(state), plain(decodeResponse(one)))
  const differences = isKept ? [] : [other('keeps something else')]
  if (!after || !('resource' in outcome)) return differences
  const collection = await room.collectionOf(outcome.resource.collectionId)
  const kept = after.map(({ metadata }) =>
    toResourceMetadata(resource.Metadata.decode(Buffer.from(metadata, 'base64'))),
  )
  return [...differences, ...differencesOfCollection(collection, kept).map(other)]
}

/** By the same rule: stage, codespace, code and the members, where the node's text nests them. */
function isRefusedAlike({ codespace, code, stage, paths }: Refused, out: GoldenCase['out']): boolean {
  const wanted = nestedPaths(String(out.log))
  return (
    codespace === out.codespace &&
    code === out.code &&
    (stage === undefined || stage === out.stage) &&
    (wanted.length === 0 || isDeepStrictEqual(paths, wanted))
  )
}

function decodeResponse({ in: { typeUrl }, out }: GoldenCase): DidDocWithMetadata | ResourceMetadata {
  const response = Buffer.from(String(out.response), 'base64')
  return typeUrl === '/cheqd.resource.v2.MsgCreateResource'
    ? toResourceMetadata(resource.MsgCreateResourceResponse.decode(response).resource)
    : toDidDoc(did.MsgCreateDidDocResponse.decode(response).value)
}

/** Without the parts that a room does not report, in any order. */
function differencesOfCollection(
  collection: readonly Partial<ResourceMetadata>[],
  kept: readonly ResourceMetadata[],
): string[] {
  const wanted = kept.map((metadata) =>
    'alsoKnownAs' in (collection[0] ?? {}) ? metadata : { ...metadata, alsoKnownAs: undefined },
  )
  return isDeepStrictEqual(sorted(collection), sorted(wanted)) ? [] : ['links the versions in another way']
}

const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(plain(value))).sort()

async function differencesOfVersions(room: Room, { in: input, out }: GoldenCase): Promise<string[]> {
  const versions = await room.versionsOf(String(input.did))
  const expected = (out.versions as { didDocWithMetadata: string }[]).map(({ didDocWithMetadata }) =>
    toDidDoc(did.DidDocWithMetadata.decode(Buffer.from(didDocWithMetadata, 'base64'))),
  )
  const latest = versions.find(({ metadata }) => metadata.nextVersionId === '')?.metadata.versionId
  return [
    ...(latest === out.latest ? [] : [`the newest version is ${latest}, and not ${String(out.latest)}`]),
    ...(isDeepStrictEqual(sorted(versions), sorted(expected)) ? [] : ['has other versions']),
  ]
}

/** With the members of every object in one order, and without those that are not there. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, plain(member)]),
  )
}

/** Payloads by themselves. */
export function judgeSignBytes(
  one: GoldenCase,
  signBytes: (message: UnsignedLedgerMessage) => Uint8Array,
): Verdict {
  const { typeUrl, payload } = one.in as { typeUrl: string; payload: string }
  const field = Buffer.from(payload, 'base64')
  // the payload as the first field of its message
  const message = decodeMessage({
    typeUrl: typeUrl.replace(/Payload$/, ''),
    message: Buffer.concat([Buffer.of(0x0a), varint(field.length), field]).toString('base64'),
  })
  const made = [signBytes(message), signedBytes(message)].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  )
  const differences = made.flatMap((bytes, n) =>
    bytes === one.out.signBytes ? [] : [`${['ledger', 'double'][n]}: signs other bytes`],
  )
  return { differences, isStricter: false }
}

function varint(number: number): Buffer {
  const bytes: number[] = []
  for (let rest = number; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
