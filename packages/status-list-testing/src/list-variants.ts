import {
  asListName,
  asDid,
  listUrl,
  type NamedStatusList,
  type StatusListCreateParameters,
  type StatusListLayout,
  type StatusListType,
  type StatusMessage,
} from '@vidimus/core-types'
import { findRefusal } from './findings.js'

/** A kind of list that a type makes. */
export interface ListVariant {
  /** names it in findings */
  title: string
  parameters: StatusListCreateParameters
  location: NamedStatusList
  /** of a new list */
  layout: StatusListLayout
}

const PUBLISHER = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const WORDS = ['valid', 'revoked', 'suspended']

/**
 * Tries every width with each purpose alone, with revocation and suspension, and with all purposes. A refusal with
 * `invalid_input` is accepted; if the type requires messages for the values, it is tried again with them.
 */
export async function createdVariants(type: StatusListType, now: Date): Promise<ListVariant[]> {
  const variants: ListVariant[] = []
  for (const statusSize of type.statusSizes) {
    for (const purposes of purposeSets(type.purposes)) {
      const variant = await createdVariant(type, statusSize, purposes, now)
      if (variant) variants.push(variant)
    }
  }
  return variants
}

async function createdVariant(
  type: StatusListType,
  statusSize: number,
  purposes: readonly string[],
  now: Date,
): Promise<ListVariant | undefined> {
  const title = `[${purposes.join(' + ')}, statusSize ${statusSize}]`
  const [resourceType = ''] = type.resourceTypes(purposes[0])
  const place = { did: asDid(PUBLISHER), statusListName: asListName('my list'), resourceType }
  const location = { ...place, url: listUrl(place) }
  const plain = { length: type.minLength, statusSize, purposes }
  for (const parameters of [plain, { ...plain, statusMessages: sampleMessages(statusSize) }]) {
    let layout: StatusListLayout | undefined
    const refusal = await findRefusal(`create ${title}`, ['invalid_input'], async () => {
      layout = type.describe(await type.create(parameters, location, now))
    })
    if (!refusal && layout) return { title, parameters, location, layout }
  }
  return undefined
}

function purposeSets(purposes: readonly string[]): string[][] {
  const sets = purposes.map((purpose) => [purpose])
  const usual = ['revocation', 'suspension']
  const both = purposes.length > 2 && usual.every((purpose) => purposes.includes(purpose)) ? [usual] : []
  return [...sets, ...both, ...(purposes.length > 1 ? [[...purposes]] : [])]
}

const sampleMessages = (statusSize: number): StatusMessage[] =>
  Array.from({ length: 2 ** statusSize }, (_, value) => ({
    status: `0x${value.toString(16)}`,
    message: WORDS[value] ?? `state ${value}`,
  }))
