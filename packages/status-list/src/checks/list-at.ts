import { AgentError, problemsError, type StatusListType } from '@vidimus/core-types'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { UnlockingContext } from '../agent-context.js'
import type { PacedLists } from '../pace/paced-lists.js'
import type { ListAccess, Payer } from '../encryption/list-access.js'
import { webAddress, type ForeignLists } from '../strangers/foreign-lists.js'
import type { StatusIssuer } from '../plugin-options.js'
import { anchorsServing, demandStatusIssuer, type Voucher } from '../strangers/verify-foreign.js'
import { listUrl, parseListUrl } from '../types/list-url.js'
import type { DecodedList, ListFacts, PublishedList } from '../versions/decoded-list.js'
import { readFirst, type LocatedList } from '../versions/list-location.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { demandValidNow } from '../versions/list-validity.js'

/** The dependencies of a check. */
export interface Checking {
  lists: PublishedLists
  addresses: ListAddresses
  /** absent: no other hosts are asked */
  foreign: ForeignLists | undefined
  /** asked last, so that nothing is paid for a check that cannot succeed */
  access: ListAccess
  paces: PacedLists
  /** who else may sign lists that are served over https */
  statusIssuers: readonly StatusIssuer[]
  context: UnlockingContext
  now: Date
}

/** A list whose bits may be believed now. */
export interface TrustedList {
  facts: ListFacts
  /** its address: a DID URL, or an https address */
  address: string
  /** asked last, so that nothing is paid for a check that cannot succeed */
  open: (payer: Payer) => Promise<DecodedList>
  /** absent: others serve it over https */
  located?: LocatedList
  /** of a list that others serve over https */
  signedBy?: string
}

/**
 * The list at an address: published as a DID-Linked Resource, by either of its addresses, or served by others over
 * https.
 *
 * @param voucher - who issued the credential that names it
 * @throws AgentError `list_not_found`, `list_unreachable`, `list_encrypted`, `malformed_list`, `invalid_credential`:
 *   what cannot be trusted never reads as "not revoked"
 */
export async function listAt(
  url: string,
  type: StatusListType,
  voucher: Voucher,
  checking: Checking,
): Promise<TrustedList> {
  const { addresses, lists, context } = checking
  const location = await addresses.locate(url)
  if (!location) return foreignList(url, type, voucher, checking)
  if (!type.resourceTypes().includes(location.resourceType)) {
    throw unusable(`its list is a "${location.resourceType}", not a ${type.type}`, type)
  }
  const located = await readFirst(type, location, [location.resourceType], lists, context)
  return trustedAt(located, parseListUrl(url) ? listUrl(location) : url, type, checking)
}

/** A list that was read from its ledger, by its address. */
export const trustedAt = (
  located: LocatedList,
  address: string,
  type: StatusListType,
  { access, context, now }: Checking,
): TrustedList => ({
  facts: trustedList(located, now),
  address,
  located,
  open: (payer) => access.open(type, located, payer, context),
})

/**
 * The list, if its bits can be trusted now. Whether the caller may see them is checked separately.
 *
 * @throws AgentError `list_encrypted` if it cannot be decrypted here, `invalid_credential`, `malformed_list`
 */
export function trustedList({ list }: PublishedList, now: Date): ListFacts {
  if (list.locked) throw list.locked
  if (list.failure) throw list.failure.error
  demandValidNow(list.layout, now)
  return list
}

async function foreignList(
  url: string,
  type: StatusListType,
  voucher: Voucher,
  { addresses, foreign, statusIssuers, context, now }: Checking,
): Promise<TrustedList> {
  if (!webAddress(url)) {
    throw unusable('its list is neither a DID URL with resourceName and resourceType nor an https URL', type)
  }
  if (addresses.isOwn(url)) {
    const message = `there is no ${type.type} at "${url}"`
    throw problemsError('list_not_found', [{ path: 'statusListCredential', message }])
  }
  if (!foreign) throw unusable('its list is on the web, and this agent does not fetch from other hosts', type)
  const believing = { ...voucher, ...anchorsServing(voucher, statusIssuers) }
  const { list, issuer } = await foreign.read(type, { url, voucher: believing }, now, context)
  demandStatusIssuer(issuer, voucher, statusIssuers)
  demandValidNow(list.layout, now)
  return { facts: list, address: url, open: () => Promise.resolve(list), signedBy: issuer }
}

const unusable = (reason: string, { entryMember = 'credentialStatus' }: StatusListType): AgentError =>
  new AgentError('invalid_credential', `the ${entryMember} cannot be used: ${reason}`)
