import { isJsonObject } from '@vidimus/core-types'
import { decodedList } from '@vidimus/status-list'
import { demand, demandEqual, demandRefused, demandSameBytes, findRefusal } from './findings.js'
import type { ListVariant } from './list-variants.js'
import { openContent, placesIn, replacedAt, valueAt } from './published-content.js'
import { ROOMY, type CheckOfType, type Subject } from './subject.js'

const ORDERS = ['msb', 'lsb', 'lsb-in-entry']
const UNKNOWN = 'x-unknown-to-the-type'

export const documentChecks: readonly CheckOfType[] = [
  { title: 'a new list is as requested, even after it was published and read', run: newLists },
  { title: 'a new list starts with the given bits', run: givenBits },
  { title: 'a new list has the requested length, and at least minLength', run: lengths },
  { title: 'ttl, validUntil and encoding are kept or refused, never ignored', run: furtherParameters },
  { title: 'the signature is verified and covers the bits', run: signatures, applies: isSecured },
  { title: 'an update keeps unknown members', run: unknownMembers },
  { title: 'toResource is plain JSON', run: resources },
]

function isSecured({ type }: Subject): boolean {
  return type.secure !== undefined
}

async function newLists(subject: Subject): Promise<void> {
  const { type } = subject
  for (const variant of await subject.variants()) {
    const { title, parameters, location } = variant
    const doc = await subject.create(variant)
    const content = subject.publish(doc, location)
    demand(content instanceof Uint8Array && content.length > 0, `${title}: serialise must make bytes`)
    const read = type.parse(content)
    const layout = type.describe(read)
    demandEqual(type.describe(doc), layout, `${title}: a list reads otherwise once it was published`)
    demandEqual(layout.statusSize, parameters.statusSize, `${title}: describe returns a different statusSize`)
    demand(
      ORDERS.includes(layout.order),
      `${title}: the order "${layout.order}" is none of ${ORDERS.join(', ')}`,
    )
    demand(!layout.encrypted, `${title}: describe says that the list is encrypted`)
    const missing = parameters.purposes.filter((purpose) => !layout.purposes.includes(purpose))
    demandEqual(missing, [], `${title}: describe does not return the requested purposes`)
    const bits = await subject.unpack(read)
    demandEqual(
      decodedList(type, read, bits).entries,
      parameters.length,
      `${title}: the list has another number of entries`,
    )
    demand(
      bits.every((byte) => byte === 0),
      `${title}: entries of a new list are not all 0`,
    )
    demandSameBytes(
      type.serialise(read, type.securingOf?.(read)?.jwt),
      content,
      `${title}: what was parsed serialises to something else`,
    )
  }
}

async function givenBits(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters } = variant
    const bits = subject.random(title).bytes((parameters.length * parameters.statusSize) / 8)
    const read = await subject.createPublished(variant, bits)
    demandSameBytes(
      await subject.unpack(read),
      bits,
      `${title}: the bits given to create are not those of the list`,
    )
  }
}

async function lengths(subject: Subject): Promise<void> {
  const { type } = subject
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters } = variant
    const length = type.minLength + 8
    const doc = await subject.createWith(variant, { ...parameters, length })
    const { entries } = decodedList(type, doc, await subject.unpack(doc))
    demandEqual(entries, length, `${title}: a list of ${length} entries has another number of them`)
    const tooShort = new Uint8Array(((type.minLength - 8) * parameters.statusSize) / 8)
    await demandRefused(
      `${title}: a list that became shorter than minLength`,
      ['malformed_list'],
      async () => {
        const shorter = await subject.pack(doc, tooShort)
        return decodedList(type, shorter, await subject.unpack(shorter))
      },
    )
  }
}

async function furtherParameters(subject: Subject): Promise<void> {
  const variant = await subject.anyVariant()
  const layoutWith = async (what: string, members: object) => {
    let doc: unknown
    const refusal = await findRefusal(`create with ${what}`, ['invalid_input'], async () => {
      doc = await subject.createWith(variant, { ...variant.parameters, ...members })
    })
    return refusal
      ? undefined
      : subject.type.describe(subject.type.parse(subject.publish(doc, variant.location)))
  }
  const withTtl = await layoutWith('ttl', { ttl: 600_000 })
  demand(
    !withTtl || withTtl.ttlMs === 600_000,
    `a ttl of 600000 milliseconds is neither refused nor told by describe as ttlMs, but ${withTtl?.ttlMs}`,
  )
  const validUntil = '2099-12-31T23:59:59Z'
  const withEnd = await layoutWith('validUntil', { validUntil })
  demand(
    !withEnd || Date.parse(withEnd.validUntil ?? '') === Date.parse(validUntil),
    `validUntil ${validUntil} is neither refused nor told by describe, but ${withEnd?.validUntil}`,
  )
  demand(
    !(await layoutWith('an unknown encoding', { encoding: 'no-such-encoding' })),
    'the encoding "no-such-encoding" must be refused with invalid_input',
  )
}

async function signatures(subject: Subject): Promise<void> {
  for (const variant of await subject.variants()) {
    const { title, parameters, location } = variant
    const bytes = (parameters.length * parameters.statusSize) / 8
    const before = await subject.createPublished(variant)
    const after = await subject.pack(before, new Uint8Array(bytes).fill(1))
    if (!subject.type.secure?.(before, location, variantTime(0))) continue
    demandSecured(subject, variant, before)
    const read = subject.type.parse(subject.publish(after, location, variantTime(1)))
    demandSecured(subject, variant, read)
    demandSameBytes(
      await subject.unpack(read),
      new Uint8Array(bytes).fill(1),
      `${title}: an updated list that was signed and read has other bits`,
    )
    const payloads = [before, after].map((doc) =>
      JSON.stringify(subject.type.secure?.(doc, location, variantTime(1))?.payload),
    )
    demand(
      payloads[0] !== payloads[1],
      `${title}: secure signs the same whatever the bits are, so that the signature does not protect them`,
    )
  }
}

function demandSecured({ type }: Subject, { title, location }: ListVariant, doc: unknown): void {
  const content = Buffer.from(type.serialise(doc, type.securingOf?.(doc)?.jwt)).toString()
  const securing = type.securingOf?.(doc)
  demand(
    securing,
    `${title}: secure has the list signed, but securingOf finds no JWT in it: the engine would trust it unverified`,
  )
  const { jwt, issuer = location.did, id } = securing
  demand(content.includes(jwt), `${title}: the JWT of securingOf is not what was published`)
  demandEqual(issuer, location.did, `${title}: securingOf returns a different issuer than the publisher`)
  if (id !== undefined) {
    demandEqual(id, location.url, `${title}: securingOf returns the id "${id}" of another list`)
  }
}

/** Seconds after the lists here were made. */
const variantTime = (seconds: number): Date => new Date(Date.UTC(2026, 0, 2, 3, 4, 5 + seconds))

async function unknownMembers(subject: Subject): Promise<void> {
  const { type } = subject
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters, location } = variant
    const content = subject.publish(await subject.create(variant), location)
    const opened = openContent(subject, content, location.did)
    if (!opened) return
    const bits = new Uint8Array((parameters.length * parameters.statusSize) / 8).fill(1)
    const objects = placesIn(opened.value).filter(
      (path) => isJsonObject(valueAt(opened.value, path)) && path.every((step) => typeof step === 'string'),
    )
    for (const path of objects) {
      const place = [...path, UNKNOWN]
      const name = place.join('.')
      const extended = opened.closed(replacedAt(opened.value, place, { kept: [1] }))
      let doc: unknown
      const refusal = await findRefusal(`${title}: parse`, ['malformed_list'], () => {
        doc = type.parse(extended)
      })
      demand(!refusal, `${title}: parse refuses a list with the unknown member ${name}: ${refusal?.message}`)
      const updated = subject.publish(await subject.pack(doc, bits), location)
      const found = openContent(subject, updated, location.did)
      demandEqual(
        found && valueAt(found.value, place),
        { kept: [1] },
        `${title}: an update loses the unknown member ${name}`,
      )
    }
  }
}

async function resources(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const doc = await subject.createPublished(variant)
    const { entries } = decodedList(subject.type, doc, await subject.unpack(doc, ROOMY))
    const resource = subject.type.toResource(doc, entries)
    demand(isJsonObject(resource), `${variant.title}: toResource must make an object`)
    demandEqual(
      JSON.parse(JSON.stringify(resource)),
      withoutUndefined(resource),
      `${variant.title}: toResource makes something that JSON cannot hold`,
    )
  }
}

const withoutUndefined = (resource: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== undefined))
