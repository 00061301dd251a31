import { demand, demandEqual, demandRefused, findRefusal } from './findings.js'
import type { ListVariant } from './list-variants.js'
import { placesIn, replacedAt, valueAt } from './published-content.js'
import type { CheckOfType, Subject } from './subject.js'

/** Not an index in any notation; loose parsers accept some of them. */
const BAD_INDICES = [
  '12abc',
  '-1',
  '1e3',
  '',
  ' 7',
  '7 ',
  '0x7',
  '7.5',
  '+7',
  '99999999999999999999',
  null,
  -1,
  7.5,
  2 ** 53,
  {},
  [],
]
const SAMPLE = 4711
const HTTPS_ADDRESS = 'https://status.example.com/status-lists/NBx0h2MPvVcOBmFqMkcWDQ'

export const entryChecks: readonly CheckOfType[] = [
  {
    title: 'a created entry can be read, with its list, index and purpose',
    run: roundTrip,
  },
  { title: 'an entry is recognised as one of this type', run: recognised },
  { title: 'an index is read strictly', run: strictIndex },
  { title: 'malformed entries are refused', run: badEntries },
]

async function roundTrip(subject: Subject): Promise<void> {
  const { type } = subject
  for (const variant of await subject.variants()) {
    const { layout, location, title, parameters } = variant
    for (const purpose of layout.purposes) {
      for (const index of [0, 1, 7, 8, parameters.length - 1]) {
        const entry = type.entry(layout, location, index, purpose)
        const what = `${title}: the entry of index ${index} for ${purpose}`
        const written: unknown = JSON.parse(JSON.stringify(entry))
        demandEqual(written, entry, `${what} must be plain JSON`)
        const read = type.readEntry(written as Record<string, unknown>)
        demandEqual(read.index, index, `${what} reads as another index`)
        demandEqual(read.listUrl, location.url, `${what} names another list: "${read.listUrl}"`)
        const elsewhere = { ...location, url: HTTPS_ADDRESS }
        const named = type.readEntry(type.entry(layout, elsewhere, index, purpose)).listUrl
        demandEqual(named, HTTPS_ADDRESS, `${what} does not name the list by its https address`)
        demandEqual(read.purpose ?? purpose, purpose, `${what} reads as another purpose`)
        demandEqual(
          read.statusSize ?? layout.statusSize,
          layout.statusSize,
          `${what} reads as another statusSize`,
        )
      }
    }
  }
}

async function recognised(subject: Subject): Promise<void> {
  const { entryType, entryMember = 'credentialStatus' } = subject.type
  const { entry } = await sampleEntry(subject)
  if (entryMember === 'status') {
    demand(
      Object.hasOwn(entry, entryType),
      `an entry in "status" is recognised by its member ${entryType}, which it does not have`,
    )
  } else {
    demand(
      [entry.type].flat().includes(entryType),
      `an entry is recognised by its type, which must be ${entryType}, not ${JSON.stringify(entry.type)}`,
    )
  }
}

async function strictIndex(subject: Subject): Promise<void> {
  const { entry, variant } = await sampleEntry(subject)
  const places = placesIn(entry).filter((path) => String(valueAt(entry, path)) === String(SAMPLE))
  demand(places.length > 0, `an entry of index ${SAMPLE} has no member that is ${SAMPLE}`)
  for (const bad of BAD_INDICES) {
    const changed = places.reduce<unknown>((value, path) => replacedAt(value, path, bad), entry)
    await demandRefused(
      `${variant.title}: an entry with the index ${JSON.stringify(bad)}`,
      ['invalid_credential'],
      () => subject.type.readEntry(changed as Record<string, unknown>),
    )
  }
}

async function badEntries(subject: Subject): Promise<void> {
  const { entryType, entryMember } = subject.type
  const { entry } = await sampleEntry(subject)
  const empty = entryMember === 'status' ? { [entryType]: {} } : { type: entryType }
  await demandRefused('an entry with nothing in it', ['invalid_credential'], () =>
    subject.type.readEntry(empty),
  )
  for (const path of placesIn(entry)) {
    if (path.length === 0) continue
    for (const bad of [null, 7, {}, []]) {
      const changed = replacedAt(entry, path, bad) as Record<string, unknown>
      const what = `an entry whose ${path.join('.')} is ${JSON.stringify(bad)}`
      const listUrl = await readOrRefused(subject, what, changed)
      demand(listUrl === undefined || typeof listUrl === 'string', `${what} reads as one without a list`)
    }
  }
}

async function readOrRefused(
  { type }: Subject,
  what: string,
  entry: Record<string, unknown>,
): Promise<unknown> {
  let listUrl: unknown
  await findRefusal(what, ['invalid_credential'], () => {
    listUrl = type.readEntry(entry).listUrl
  })
  return listUrl
}

async function sampleEntry(
  subject: Subject,
): Promise<{ entry: Record<string, unknown>; variant: ListVariant }> {
  const variant = await subject.anyVariant()
  const [purpose = ''] = variant.layout.purposes
  return { entry: subject.type.entry(variant.layout, variant.location, SAMPLE, purpose), variant }
}
