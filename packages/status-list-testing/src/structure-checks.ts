import { StatusListPlugin } from '@vidimus/status-list'
import { demand, demandEqual } from './findings.js'
import type { CheckOfType, Subject } from './subject.js'

/** Resource types are limited by the ledger, in bytes. */
const MOST_BYTES = 64
const ACTIONS = ['revoke', 'suspend', 'reinstate', 'something else']
const MEDIA_TYPE = /^[a-z]+\/[\w.+-]+$/i

export const structureChecks: readonly CheckOfType[] = [
  { title: 'has every member that the engine calls', run: everyMember },
  { title: 'names its purposes, widths and lengths', run: namesAndNumbers },
  { title: 'creates lists of every width and purpose that it names', run: everyVariant },
  { title: 'returns the resource types of its lists', run: resourceTypes },
]

function everyMember({ type }: Subject): void {
  // throws if the engine would refuse the type, with what it lacks
  new StatusListPlugin({ types: [type] })
  for (const name of ['type', 'entryType'] as const) {
    demand(typeof type[name] === 'string' && type[name] !== '', `${name} must be a text`)
  }
  const { entryMember = 'credentialStatus', mediaType = 'a/b' } = type
  demand(
    ['credentialStatus', 'status'].includes(entryMember),
    `entryMember must be credentialStatus or status, not "${String(entryMember)}"`,
  )
  demand(MEDIA_TYPE.test(mediaType), `the mediaType "${mediaType}" is none`)
  demand(
    typeof type.secure === typeof type.securingOf,
    'secure and securingOf belong together: what is signed must be verified, and only that can be',
  )
}

function namesAndNumbers({ type }: Subject): void {
  const { purposes, statusSizes, minLength, defaultLength } = type
  const lists: Record<string, readonly (string | number)[]> = { purposes, statusSizes }
  for (const [name, items] of Object.entries(lists)) {
    demand(items.length > 0, `${name} must hold at least one`)
    demandEqual([...new Set(items)], [...items], `${name} has something twice`)
  }
  demand(
    purposes.every((purpose) => typeof purpose === 'string' && purpose !== ''),
    'purposes must be texts',
  )
  demand(
    statusSizes.every((size) => Number.isInteger(size) && size >= 1 && size <= 8),
    `statusSizes must be whole numbers from 1 to 8, not ${statusSizes.join(', ')}`,
  )
  demand(
    Number.isInteger(minLength) && minLength > 0 && minLength % 8 === 0,
    `minLength must be a positive multiple of 8 entries, not ${minLength}`,
  )
  demand(
    Number.isInteger(defaultLength) && defaultLength >= minLength && defaultLength % 8 === 0,
    `defaultLength must be a multiple of 8 entries from minLength on, not ${defaultLength}`,
  )
  for (const wanted of [...purposes.map((purpose) => [purpose]), [...purposes]]) {
    const size = type.defaultStatusSize(wanted)
    demand(
      statusSizes.includes(size),
      `defaultStatusSize for ${wanted.join(', ')} is ${size}, which is none of statusSizes`,
    )
  }
}

async function everyVariant(subject: Subject): Promise<void> {
  const { purposes, statusSizes } = subject.type
  const made = await subject.variants()
  for (const size of statusSizes) {
    demand(
      made.some(({ parameters }) => parameters.statusSize === size),
      `create refuses every list with the statusSize ${size}, which statusSizes names`,
    )
  }
  for (const purpose of purposes) {
    demand(
      made.some(({ parameters }) => parameters.purposes.includes(purpose)),
      `create refuses every list with the purpose ${purpose}, which purposes names`,
    )
  }
  for (const purpose of purposes) {
    const size = subject.type.defaultStatusSize([purpose])
    demand(
      made.some(
        ({ parameters: p }) => p.statusSize === size && p.purposes.length === 1 && p.purposes[0] === purpose,
      ),
      `create refuses a list with the purpose ${purpose} and its defaultStatusSize ${size}`,
    )
  }
}

function resourceTypes({ type }: Subject): void {
  const all = type.resourceTypes()
  demand(all.length > 0, 'resourceTypes must name at least one')
  demandEqual([...new Set(all)], [...all], 'resourceTypes names one twice')
  for (const name of all) {
    const bytes = Buffer.byteLength(name)
    demand(bytes > 0 && bytes <= MOST_BYTES, `the resource type "${name}" must have 1 to ${MOST_BYTES} bytes`)
  }
  const subsets = [
    ...type.purposes.map((purpose) => [`resourceTypes('${purpose}')`, type.resourceTypes(purpose)] as const),
    ...ACTIONS.map(
      (action) => [`resourceTypesOfAction('${action}')`, type.resourceTypesOfAction(action)] as const,
    ),
  ]
  for (const [call, found] of subsets) {
    demand(found.length > 0, `${call} must name at least one`)
    const unknown = found.filter((name) => !all.includes(name))
    demandEqual(unknown, [], `${call} names what resourceTypes() does not`)
  }
}
