import { KeyObject } from 'node:crypto'

/** About what V8 takes for each kind of value, in bytes; measured on Node.js 20 to 24, and rather too much than too little. */
const OBJECT = 48
const MEMBER = 10
const TEXT = 24
/** unless it is a small integer, which takes nothing */
const NUMBER = 16
/** its own object, that of its buffer, and the runtime's data for both outside of the heap */
const BYTES = 280
/** with its stack, and without what caused it */
const ERROR = 2048
/** OpenSSL's, outside of JavaScript; measured: 1300 for Ed25519, up to 5300 for the curves of ECDSA */
const KEY = 5120

const HAS_TWO_BYTE_CHARACTERS = /[^\0-\xff]/

/**
 * The approximate memory that a value keeps allocated, in bytes: an object is its own members, bytes are the whole
 * piece of memory that they are in. The caller counts other memory outside of
 * JavaScript than that of keys.
 */
export function memoryOf(value: unknown, counted = new Set<object>()): number {
  if (typeof value === 'string') return TEXT + value.length * (HAS_TWO_BYTE_CHARACTERS.test(value) ? 2 : 1)
  if (typeof value === 'number' || typeof value === 'bigint') return isSmallInteger(value) ? 0 : NUMBER
  if (typeof value !== 'object' || value === null || counted.has(value)) return 0
  counted.add(value)
  if (ArrayBuffer.isView(value)) return BYTES + value.buffer.byteLength
  if (value instanceof Error) return ERROR
  if (value instanceof KeyObject) return KEY
  const members = countedMembers(value)
  return members.reduce<number>((sum, member) => sum + MEMBER + memoryOf(member, counted), OBJECT)
}

const isSmallInteger = (value: number | bigint) => typeof value === 'number' && (value | 0) === value

function countedMembers(value: object): readonly unknown[] {
  if (value instanceof Map) return [...value].flat()
  return value instanceof Set ? [...value] : Object.values(value)
}
