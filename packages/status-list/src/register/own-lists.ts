import {
  AgentError,
  isAgentError,
  type RegisteredEntry,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import { publishingAct, demandHeldDid, type WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { getEntry } from '../encoding/entries.js'
import { isInRange, outsideList } from '../indices/index-range.js'
import { openOwnList } from '../versions/decoded-list.js'
import { listNotFound, type LocatedList } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'

interface Sources {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  context: WritingContext
}

/** A list of the account in scope. */
export interface OwnList extends LocatedList {
  type: StatusListType
}

/** Lists that are remembered at most: callers may name any number. */
const MOST_LOOKED = 10_000

/** Lists of the account in scope, each looked up once. */
export class OwnLists {
  private readonly looked = new Map<string, Promise<OwnList>>()

  constructor(private readonly sources: Sources) {}

  /**
   * @param address - in the form used by credentials
   * @throws AgentError `list_not_found`, `did_not_found`, `key_not_found`, `did_deactivated`, `index_out_of_range`
   */
  async demandIndex(
    address: string,
    index: number,
  ): Promise<{ location: StatusListLocation; encrypted: boolean }> {
    const { list, location } = await this.at(address)
    const { encrypted } = list.layout
    if (encrypted || isInRange(index, list.entries)) return { location, encrypted }
    throw new AgentError('index_out_of_range', `index ${outsideList(index, list.entries)}`)
  }

  /** @throws AgentError as {@link ownList} does */
  open(location: StatusListLocation): Promise<OwnList> {
    const { did, statusListName, resourceType } = location
    return this.once(JSON.stringify([did, statusListName, resourceType]), () =>
      ownList(location, this.sources),
    )
  }

  private at(address: string): Promise<OwnList> {
    return this.once(address, () => this.look(address))
  }

  private once(key: string, look: () => Promise<OwnList>): Promise<OwnList> {
    if (this.looked.size >= MOST_LOOKED) this.looked.clear()
    const known = this.looked.get(key)
    if (known) return known
    const looked = look()
    // A system failure must not be cached for the remaining rows.
    looked.catch((error: unknown) => {
      if (!isAgentError(error)) this.looked.delete(key)
    })
    this.looked.set(key, looked)
    return looked
  }

  private async look(address: string): Promise<OwnList> {
    const location = await this.sources.addresses.locate(address)
    if (!location)
      throw new AgentError('list_not_found', 'list must be the address of a status list of the account')
    return ownList(location, this.sources)
  }
}

/**
 * Opens a list of the account in scope.
 *
 * @throws AgentError `list_not_found`, and as `demandHeldDid`
 */
export async function ownList(
  location: StatusListLocation,
  { types, lists, context }: Omit<Sources, 'addresses'>,
): Promise<OwnList> {
  const type = types.find((one) => one.resourceTypes().includes(location.resourceType))
  if (!type)
    throw new AgentError(
      'list_not_found',
      `no configured status list type has resources of the type "${location.resourceType}"`,
    )
  await demandHeldDid(location.did, publishingAct(type), context)
  const published = await lists.read(type, location, context)
  if (!published) throw listNotFound(type, location)
  return { ...published, location, type }
}

/** The state of the entry of a registered credential, in a word; `undefined` if its list cannot be read now. */
export async function entryState(
  { list: location, index, purpose }: RegisteredEntry,
  lists: OwnLists,
): Promise<string | undefined> {
  try {
    const own = await lists.open(location)
    const { bits, layout, entries, failure } = openOwnList(own)
    if (failure || !isInRange(index, entries)) return undefined
    return stateOfValue(own, getEntry(bits, layout, index), purpose)
  } catch (error) {
    if (isAgentError(error)) return undefined
    throw error
  }
}

/** One bit means what the purpose of the entry says; several bits say it themselves. */
function stateOfValue({ type, list: { layout } }: OwnList, value: number, purpose?: string): string {
  if (value === 0) return 'valid'
  const purposes = purpose !== undefined && layout.statusSize === 1 ? [purpose] : layout.purposes
  const reports = purposes.map((one) => type.report(layout, value, one))
  if (reports.some(({ revoked }) => revoked)) return 'revoked'
  if (reports.some(({ suspended }) => suspended)) return 'suspended'
  const message = reports.find((report) => report.message !== undefined)?.message
  return message ?? `0x${value.toString(16)}`
}
