import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { decodedList } from '@vidimus/status-list'
import { demand, demandRefused, demandSameBytes, findRefusal } from './findings.js'
import type { ListVariant } from './list-variants.js'
import {
  openContent,
  placeOfEncodedList,
  placesIn,
  replacedAt,
  valueAt,
  type OpenedContent,
} from './published-content.js'
import { ROOMY, type CheckOfType, type Subject } from './subject.js'

const MEBIBYTE = 1_048_576
/** The size to which a small encoded list may inflate, and the most memory that reading it may use. */
const BOMB_BYTES = 48 * MEBIBYTE
const MOST_MEMORY = 24 * MEBIBYTE

const ATTEMPTS = 3

const MALFORMED = ['malformed_list'] as const
const NO_LISTS = [
  '',
  'null',
  '[]',
  '{}',
  '""',
  '1',
  'text',
  '..',
  'a.b.c',
  'e30.e30.e30',
  '{"__proto__":{}}',
  '\u0000',
  '[[[[[[]]]]]]',
]
const WRONG_VALUES = [null, 0, -1, 1.5, 1e300, true, '', 'text', [], {}]

export const malformedInputChecks: readonly CheckOfType[] = [
  { title: 'malformed lists are refused', run: noLists },
  { title: 'a truncated list is refused', run: truncated },
  { title: 'a list with flipped bits is refused, or read without a crash', run: flippedBits },
  { title: 'a list with a wrong value anywhere is refused, or read without a crash', run: wrongValues },
  { title: 'damaged encoded bits are refused', run: damagedBits },
  { title: 'unpacking respects the size limit', run: limits },
  { title: 'a decompression bomb is refused before it fills the memory', run: bombs },
]

async function noLists(subject: Subject): Promise<void> {
  const random = subject.random('no lists')
  const samples = [
    ...NO_LISTS.map((text) => [JSON.stringify(text), Buffer.from(text)] as const),
    ...Array.from({ length: 50 }, () => ['random bytes', random.bytes(random.below(200))] as const),
  ]
  for (const [name, content] of samples) {
    await demandRefused(`a resource that is ${name}`, MALFORMED, () => readList(subject, content))
  }
}

async function truncated(subject: Subject): Promise<void> {
  const { content, bits } = await samplePublished(subject)
  await demandRefused('a published list without its second half', MALFORMED, () =>
    readList(subject, content.subarray(0, content.length / 2)),
  )
  for (let length = 0; length < content.length; length += Math.ceil(content.length / 60)) {
    let read: Uint8Array | undefined
    await findRefusal(`a published list cut off after ${length} bytes`, MALFORMED, async () => {
      read = await readList(subject, content.subarray(0, length))
    })
    // a truncated part may be a signature, which the engine verifies
    if (read) demandSameBytes(read, bits, `a published list cut off after ${length} bytes reads as another`)
  }
}

async function flippedBits(subject: Subject): Promise<void> {
  const { content } = await samplePublished(subject)
  const random = subject.random('flipped')
  for (let n = 0; n < 300; n++) {
    const damaged = Uint8Array.from(content)
    const place = random.below(content.length)
    damaged[place] = (damaged[place] ?? 0) ^ (1 << random.below(8))
    await findRefusal(`a published list with a bit flipped in byte ${place}`, MALFORMED, () =>
      readList(subject, damaged),
    )
  }
}

async function wrongValues(subject: Subject): Promise<void> {
  const { opened } = await samplePublished(subject)
  if (!opened) return
  // the first items of a long list are representative
  const places = placesIn(opened.value).filter((path) =>
    path.every((step) => typeof step === 'string' || step < 3),
  )
  for (const path of places) {
    for (const wrong of WRONG_VALUES) {
      const what = `a published list whose ${path.join('.') || 'content'} is ${JSON.stringify(wrong)}`
      const content = opened.closed(replacedAt(opened.value, path, wrong))
      await findRefusal(what, MALFORMED, () => readList(subject, content))
    }
  }
}

async function damagedBits(subject: Subject): Promise<void> {
  const { opened } = await samplePublished(subject)
  const place = opened && placeOfEncodedList(opened.value)
  if (!opened || !place) return
  const text = String(valueAt(opened.value, place))
  const middle = Math.floor(text.length / 2)
  const samples: Record<string, string> = {
    'is empty': '',
    'is cut off': text.slice(0, middle),
    'lacks its end': text.slice(0, -8),
    'has a character that is in no alphabet': `${text.slice(0, middle)}*${text.slice(middle)}`,
    'has a space inside': `${text.slice(0, middle)} ${text.slice(middle)}`,
    'has a letter beyond ASCII': `${text.slice(0, middle)}\u00e9${text.slice(middle)}`,
    'is some other text': 'not-a-list-at-all',
  }
  for (const [name, encodedList] of Object.entries(samples)) {
    const content = opened.closed(replacedAt(opened.value, place, encodedList))
    await demandRefused(`a published list whose ${place.join('.')} ${name}`, MALFORMED, () =>
      readList(subject, content),
    )
    await demandRefused(`decode of bits whose text ${name}`, MALFORMED, () =>
      subject.type.decode(encodedList, undefined, ROOMY),
    )
  }
}

async function limits(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const doc = await subject.createPublished(variant)
    const { length } = await subject.unpack(doc)
    demand(
      (await subject.unpack(doc, length)).length === length,
      `${variant.title}: unpack refuses a list of ${length} bytes where maxBytes is ${length}`,
    )
    await demandRefused(
      `${variant.title}: unpack of ${length} bytes where maxBytes is ${length - 1}`,
      MALFORMED,
      () => subject.unpack(doc, length - 1),
    )
  }
}

async function bombs(subject: Subject): Promise<void> {
  const { location } = await subject.anyVariant()
  const doc = await subject.pack(
    await subject.createPublished(await subject.anyVariant()),
    new Uint8Array(BOMB_BYTES),
  )
  const unpacking = await measureMemory(() =>
    demandRefused(`unpack of ${BOMB_BYTES} bytes where maxBytes is ${MEBIBYTE}`, MALFORMED, () =>
      subject.unpack(doc, MEBIBYTE),
    ),
  )
  demandLittle('unpack', unpacking)
  const opened = openContent(subject, subject.publish(doc, location), location.did)
  const place = opened && placeOfEncodedList(opened.value)
  if (!opened || !place) return
  const encodedList = String(valueAt(opened.value, place))
  const decoding = await measureMemory(() =>
    demandRefused(`decode of ${BOMB_BYTES} bytes where maxBytes is ${MEBIBYTE}`, MALFORMED, () =>
      subject.type.decode(encodedList, undefined, MEBIBYTE),
    ),
  )
  demandLittle('decode', decoding)
}

function demandLittle(what: string, bytes: number): void {
  demand(
    bytes < MOST_MEMORY,
    `${what} took ${Math.round(bytes / MEBIBYTE)} MiB of memory for a list that may have 1 MiB: it inflates first and counts then; give the decompressor the limit (maxOutputLength in node:zlib)`,
  )
}

/** Bytes of remaining buffers, the highest of several tries: unused ones may be collected before they are counted. */
async function measureMemory(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    collectGarbage()
    const { arrayBuffers } = process.memoryUsage()
    await work()
    most = Math.max(most, process.memoryUsage().arrayBuffers - arrayBuffers)
  }
  return most
}

/** So that buffers of earlier work are not collected, and subtracted, in between. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** As the engine does, up to the bits; if it succeeds, the engine can work with the result. */
async function readList(subject: Subject, content: Uint8Array): Promise<Uint8Array> {
  const { type } = subject
  const doc = type.parse(content)
  const layout = type.describe(doc)
  type.securingOf?.(doc)
  if (layout.encrypted) return new Uint8Array()
  const { statusSize, order, purposes } = layout
  demand(
    Number.isInteger(statusSize) && statusSize >= 1 && statusSize <= 8,
    `a damaged list reads as one with the statusSize ${String(statusSize)}`,
  )
  demand(
    ['msb', 'lsb', 'lsb-in-entry'].includes(order),
    `a damaged list reads as one in the order "${order}"`,
  )
  demand(
    Array.isArray(purposes) && purposes.every((purpose) => typeof purpose === 'string'),
    'a damaged list reads as one whose purposes are not strings',
  )
  return decodedList(type, doc, await subject.unpack(doc)).bits
}

interface SamplePublished {
  variant: ListVariant
  content: Uint8Array
  bits: Uint8Array
  opened: OpenedContent | undefined
}

async function samplePublished(subject: Subject): Promise<SamplePublished> {
  const variants = await subject.variants()
  const variant = variants.at(-1) ?? (await subject.anyVariant())
  const { parameters, location, title } = variant
  const bits = subject
    .random(`sample ${title}`)
    .sparseBytes((parameters.length * parameters.statusSize) / 8, 0.01)
  const content = subject.publish(await subject.create(variant, bits), location)
  return { variant, content, bits, opened: openContent(subject, content, location.did) }
}
