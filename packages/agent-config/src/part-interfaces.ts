import { hasMethods } from '@vidimus/core-types'
import type { PartRole } from './configured-parts.js'
import { describeValue, isMembers } from './foreign-values.js'

interface PartInterface {
  /** its kind, with an article */
  what: string
  methods: readonly string[]
}

const INTERFACES: Partial<Record<PartRole, PartInterface>> = {
  provider: {
    what: 'a provider of DIDs (AbstractIdentifierProvider of @veramo/did-manager)',
    methods: ['createIdentifier', 'deleteIdentifier', 'addKey', 'removeKey', 'addService', 'removeService'],
  },
  kms: {
    what: 'a key management system (AbstractKeyManagementSystem of @veramo/key-manager)',
    methods: ['createKey', 'importKey', 'listKeys', 'deleteKey', 'sign', 'sharedSecret'],
  },
  'key store': {
    what: 'a store of keys (AbstractKeyStore of @veramo/key-manager)',
    methods: ['importKey', 'getKey', 'deleteKey', 'listKeys'],
  },
  'DID store': {
    what: 'a store of DIDs (AbstractDIDStore of @veramo/did-manager)',
    methods: ['importDID', 'getDID', 'deleteDID', 'listDIDs'],
  },
}

/** Names of members that every object has: a part under such a name would be found without being configured. */
const RESERVED_NAMES = new Set(Object.getOwnPropertyNames(Object.prototype))

/**
 * Checks for what Veramo's own classes accept silently and fail on at the first request.
 *
 * @param value - the built object
 * @returns its errors, as sentences without a subject
 */
export function partMistakes(role: PartRole, name: string | undefined, value: unknown): string[] {
  const reserved =
    name !== undefined && RESERVED_NAMES.has(name) ? [`"${name}" is a reserved name; choose another one`] : []
  const shape = shapeMistake(role, name, value)
  return shape === undefined ? reserved : [...reserved, shape]
}

function shapeMistake(role: PartRole, name: string | undefined, value: unknown): string | undefined {
  // One for all methods has the name `resolver`.
  if (role === 'resolver' && name === 'resolver') {
    return hasMethods(value, 'resolve') ? undefined : 'is not a resolver: it has no method "resolve"'
  }
  if (role === 'resolver') {
    if (typeof value === 'function') return undefined
    return `is ${describeValue(value)}, not a resolver of did:${name ?? ''}, which is a function`
  }
  const expected = INTERFACES[role]
  if (!expected) return undefined
  const { what, methods } = expected
  if (typeof value === 'function') {
    return `is a function, not ${what}; omit ?t=object to instantiate a class`
  }
  if (!isMembers(value)) return `is ${describeValue(value)}, not ${what}`
  const missing = methods.filter((method) => !hasMethods(value, method))
  return missing.length > 0 ? `is not ${what}: it lacks ${missing.join(', ')}` : undefined
}
