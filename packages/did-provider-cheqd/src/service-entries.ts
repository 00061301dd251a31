import type { IService } from '@veramo/core-types'
import { normaliseDid, type LedgerService } from '@vidimus/ledger'
import type { CollectedProblems } from './collected-problems.js'
import { isFragment, type ParsedService } from './create-options.js'

/** A service of a document whose DID may not be known yet. */
export type ServiceEntry = Omit<LedgerService, 'id'> & { fragment: string }

/**
 * Reads the services of a new document.
 *
 * @param did - if it is known already: ids may contain it
 * @param path - of the list, for the problems
 */
export function readServices(
  services: readonly ParsedService[],
  did: string | undefined,
  path: string,
  problems: CollectedProblems,
): ServiceEntry[] {
  const seen = new Set<string>()
  return services.map((service, index) => {
    const at = `${path}[${index}]`
    const fragment = readFragment(service, did, at, problems)
    if (fragment !== undefined && seen.has(fragment)) {
      const name = service.idFragment === undefined ? 'id' : 'idFragment'
      problems.add(`${at}.${name}`, `is the second service with the fragment "${fragment}"`)
    }
    if (fragment !== undefined) seen.add(fragment)
    return serviceEntry(service, fragment ?? '')
  })
}

function readFragment(
  { id, idFragment }: ParsedService,
  did: string | undefined,
  path: string,
  problems: CollectedProblems,
): string | undefined {
  if (id === undefined && idFragment === undefined) {
    problems.add(`${path}.idFragment`, 'is missing; give the fragment of the service id')
    return undefined
  }
  if (idFragment !== undefined && !isFragment(idFragment)) {
    problems.add(`${path}.idFragment`, 'must be the fragment of a DID URL, without "#" and spaces')
    return undefined
  }
  if (id === undefined) return idFragment
  const fragment = serviceFragment(id, did)
  if (fragment === undefined) problems.add(`${path}.id`, `must be ${did ?? ''}#<fragment>`)
  else if (idFragment !== undefined && idFragment !== fragment) {
    problems.add(`${path}.idFragment`, 'has a different fragment than the id')
    return undefined
  }
  return fragment
}

/**
 * The fragment of `<did>#<fragment>` or `#<fragment>`; `undefined` for everything else, also for another DID.
 *
 * @param did - in the spelling of the ledger
 */
export function serviceFragment(url: string, did: string | undefined): string | undefined {
  const hash = url.indexOf('#')
  const before = url.slice(0, Math.max(hash, 0))
  const fragment = url.slice(hash + 1)
  if (hash === -1 || !isFragment(fragment)) return undefined
  return before === '' || (did !== undefined && normaliseDid(before) === did) ? fragment : undefined
}

export const serviceEntry = (service: ParsedService, fragment: string): ServiceEntry => ({
  fragment,
  serviceType: service.type,
  serviceEndpoint: service.serviceEndpoint,
  recipientKeys: service.recipientKeys ?? [],
  routingKeys: service.routingKeys ?? [],
  accept: service.accept ?? [],
  priority: service.priority ?? 0,
})

export function toLedgerService({ fragment, ...service }: ServiceEntry, did: string): LedgerService {
  return { id: `${did}#${fragment}`, ...service }
}

/** The service as the account keeps it, its endpoints always a list (section 2.4 of the API contract). */
export function toHeldService(service: LedgerService): IService {
  const { id, serviceType: type, serviceEndpoint, recipientKeys, routingKeys, accept, priority } = service
  const held = {
    id,
    type,
    serviceEndpoint,
    ...(priority > 0 ? { priority } : {}),
    ...(recipientKeys.length > 0 ? { recipientKeys } : {}),
    ...(routingKeys.length > 0 ? { routingKeys } : {}),
    ...(accept.length > 0 ? { accept } : {}),
  }
  return held
}
