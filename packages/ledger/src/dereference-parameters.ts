import { malformed } from './dereference-refusal.js'

/** The parameters of a DID URL that choose a version of the document, or a part of it (DID Core 3.2.1). */
export const DOCUMENT_PARAMETERS = [
  'versionId',
  'versionTime',
  'transformKeys',
  'service',
  'relativeRef',
  'metadata',
] as const

/**
 * The parameters that choose a DID-Linked Resource (cheqd ADR 005), and two by which specifications of status lists
 * call `resourceVersionTime`: `timestamp` (W3C Bitstring Status List) and `time` (IETF Token Status List).
 */
export const RESOURCE_PARAMETERS = [
  'resourceId',
  'resourceCollectionId',
  'resourceName',
  'resourceType',
  'resourceVersion',
  'resourceVersionTime',
  'resourceMetadata',
  'checksum',
  'timestamp',
  'time',
] as const

export type DidUrlParameter = (typeof DOCUMENT_PARAMETERS)[number] | (typeof RESOURCE_PARAMETERS)[number]

/** The values by name, decoded. */
export type DidUrlParameters = ReadonlyMap<DidUrlParameter, string>

const KNOWN: readonly string[] = [...DOCUMENT_PARAMETERS, ...RESOURCE_PARAMETERS]
const LONGEST_SHOWN = 40

/**
 * Reads a query, each parameter at most once and none without a value.
 *
 * @throws DereferenceRefusal `invalidDidUrl`
 */
export function readParameters(query: string): DidUrlParameters {
  const parameters = new Map<DidUrlParameter, string>()
  for (const pair of query.split('&')) {
    const [rawName = '', ...rest] = pair.split('=')
    const name = decoded(rawName)
    if (!isKnown(name)) {
      throw malformed(`"${name.slice(0, LONGEST_SHOWN)}" is not a parameter of DID URLs: ${KNOWN.join(', ')}`)
    }
    if (parameters.has(name)) throw malformed(`${name} is given twice`)
    const value = decoded(rest.join('='))
    if (value === '') throw malformed(`${name} has no value`)
    // Text that no database and no ledger stores is in no resource.
    if (value.includes('\0')) throw malformed(`${name} contains a NUL character`)
    parameters.set(name, value)
  }
  return parameters
}

const isKnown = (name: string): name is DidUrlParameter => KNOWN.includes(name)

/** A space may be written as `+`, as forms do. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed('its query is not percent-encoded UTF-8')
  }
}
