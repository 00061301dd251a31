import { decodeText, endOfJson, isText, scanMembers, skipSpace, type JsonMember } from './json-scanner.js'
import { unquoteText } from './quoted-text.js'

/** The part of a verification method in `assertionMethod` that cheqd-node reads. */
export interface EmbeddedMethod {
  id: string
  type: string
  controller: string
  /** each member that may hold a key */
  keys: string[]
}

/** An embedded method that is none; its message is the node's. */
export class MalformedMethodError extends Error {
  override readonly name = 'MalformedMethodError'
}

export const ASSERTION_METHOD_FORM =
  'assertionMethod should be a valid DIDUrl or an Escaped JSON string with id, type and controller values'

const KEY_MEMBERS = ['publicKeyBase58', 'publicKeyMultibase', 'publicKeyJwk']
const METADATA_TEXTS = ['paramsRef', 'curveType']
const MOST_INTEGER = 2n ** 63n

/** Whether the text is in quotes, and JSON without them: the ledger keeps it unchanged. */
export function isQuotedJson(text: string): boolean {
  const json = unquoteText(text)
  return json !== undefined && isWholeJson(json)
}

/** The content of an embedded method's quotes; `undefined` if there are none, so that it is a DID URL. */
export const quotedContent = (text: string): Buffer | undefined => unquoteText(text)

/**
 * Reads an embedded method as `encoding/json` of Go does: names in any case, the last of duplicates, and `null` for
 * absent. Unknown members must be texts, numbers or truth values.
 *
 * @throws MalformedMethodError
 */
export function readEmbeddedMethod(json: Buffer): EmbeddedMethod {
  if (!isWholeJson(json)) throw new MalformedMethodError('input should be a valid JSON string')
  if (isNull(json.subarray(skipSpace(json, 0)))) return { id: '', type: '', controller: '', keys: [] }
  const members = scanMembers(json)?.members
  if (!members || members.some(({ value }) => isTooLarge(value)))
    throw new MalformedMethodError('input should be a valid JSON string')
  refuseContainers(members)
  return decodeStruct(members)
}

function isWholeJson(json: Buffer): boolean {
  const end = endOfJson(json, 0)
  return end >= 0 && skipSpace(json, end) === json.length
}

/** Of members of the same name the last one counts here. */
function refuseContainers(members: readonly JsonMember[]): void {
  const last = new Map(members.map(({ name, value }) => [name, value]))
  for (const [name, value] of last) {
    if (name === 'metadata' || isText(value) || isNumber(value) || isTruth(value)) continue
    throw new MalformedMethodError(`field ${name} is not protobuf-supported`)
  }
}

/** Every one must have its type, even if another of its name follows. */
function decodeStruct(members: readonly JsonMember[]): EmbeddedMethod {
  const method = { id: '', type: '', controller: '' }
  const keys = new Map<string, string>()
  for (const { name, value } of members) {
    const field = matchField(name, [...Object.keys(method), ...KEY_MEMBERS, 'metadata'])
    if (field === undefined || isNull(value)) continue
    if (field === 'metadata') demandMetadata(value)
    else if (!isText(value)) throw new MalformedMethodError(ASSERTION_METHOD_FORM)
    else if (field === 'id' || field === 'type' || field === 'controller') method[field] = decodeText(value)
    else keys.set(field, decodeText(value))
  }
  return { ...method, keys: [...keys.values()] }
}

const matchField = (name: string, fields: readonly string[]) =>
  fields.find((field) => field.toLowerCase() === name.toLowerCase())

function demandMetadata(value: Buffer): void {
  const members = scanMembers(value)?.members
  const fits = members?.every(({ name, value: member }) => {
    const field = matchField(name, ['participantId', ...METADATA_TEXTS])
    if (field === undefined || isNull(member)) return true
    return field === 'participantId' ? isInteger(member) : isText(member)
  })
  if (!fits) throw new MalformedMethodError(ASSERTION_METHOD_FORM)
}

const latin1Text = (value: Buffer) => value.toString('latin1')
const isNull = (value: Buffer) => value[0] === 0x6e
const isTruth = (value: Buffer) => value[0] === 0x74 || value[0] === 0x66
const isNumber = (value: Buffer) => /^[-0-9]/.test(latin1Text(value.subarray(0, 1)))
const isTooLarge = (value: Buffer) => isNumber(value) && !Number.isFinite(Number(latin1Text(value)))

function isInteger(value: Buffer): boolean {
  const text = latin1Text(value)
  if (!/^-?\d{1,19}$/.test(text)) return false
  const number = BigInt(text)
  return number < MOST_INTEGER && number >= -MOST_INTEGER
}
