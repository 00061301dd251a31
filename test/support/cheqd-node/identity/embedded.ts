import {
  decodeText,
  endOfJson,
  isText,
  scanMembers,
  skipSpace,
  type JsonMember,
} from '../../../../packages/ledger/src/json-scanner.js'
import { unquoteText } from '../../../../packages/ledger/src/quoted-text.js'

/** A verification method inside of `assertionMethod`, or what a node says of it. */
export type Embedded = { id: string; type: string; controller: string; materials: string[] } | string

export const NO_METHOD =
  'assertionMethod should be a valid DIDUrl or an Escaped JSON string with id, type and controller values'
const NO_JSON = 'input should be a valid JSON string'

/** What stands between the quotes of a text. */
export const unquoted = unquoteText

const isOneValue = (json: Buffer) => {
  const end = endOfJson(json, 0)
  return end > 0 && skipSpace(json, end) === json.length
}

/** A node leaves such a text as it is where it brings ids to lower case. */
export const isEscapedJson = (text: string): boolean => {
  const json = unquoteText(text)
  return !!json && isOneValue(json)
}

export function readEmbedded(json: Buffer): Embedded {
  const isNull = json.toString().trim() === 'null'
  const members = isNull ? [] : scanMembers(json)?.members
  if (!members || !isOneValue(json) || members.some(isEndless)) return NO_JSON
  const strange = [...new Map(members.map((member) => [member.name, member])).values()].find(
    (member) => member.name !== 'metadata' && !['text', 'number', 'boolean'].includes(kindOf(member)),
  )
  if (strange) return `field ${strange.name} is not protobuf-supported`
  const known = ['id', 'type', 'controller', 'publicKeyBase58', 'publicKeyMultibase', 'publicKeyJwk']
  const read: Record<string, string> = {}
  for (const member of members.filter((one) => kindOf(one) !== 'null')) {
    const field = [...known, 'metadata'].find((name) => name.toLowerCase() === member.name.toLowerCase())
    if (field === 'metadata' ? !isMetadata(member.value) : field && kindOf(member) !== 'text')
      return NO_METHOD
    if (field && field !== 'metadata') read[field] = decodeText(member.value)
  }
  const { id = '', type = '', controller = '', ...materials } = read
  return { id, type, controller, materials: Object.values(materials) }
}

function kindOf({ value }: JsonMember): 'text' | 'number' | 'boolean' | 'null' | 'container' {
  if (isText(value)) return 'text'
  const first = value.toString('latin1', 0, 1)
  if ('{['.includes(first)) return 'container'
  if (first === 'n') return 'null'
  return 'tf'.includes(first) ? 'boolean' : 'number'
}

/** A number that is none of 64 bits. */
const isEndless = (member: JsonMember) =>
  kindOf(member) === 'number' && !Number.isFinite(Number(member.value.toString()))

function isMetadata(value: Buffer): boolean {
  const members = scanMembers(value)?.members.filter((member) => kindOf(member) !== 'null')
  return !!members?.every((member) => {
    const name = member.name.toLowerCase()
    if (name === 'participantid') return isWholeNumber(member.value.toString())
    return !['paramsref', 'curvetype'].includes(name) || kindOf(member) === 'text'
  })
}

const isWholeNumber = (text: string) =>
  /^-?\d+$/.test(text) && text.length < 21 && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
