import { getEntry, setEntry, planUpdate, type UpdateOperation, decodedList } from '@vidimus/status-list'
import { declaredActions, REFUSALS } from './action-checks.js'
import { demand, demandEqual, valueOrRefusal } from './findings.js'
import type { ListVariant } from './list-variants.js'
import type { RandomSource } from './random-source.js'
import { type CheckOfType, type Subject } from './subject.js'

const ROUNDS = 6
const MOST_OPERATIONS = 6
const MOST_INDICES = 4

export const modelChecks: readonly CheckOfType[] = [
  { title: 'any sequence of updates behaves like an array of numbers', run: anyUpdates },
]

/** The list as it should be: an entry for each index, changed by nothing but `nextValue`. */
class Model {
  private readonly values: number[]

  constructor(
    private readonly subject: Subject,
    private readonly variant: ListVariant,
  ) {
    this.values = Array<number>(variant.parameters.length).fill(0)
  }

  /** The whole operation, or nothing. @returns whether it was done */
  apply({ action, indices }: UpdateOperation): boolean {
    const next = indices.map((index) =>
      valueOrRefusal(`${this.variant.title}: "${action}"`, REFUSALS, () =>
        this.subject.type.nextValue(this.variant.layout, action, this.values[index] ?? 0),
      ),
    )
    if (next.some((outcome) => 'refusal' in outcome)) return false
    indices.forEach((index, n) => {
      const outcome = next[n]
      if (outcome && 'value' in outcome) this.values[index] = outcome.value
    })
    return true
  }

  demandSame(bits: Uint8Array, history: readonly string[]): void {
    const { layout, title } = this.variant
    const different = this.values.findIndex((value, index) => getEntry(bits, layout, index) !== value)
    if (different === -1) return
    demandEqual(
      getEntry(bits, layout, different),
      this.values[different],
      `${title}: after ${history.join(', ')} the published list has another value at index ${different}`,
    )
  }
}

async function anyUpdates(subject: Subject): Promise<void> {
  const byWidth = await subject.variantsByWidth()
  const last = (await subject.variants()).slice(-1)
  for (const variant of new Set([...byWidth, ...last])) await checkUpdates(subject, variant)
}

/** Updates as the engine makes them: planned against the bits, written into a copy, packed, published and read. */
async function checkUpdates(subject: Subject, variant: ListVariant): Promise<void> {
  const { type } = subject
  const { title, location } = variant
  const random = subject.random(`updates ${title}`)
  const model = new Model(subject, variant)
  const history: string[] = []
  let doc = await subject.createPublished(variant)
  for (let round = 0; round < ROUNDS; round++) {
    const { bits: published, entries, layout } = decodedList(type, doc, await subject.unpack(doc))
    const bits = new Uint8Array(published)
    const valueAt = (index: number) => getEntry(bits, layout, index)
    for (let n = random.below(MOST_OPERATIONS); n >= 0; n--) {
      const operation = anyOperation(variant, random)
      history.push(`${operation.action} ${JSON.stringify(operation.indices)}`)
      const plan = valueOrRefusal(`${title}: ${history.at(-1)}`, REFUSALS, () =>
        planUpdate(type, layout, { valueAt, entries }, operation),
      )
      const done = model.apply(operation)
      demand(
        done === 'value' in plan,
        `${title}: ${history.at(-1)} is ${done ? 'refused' : 'done'} now, but was not before`,
      )
      if ('value' in plan) {
        for (const [index, value] of plan.value.changes) setEntry(bits, layout, index, value)
      }
    }
    const packed = await subject.pack(doc, bits)
    doc = type.parse(subject.publish(packed, location))
    model.demandSame(await subject.unpack(doc), history)
  }
}

/** Few indices, so that operations meet, the first and the last among them. */
function anyOperation({ parameters, layout }: ListVariant, random: RandomSource): UpdateOperation {
  const indices = Array.from({ length: 1 + random.below(MOST_INDICES) }, () =>
    random.pick([0, 1, 2, 3, 7, 8, 9, parameters.length - 2, parameters.length - 1]),
  )
  const action =
    random.below(3) > 0
      ? random.pick(['revoke', 'suspend', 'reinstate'])
      : random.pick(declaredActions(layout))
  return { action, indices }
}
