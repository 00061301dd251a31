import { BOUNDS, SIGNING_ALGORITHMS, type ListedKey as Listed } from '@vidimus/core-types'
import { ListedKey } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import type { ServiceAgent } from '../service-agent.js'
import { exampleKid } from './did.js'
import { text } from './primitives.js'

/** The KMS of a new key. */
export const kmsOfNewKey = () =>
  text('Name of the configured KMS for the key; default: that of the service', BOUNDS.name)

/** The metadata of a key besides its public half; clients of the original read `meta` and `publicKeyAlias`. */
const details = {
  publicKeyAlias: z.string().optional().meta({ description: 'Alias of `alias`' }),
  meta: z.object({ algorithms: z.array(z.string()) }).meta({ description: 'Uses of a key of this type' }),
}

export const KeyDetails = ListedKey.partial({ createdAt: true }).extend(details).meta({
  id: 'KeyDetails',
  description: 'A key of the account; never its private key',
})

export const exampleKeyDetails = {
  kid: exampleKid,
  type: 'Ed25519',
  publicKeyHex: exampleKid,
  kms: 'local',
  alias: 'issuer',
  publicKeyAlias: 'issuer',
  createdAt: '2027-01-31T12:00:00.000Z',
  meta: { algorithms: ['EdDSA', 'Ed25519'] },
}

type Key = Omit<Listed, 'createdAt'> & { createdAt?: string | undefined }

/** Listed explicitly, so that additional data of a store or KMS is not exposed. */
export const keyDetails = ({ kid, type, publicKeyHex, kms, alias, createdAt, dids, hasMoreDids }: Key) => ({
  kid,
  type,
  publicKeyHex,
  kms,
  ...(alias !== undefined && { alias, publicKeyAlias: alias }),
  ...(createdAt !== undefined && { createdAt }),
  ...(dids && { dids }),
  ...(hasMoreDids && { hasMoreDids }),
  meta: { algorithms: ALGORITHMS[type] ?? [] },
})

const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  ...SIGNING_ALGORITHMS,
  // key agreement, as Veramo's KMSs call it
  X25519: ['ECDH', 'ECDH-ES', 'ECDH-1PU'],
}

type HeldKey = Pick<Key, 'kid' | 'type' | 'publicKeyHex' | 'kms'> & { meta?: object | null }

/** A key held by the account in scope, with its stored metadata. */
export async function heldKeyDetails(agent: ServiceAgent, key: HeldKey) {
  const { kid, type, publicKeyHex, kms, meta } = key
  const label: unknown = meta && 'alias' in meta ? meta.alias : undefined
  const keepsMore = agent.availableMethods().includes('accountKeyList')
  const [listed] = keepsMore ? (await agent.accountKeyList({ kid, limit: 1 })).keys : []
  const alias = listed?.alias ?? (typeof label === 'string' ? label : undefined)
  return keyDetails({
    kid,
    type,
    publicKeyHex,
    kms,
    ...(alias !== undefined && { alias }),
    createdAt: listed?.createdAt,
  })
}
