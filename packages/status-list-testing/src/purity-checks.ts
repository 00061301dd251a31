import { demandEqual, demandSameBytes } from './findings.js'
import type { ListVariant } from './list-variants.js'
import { NOW, ROOMY, type CheckOfType, type Subject } from './subject.js'

const A_YEAR_MS = 31_557_600_000

export const purityChecks: readonly CheckOfType[] = [
  { title: 'arguments are never modified', run: unchangedArguments },
  { title: 'results are the same for the same arguments, whatever the clock says', run: sameAnswers },
]

async function unchangedArguments(subject: Subject): Promise<void> {
  const { type } = subject
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters, location } = variant
    const bits = subject.random(`purity ${title}`).bytes((parameters.length * parameters.statusSize) / 8)
    const given = { ...parameters, bits }
    await demandUnchanged(`${title}: create`, { given, location, now: NOW }, () =>
      type.create(given, location, NOW),
    )
    const doc = await subject.createPublished(variant, bits)
    const layout = type.describe(doc)
    const [purpose = ''] = layout.purposes
    const entry = type.entry(layout, location, 3, purpose)
    const other = bits.toReversed()
    const content = subject.publish(doc, location)
    const calls: Record<string, [given: object, call: () => unknown]> = {
      parse: [{ content }, () => type.parse(content)],
      describe: [{ doc }, () => type.describe(doc)],
      unpack: [{ doc }, async () => (await type.unpack(doc, ROOMY)).fill(0xaa)],
      pack: [{ doc, other }, () => type.pack(doc, other)],
      secure: [{ doc, location, now: NOW }, () => type.secure?.(doc, location, NOW)],
      securingOf: [{ doc }, () => type.securingOf?.(doc)],
      serialise: [{ doc }, () => type.serialise(doc, 'a.b.c')],
      toResource: [{ doc }, () => type.toResource(doc, parameters.length)],
      report: [{ layout }, () => type.report(layout, 1, purpose)],
      entry: [{ layout, location }, () => type.entry(layout, location, 3, purpose)],
      readEntry: [{ entry }, () => type.readEntry(entry)],
    }
    for (const [name, [arguments_, call]] of Object.entries(calls)) {
      await demandUnchanged(`${title}: ${name}`, arguments_, call)
    }
    await demandPackLeavesBits(subject, variant, doc)
  }
}

/** The bits belong to the engine, which keeps writing to them. */
async function demandPackLeavesBits(subject: Subject, { title }: ListVariant, doc: unknown): Promise<void> {
  const bits = new Uint8Array(await subject.unpack(doc))
  const before = bits.slice()
  const packed = await subject.pack(doc, bits)
  bits.fill(0x55)
  demandSameBytes(
    await subject.unpack(packed),
    before,
    `${title}: pack holds on to the bits that it is given, and changes when they do`,
  )
}

async function demandUnchanged(what: string, given: object, call: () => unknown): Promise<void> {
  const before = structuredClone(given)
  await call()
  demandEqual(structuredClone(given), before, `${what} changes what it is given`)
}

async function sameAnswers(subject: Subject): Promise<void> {
  for (const variant of await subject.variantsByWidth()) {
    const { title, parameters, location } = variant
    const bits = subject.random(`same ${title}`).bytes((parameters.length * parameters.statusSize) / 8)
    const made = async () => {
      const doc = await subject.create(variant)
      const read = subject.type.parse(subject.publish(doc, location))
      const updated = await subject.pack(read, bits)
      return { created: subject.publish(doc, location), updated: subject.publish(updated, location) }
    }
    const first = await made()
    const second = await aYearLater(made)
    for (const step of ['created', 'updated'] as const) {
      demandSameBytes(
        second[step],
        first[step],
        `${title}: the ${step} list differs in a second run with the same arguments; types have no clock but "now"`,
      )
    }
  }
}

/** Runs with a clock that is wrong. */
async function aYearLater<T>(work: () => Promise<T>): Promise<T> {
  const real = globalThis.Date
  const now = () => real.now() + A_YEAR_MS
  globalThis.Date = new Proxy(real, {
    construct: (target, args, self) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, self) as object,
    get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  })
  try {
    return await work()
  } finally {
    globalThis.Date = real
  }
}
