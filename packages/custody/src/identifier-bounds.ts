import type { IIdentifier, IService } from '@veramo/core-types'
import { BOUNDS, isLongerThan, problemsError, type Problem } from '@vidimus/core-types'
import { endpointText } from './identifier-rows.js'

/** The limited values. */
export type BoundIdentifier = Partial<Pick<IIdentifier, 'did' | 'provider' | 'controllerKeyId'>> & {
  alias?: string | null
  keys: readonly unknown[]
  services: readonly IService[]
}

/**
 * Checks whether an account may hold a DID in this form. The current form may exceed a limit, and may change as long
 * as it does not grow there.
 *
 * @param before - its current form
 * @param maxServices - that a DID may have
 * @throws AgentError `invalid_input` with every problem
 */
export function demandIdentifierBounds(
  next: BoundIdentifier,
  before: BoundIdentifier | undefined,
  maxServices: number,
): void {
  const problems = [
    ...textProblems(next, before),
    ...countProblems('keys', next.keys.length, BOUNDS.documentEntries, before?.keys.length),
    ...countProblems('services', next.services.length, maxServices, before?.services.length),
    ...serviceProblems(next.services, before?.services ?? []),
  ]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
}

/** @param path - of the list */
export function countProblems(path: string, count: number, most: number, before = 0): Problem[] {
  return count <= Math.max(most, before) ? [] : [{ path, message: `must have at most ${most} entries` }]
}

function textProblems(next: BoundIdentifier, before: BoundIdentifier | undefined): Problem[] {
  const isNew = (name: 'did' | 'alias' | 'provider' | 'controllerKeyId') => next[name] !== before?.[name]
  return [
    ...(isNew('did') ? bytesProblems('did', next.did, BOUNDS.indexedText) : []),
    ...(isNew('alias') ? bytesProblems('alias', next.alias, BOUNDS.indexedText) : []),
    ...(isNew('provider') ? bytesProblems('provider', next.provider, BOUNDS.name) : []),
    ...(isNew('controllerKeyId')
      ? bytesProblems('controllerKeyId', next.controllerKeyId, BOUNDS.indexedText)
      : []),
  ]
}

function serviceProblems(next: readonly IService[], before: readonly IService[]): Problem[] {
  const known = new Map(before.map((service) => [service.id, service]))
  const problems = next.flatMap(({ id, type }, n) => [
    ...(known.has(id) ? [] : bytesProblems(`services[${n}].id`, id, BOUNDS.indexedText)),
    ...(known.get(id)?.type === type
      ? []
      : bytesProblems(`services[${n}].type`, type, BOUNDS.serviceTypeBytes)),
  ])
  const bytes = servicesBytes(next)
  if (bytes <= BOUNDS.documentBytes || bytes <= servicesBytes(before)) return problems
  return [...problems, { path: 'services', message: `must have at most ${BOUNDS.documentBytes} bytes` }]
}

/**
 * The texts of a new service are bounded as `POST /did/create` bounds them; those of documents that others wrote are not.
 *
 * @param path - of the service
 */
export function newServiceProblems({ serviceEndpoint, description }: IService, path: string): Problem[] {
  const endpoints = [serviceEndpoint].flat()
  const texts = { serviceEndpoint: endpoints.map(endpointText), description: [description ?? ''] }
  const message = `must have at most ${BOUNDS.text} characters`
  return [
    ...countProblems(`${path}.serviceEndpoint`, endpoints.length, BOUNDS.listedTexts),
    ...Object.entries(texts)
      .filter(([, those]) => those.some((text) => isLongerThan(text, BOUNDS.text)))
      .map(([member]) => ({ path: `${path}.${member}`, message })),
  ]
}

function bytesProblems(path: string, text: string | null | undefined, most: number): Problem[] {
  if (typeof text !== 'string' || Buffer.byteLength(text) <= most) return []
  return [{ path, message: `must have at most ${most} bytes` }]
}

const servicesBytes = (services: readonly IService[]): number =>
  services
    .flatMap(({ id, type, serviceEndpoint, description = '' }) => [
      id,
      type,
      endpointText(serviceEndpoint),
      description,
    ])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0)
