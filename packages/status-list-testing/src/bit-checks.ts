import { entriesIn, getEntry, setEntry } from '@vidimus/status-list'
import { demand, demandEqual, demandSameBytes } from './findings.js'
import { openContent, placeOfEncodedList, valueAt } from './published-content.js'
import { ROOMY, type CheckOfType, type StatusListVector, type Subject } from './subject.js'

export const bitChecks: readonly CheckOfType[] = [
  { title: 'packed bits unpack to the same bits', run: packedBits },
  { title: 'decode reads the bits of a published list', run: decodedBits },
  {
    title: 'published examples are read and written correctly',
    run: readVectors,
    applies: ({ options }) => (options.vectors ?? []).length > 0,
  },
]

async function packedBits(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters, location } = variant
    const bytes = (parameters.length * parameters.statusSize) / 8
    const random = subject.random(`packed ${title}`)
    const doc = await subject.createPublished(variant, random.bytes(bytes))
    const samples = {
      'all 0': new Uint8Array(bytes),
      'all 1': new Uint8Array(bytes).fill(0xff),
      'one in a hundred': random.sparseBytes(bytes, 0.01),
      random: random.bytes(bytes),
      'a view into other memory': random.bytes(bytes + 16).subarray(8, bytes + 8),
    }
    for (const [name, bits] of Object.entries(samples)) {
      const packed = await subject.pack(doc, bits)
      demandSameBytes(await subject.unpack(packed), bits, `${title}: bits that are ${name} come back changed`)
      const read = subject.type.parse(subject.publish(packed, location))
      demandSameBytes(
        await subject.unpack(read),
        bits,
        `${title}: bits that are ${name} come back changed from the published list`,
      )
    }
  }
}

async function decodedBits(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters, location } = variant
    const bits = subject.random(`decoded ${title}`).bytes((parameters.length * parameters.statusSize) / 8)
    const content = subject.publish(await subject.create(variant, bits), location)
    const opened = openContent(subject, content, location.did)
    const place = opened && placeOfEncodedList(opened.value)
    if (!opened || !place) return
    const encodedList = String(valueAt(opened.value, place))
    demandSameBytes(
      await subject.type.decode(encodedList, undefined, ROOMY),
      bits,
      `${title}: decode makes something else of ${place.join('.')} than the bits of the list`,
    )
  }
}

async function readVectors(subject: Subject): Promise<void> {
  for (const vector of subject.options.vectors ?? []) {
    const { name, entries, othersAreZero } = vector
    const { bits, layout } = await decodedVector(subject, vector)
    const room = entriesIn(bits, layout.statusSize)
    for (const [index, value] of entries) {
      demand(
        index < room,
        `"${name}": has no entry ${index}, but ${room} entries of ${layout.statusSize} bits`,
      )
      demandEqual(
        getEntry(bits, layout, index),
        value,
        `"${name}": entry ${index} reads as another value in the order "${layout.order}"`,
      )
    }
    if (!othersAreZero) continue
    const written = new Uint8Array(bits.length)
    for (const [index, value] of entries) setEntry(written, layout, index, value)
    demandSameBytes(written, bits, `"${name}": writing its entries in the order "${layout.order}" differs`)
  }
}

async function decodedVector(subject: Subject, vector: StatusListVector) {
  const { name, content, encodedList, encoding, statusSize = 1 } = vector
  if (content !== undefined) {
    const doc = subject.type.parse(typeof content === 'string' ? Buffer.from(content) : content)
    return { bits: await subject.unpack(doc), layout: subject.type.describe(doc) }
  }
  demand(encodedList !== undefined, `"${name}": a vector needs content or encodedList`)
  const variants = await subject.variants()
  const variant = variants.find(({ layout }) => layout.statusSize === statusSize)
  demand(variant, `"${name}": the type makes no lists with the statusSize ${statusSize}`)
  return { bits: await subject.type.decode(encodedList, encoding, ROOMY), layout: variant.layout }
}
