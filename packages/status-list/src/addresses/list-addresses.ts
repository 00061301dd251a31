import {
  Cache,
  LISTS_PATH,
  listAddress,
  listIdIn,
  hashListId,
  type AddressedList,
  type NamedStatusList,
  type Problem,
  type StatusListAddress,
  type StatusListAddresses,
  type StatusListLocation,
} from '@vidimus/core-types'
import { listUrl, parseListUrl } from '../types/list-url.js'
import type { ListFacts } from '../versions/decoded-list.js'

export interface AddressOptions {
  /** of the service, without a slash at the end; absent: there are no https addresses */
  publicUrl?: string | undefined
  /** default for new lists */
  address: StatusListAddress
}

/**
 * The two addresses of a list: its DID URL, and the https address under the public URL of the service. One of them
 * identifies the list in its document and its entries; both lead to it.
 */
export class ListAddresses {
  private readonly found = new Cache<FoundList>('address')

  /** @param kept - absent: lists only have their DID URL */
  constructor(
    private readonly options: AddressOptions,
    private readonly kept?: StatusListAddresses,
  ) {}

  /** The problems of the address for a new list. */
  problems(address: StatusListAddress = this.options.address): Problem[] {
    if (address === 'did' || (this.options.publicUrl !== undefined && this.kept)) return []
    const message =
      this.options.publicUrl === undefined
        ? '"https" is not possible: this service has no public URL (VIDIMUS_PUBLIC_URL)'
        : '"https" is not possible: this agent has no status list store'
    return [{ path: 'address', message }]
  }

  /** A new list, as it is going to be called. */
  newList(location: StatusListLocation, address: StatusListAddress = this.options.address): NamedStatusList {
    const { publicUrl } = this.options
    if (address === 'did' || publicUrl === undefined) return { ...location, url: listUrl(location) }
    const aggregationUrl = `${publicUrl}${LISTS_PATH}/aggregation`
    return { ...location, url: listAddress(publicUrl, hashListId(location)), aggregationUrl }
  }

  /** The identity of a list: as its document states it, or, if it does not, as its entries name it. */
  async named(location: StatusListLocation, { id }: Pick<ListFacts, 'id'>): Promise<NamedStatusList> {
    if (id !== undefined) return { ...location, url: id }
    const { url = listUrl(location) } = (await this.find(hashListId(location), 'published')) ?? {}
    return { ...location, url }
  }

  /** @returns `undefined` for a URL that is neither a DID URL of a list nor an address of this service */
  async locate(url: string): Promise<StatusListLocation | undefined> {
    const onLedger = parseListUrl(url)
    if (onLedger) return onLedger
    const id = listIdIn(url)
    const found = id === undefined ? undefined : await this.find(id)
    if (!found || id === undefined) return undefined
    const { publicUrl } = this.options
    // The address that a list was made with is its own, though the service may have another one by now.
    const isHere = found.url === url || (publicUrl !== undefined && url === listAddress(publicUrl, id))
    return isHere ? addressedLocation(found) : undefined
  }

  /** Whether a URL is that of a list under the public URL of the service, whether or not there is such a list. */
  isOwn(url: string): boolean {
    const { publicUrl } = this.options
    return publicUrl !== undefined && url.startsWith(`${publicUrl}${LISTS_PATH}/`)
  }

  /** @returns `null` if no list here has that id */
  async located(id: string): Promise<AddressedList | null> {
    const found = await this.find(id)
    return found ? { ...addressedLocation(found), ...(found.url !== undefined && { url: found.url }) } : null
  }

  /** @param seen - what the caller knows of the list: only before it is published, its addresses may still change */
  private async find(id: string, seen?: 'published'): Promise<FoundList | undefined> {
    const known = this.found.get(id)
    if (known) return known
    const found = await this.kept?.find(id)
    if (found && (found.settled || seen)) this.found.set(id, found)
    return found
  }

  /** Before a list is published: readers that find it there can reach it at both addresses. */
  async announce(list: NamedStatusList, entries: number): Promise<void> {
    await this.kept?.note(keptForm(list), { settled: false, entries })
  }

  /** Once it is published: from now on it is called like that for good. */
  async settle(list: NamedStatusList): Promise<void> {
    await this.kept?.note(keptForm(list), { settled: true })
    this.found.delete(hashListId(list))
  }

  /**
   * {@link named} of a list of the account, which may have been made elsewhere, before there were addresses, or by a process that
   * was killed before it could {@link settle} its https address.
   */
  async ofOwnList(location: StatusListLocation, list: ListFacts): Promise<NamedStatusList> {
    const named = await this.named(location, list)
    const found = this.kept && (await this.find(hashListId(location), 'published'))
    const isOpen = found ? found.url !== undefined && !found.settled : this.kept !== undefined
    if (isOpen) await this.settle(named)
    return named
  }

  /** The https addresses of lists whose identity they are. */
  async urls(of: Parameters<StatusListAddresses['urls']>[0]): Promise<string[]> {
    return (await this.kept?.urls(of)) ?? []
  }
}

type FoundList = NonNullable<Awaited<ReturnType<StatusListAddresses['find']>>>

const addressedLocation = ({ did, statusListName, resourceType }: AddressedList): StatusListLocation => ({
  did,
  statusListName,
  resourceType,
})

function keptForm({ url, ...list }: NamedStatusList): AddressedList {
  return { ...addressedLocation(list), ...(parseListUrl(url) === undefined && { url }) }
}
