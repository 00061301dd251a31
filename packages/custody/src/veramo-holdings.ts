import type { IIdentifier, IKey, IService, KeyMetadata, TKeyType } from '@veramo/core-types'
import type { AbstractSecretBox, ManagedPrivateKey } from '@veramo/key-manager'
import { AgentError } from '@vidimus/core-types'
import { readForeign, sql } from '@vidimus/database'

/** What a database of Veramo's own stores has of keys and DIDs, private keys in clear. */
export interface VeramoHoldings {
  keys: IKey[]
  privateKeys: ManagedPrivateKey[]
  identifiers: IIdentifier[]
}

/** Longest private key that Veramo stores in clear, in hex: seed and public key of Ed25519. SecretBox adds to that. */
const LONGEST_CLEAR = 128

interface KeyRow extends Omit<IKey, 'meta'> {
  meta: string | null
  identifierDid: string | null
}

interface IdentifierRow {
  did: string
  provider: string
  alias: string | null
  controllerKeyId: string | null
}

interface ServiceRow extends Omit<IService, 'serviceEndpoint' | 'description'> {
  serviceEndpoint: string
  description: string | null
  identifierDid: string | null
}

/**
 * Reads such a database, and changes nothing there. Identifiers without a provider are parties of stored credentials, not
 * managed DIDs, and are left out, like credentials, presentations and messages, whose rows have no owners.
 *
 * @param secretBox - that the private keys are sealed with, if they are
 * @throws AgentError `invalid_input` if it has no such tables; `wrong_secret` if the SecretBox does not open the keys
 */
export async function readVeramoHoldings(
  url: string,
  secretBox: AbstractSecretBox | undefined,
): Promise<VeramoHoldings> {
  const rows = await readForeign(url, async (reader) => ({
    keys: await reader.query<KeyRow>(
      sql`SELECT kid, kms, type, "publicKeyHex", meta, "identifierDid" FROM "key" ORDER BY kid`,
    ),
    privateKeys: await reader.query<{ alias: string; type: TKeyType; privateKeyHex: string }>(
      sql`SELECT alias, type, "privateKeyHex" FROM "private-key" ORDER BY alias`,
    ),
    identifiers: await reader.query<IdentifierRow>(
      sql`SELECT did, provider, alias, "controllerKeyId" FROM identifier WHERE provider IS NOT NULL ORDER BY "saveDate", did`,
    ),
    services: await reader.query<ServiceRow>(
      sql`SELECT id, type, "serviceEndpoint", description, "identifierDid" FROM service ORDER BY id`,
    ),
  })).catch((error: unknown) => {
    if (!/no such table|no such column|does not exist/.test(String(error))) throw error
    throw new AgentError('invalid_input', `${url} is no database of Veramo's own stores`, { cause: error })
  })
  const privateKeys: ManagedPrivateKey[] = []
  for (const { alias, type, privateKeyHex } of rows.privateKeys)
    privateKeys.push({ alias, type, privateKeyHex: await opened(privateKeyHex, secretBox) })
  const keys = new Map(rows.keys.map((row) => [row.kid, toKey(row)]))
  const taken = new Set<string>()
  const identifiers = rows.identifiers.map(({ did, provider, alias, controllerKeyId }) => ({
    did,
    provider,
    ...(alias !== null && { alias: freeAlias(alias, provider, taken) }),
    ...(controllerKeyId !== null && { controllerKeyId }),
    keys: rows.keys.flatMap(({ kid, identifierDid }) => (identifierDid === did ? (keys.get(kid) ?? []) : [])),
    services: rows.services.flatMap((row) => (row.identifierDid === did ? toService(row) : [])),
  }))
  return { keys: [...keys.values()], privateKeys, identifiers }
}

const toKey = ({ kid, kms, type, publicKeyHex, meta }: KeyRow): IKey => ({
  ...{ kid, kms, type, publicKeyHex },
  ...(meta !== null && { meta: JSON.parse(meta) as KeyMetadata }),
})

const toService = ({ id, type, serviceEndpoint, description }: ServiceRow): IService => ({
  ...{ id, type, serviceEndpoint: endpointOf(serviceEndpoint) },
  ...(description !== null && { description }),
})

/** Veramo stores what is no text as JSON in the same column. */
function endpointOf(text: string): IService['serviceEndpoint'] {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as IService['serviceEndpoint']) : text
  } catch {
    return text
  }
}

/** Veramo's alias is unique for each provider, ours for the account: the oldest DID keeps it as it is. */
function freeAlias(alias: string, provider: string, taken: Set<string>): string {
  let free = alias
  for (let n = 1; taken.has(free); n += 1)
    free = n === 1 ? `${alias} (${provider})` : `${alias} (${provider} ${n})`
  taken.add(free)
  return free
}

async function opened(stored: string, secretBox: AbstractSecretBox | undefined): Promise<string> {
  if (stored.length <= LONGEST_CLEAR) return stored
  if (!secretBox)
    throw new AgentError(
      'wrong_secret',
      "the private keys are encrypted by Veramo's SecretBox: --secret-file names its key",
    )
  const clear = await secretBox.decrypt(stored).catch(() => '')
  // Its response to a wrong key.
  if (clear === '')
    throw new AgentError('wrong_secret', 'the key in --secret-file does not decrypt the private keys')
  return clear
}
