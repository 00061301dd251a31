import { BOUNDS, LAST_TIME_MS } from '@vidimus/core-types'
import {
  DOCUMENT_PARAMETERS,
  readParameters,
  RESOURCE_PARAMETERS,
  type DidUrlParameter,
  type DidUrlParameters,
} from './dereference-parameters.js'
import { malformed } from './dereference-refusal.js'
import { readTime } from './dereference-time.js'
import { isUniqueId, isUuid, normaliseUniqueId, type DidUrl } from './identifiers.js'
import {
  isVerificationMethodType,
  VERIFICATION_METHOD_TYPES,
  type VerificationMethodType,
} from './verification-material.js'

/** Which version of a DID document; with neither the newest. */
export interface VersionChoice {
  /** UUID in lower case */
  versionId?: string
  versionTime?: Date
}

/** Which resource; the newest version that fits is meant. */
export interface ResourceChoice {
  /** UUID in lower case; identifies one version for good */
  id?: string
  collectionId?: string
  name?: string
  resourceType?: string
  version?: string
  /** hex in lower case */
  checksum?: string
  time?: Date
  /** resources as they were while this version of the document was in force */
  documentVersion: VersionChoice
}

/** The target of a DID URL. */
export type DereferenceTarget =
  | { kind: 'document'; version: VersionChoice; transformKeys?: VerificationMethodType }
  | { kind: 'documentPart'; fragment: string }
  | { kind: 'documentMetadata'; version: VersionChoice }
  /** `after`: id of a version in lower case */
  | { kind: 'documentVersions' | 'resourceHistory'; after?: string }
  | { kind: 'service'; version: VersionChoice; service: string; relativeRef: string }
  | { kind: 'resource' | 'resourceMetadata'; choice: ResourceChoice }

const LIST = /^\/(?<list>versions|metadata)$/
const PATH = /^\/(?<kind>version|resources)\/(?<id>[^/]+)(?<metadata>\/metadata)?$/

/**
 * The target in the path, the query or the fragment of a DID URL; at most one of them may be present.
 *
 * @throws DereferenceRefusal `invalidDidUrl`
 */
export function readTarget({ path, query, fragment }: DidUrl): DereferenceTarget {
  const list = LIST.exec(path)?.groups?.list
  if (list !== undefined && fragment === '') return targetOfList(list, query)
  if ([path, query, fragment].filter((part) => part !== '').length > 1) {
    throw malformed('only one of path, query and fragment is allowed')
  }
  if (path !== '') return targetOfPath(path)
  if (fragment !== '') return { kind: 'documentPart', fragment: decodedFragment(fragment) }
  if (query === '') return { kind: 'document', version: {} }
  return targetOfQuery(readParameters(query))
}

/** Their pages continue after a version. */
function targetOfList(list: string, query: string): DereferenceTarget {
  const kind = list === 'versions' ? 'documentVersions' : 'resourceHistory'
  if (query === '') return { kind }
  const [name, after = '', ...others] = query.split(/[=&]/)
  if (name !== 'after' || others.length > 0) throw malformed(`/${list} takes only the parameter after`)
  return { kind, after: parseUuid(after, 'after') }
}

function targetOfPath(path: string): DereferenceTarget {
  const parts = PATH.exec(path)?.groups
  if (!parts) {
    throw malformed('its path must be /versions, /metadata, /version/<UUID> or /resources/<UUID>')
  }
  const id = parseUuid(parts.id ?? '', 'the last part of its path')
  const wantsMetadata = parts.metadata !== undefined
  if (parts.kind === 'version') {
    return { kind: wantsMetadata ? 'documentMetadata' : 'document', version: { versionId: id } }
  }
  return { kind: wantsMetadata ? 'resourceMetadata' : 'resource', choice: { id, documentVersion: {} } }
}

function decodedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    throw malformed('its fragment is not percent-encoded UTF-8')
  }
}

function targetOfQuery(parameters: DidUrlParameters): DereferenceTarget {
  if (RESOURCE_PARAMETERS.some((name) => parameters.has(name))) return resourceTarget(parameters)
  const version = versionChoice(parameters)
  const transformKeys = parseKeyType(parameters.get('transformKeys'))
  const service = parameters.get('service')
  const relativeRef = parameters.get('relativeRef')
  if (relativeRef !== undefined && service === undefined) throw malformed('relativeRef requires service')
  if (isTrue(parameters, 'metadata')) {
    demandOnly(parameters, ['metadata', 'versionId', 'versionTime'])
    return { kind: 'documentMetadata', version }
  }
  if (service !== undefined) return { kind: 'service', version, service, relativeRef: relativeRef ?? '' }
  return { kind: 'document', version, ...(transformKeys && { transformKeys }) }
}

function resourceTarget(parameters: DidUrlParameters): DereferenceTarget {
  demandOnly(parameters, ['versionId', 'versionTime', ...RESOURCE_PARAMETERS])
  const collectionId = parameters.get('resourceCollectionId')
  if (collectionId !== undefined && !isUniqueId(collectionId)) {
    throw malformed('resourceCollectionId must be the identifier of a DID')
  }
  const choice: ResourceChoice = {
    ...textParameter(parameters, 'resourceName', 'name'),
    ...textParameter(parameters, 'resourceType', 'resourceType'),
    ...textParameter(parameters, 'resourceVersion', 'version'),
    ...parseChecksum(parameters.get('checksum')),
    ...timeOfResource(parameters),
    ...(collectionId !== undefined && { collectionId: normaliseUniqueId(collectionId) }),
    documentVersion: versionChoice(parameters),
  }
  const id = parameters.get('resourceId')
  if (id !== undefined) choice.id = parseUuid(id, 'resourceId')
  if (!['id', 'name', 'resourceType', 'checksum'].some((member) => member in choice)) {
    throw malformed('one of resourceId, resourceName, resourceType or checksum is required')
  }
  return { kind: isTrue(parameters, 'resourceMetadata') ? 'resourceMetadata' : 'resource', choice }
}

function versionChoice(parameters: DidUrlParameters): VersionChoice {
  const versionId = parameters.get('versionId')
  const versionTime = timeParameter(parameters, 'versionTime')
  return {
    ...(versionId !== undefined && { versionId: parseUuid(versionId, 'versionId') }),
    ...(versionTime && { versionTime }),
  }
}

function timeOfResource(parameters: DidUrlParameters): { time?: Date } {
  const names = (['resourceVersionTime', 'timestamp', 'time'] as const).filter((name) => parameters.has(name))
  if (names.length > 1) throw malformed(`${names.join(' and ')} are aliases: give only one`)
  const [name] = names
  const time =
    name === 'time' ? unixTime(parameters.get(name) ?? '') : name && timeParameter(parameters, name)
  return time ? { time } : {}
}

/** Seconds since 1970, up to the end of the year 9999. */
function unixTime(text: string): Date {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (seconds * 1000 <= LAST_TIME_MS) return new Date(seconds * 1000)
  throw malformed('time must be a time in whole seconds since 1970')
}

function timeParameter(parameters: DidUrlParameters, name: DidUrlParameter): Date | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const time = readTime(text)
  if (time) return time
  throw malformed(`${name} must be a time such as 2026-01-31T12:00:00Z`)
}

function textParameter<Member extends string>(
  parameters: DidUrlParameters,
  name: DidUrlParameter,
  member: Member,
) {
  const text = parameters.get(name)
  if (text === undefined) return {}
  if (Buffer.byteLength(text) > BOUNDS.resourceNameBytes)
    throw malformed(`${name} has more than ${BOUNDS.resourceNameBytes} bytes`)
  return { [member]: text } as Record<Member, string>
}

function parseChecksum(text: string | undefined): { checksum?: string } {
  if (text === undefined) return {}
  if (!/^[0-9a-f]{64}$/i.test(text)) throw malformed('checksum must be a SHA-256 in hex')
  return { checksum: text.toLowerCase() }
}

function parseKeyType(text: string | undefined): VerificationMethodType | undefined {
  if (text === undefined || isVerificationMethodType(text)) return text
  throw malformed(`transformKeys must be one of ${VERIFICATION_METHOD_TYPES.join(', ')}`)
}

function isTrue(parameters: DidUrlParameters, name: DidUrlParameter): boolean {
  const text = parameters.get(name)
  if (text !== undefined && text !== 'true' && text !== 'false') {
    throw malformed(`${name} must be true or false`)
  }
  return text === 'true'
}

function parseUuid(text: string, what: string): string {
  if (!isUuid(text)) throw malformed(`${what} must be a UUID`)
  return text.toLowerCase()
}

function demandOnly(parameters: DidUrlParameters, allowed: readonly DidUrlParameter[]): void {
  const wrong = [...DOCUMENT_PARAMETERS, ...RESOURCE_PARAMETERS].filter(
    (name) => parameters.has(name) && !allowed.includes(name),
  )
  if (wrong.length > 0) throw malformed(`${wrong.join(', ')} cannot be combined with the other parameters`)
}
