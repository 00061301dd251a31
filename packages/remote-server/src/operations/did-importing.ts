import type { IIdentifier, IKey, MinimalImportableKey, TKeyType } from '@veramo/core-types'
import {
  AgentError,
  type ErrorCode,
  findDidRow,
  lendingEffect,
  type Problem,
  problemsError,
} from '@vidimus/core-types'
import { isSameKey, publicKeysOfDocument } from '@vidimus/verification-methods'
import type { DIDDocument } from 'did-resolver'
import { publicKeyOfPrivateKey } from '../keys/public-key-of-private-key.js'
import type { OperationSettings } from '../options.js'
import type { ImportDidBody } from '../schemas/did-import.js'
import type { ServiceAgent } from '../service-agent.js'
import { providerOfDid } from './provider-of-did.js'
import { resolvedDocument } from './resolved-document.js'

interface GivenKey {
  kid: string
  importable: MinimalImportableKey
}

/** A public key in the DID document. */
interface PublishedKey {
  type: TKeyType
  publicKeyHex: string
}

/**
 * Imports a DID into the account in scope. All checks come before the first write.
 *
 * @throws AgentError `did_not_resolvable`, `did_deactivated`, `unknown_provider`, `key_mismatch`, `key_not_found`,
 * `alias_taken`
 */
export async function importDid(
  body: ImportDidBody,
  agent: ServiceAgent,
  { defaultKms }: OperationSettings,
): Promise<IIdentifier> {
  const provider = providerOfDid(body.did, await agent.didManagerGetProviders())
  const { document } = await resolvedDocument(agent, body.did)
  const published = publicKeysOfDocument(document)
  const given = givenKeys(body, published, defaultKms)
  const held = await agent.keyManagerFind({ publicKeys: published })
  const kids = [...new Set([...given.map(({ kid }) => kid), ...held.map(({ kid }) => kid)])]
  if (kids.length === 0) throw noKey(body.did)
  const controllerKeyId = chooseController(body.controllerKeyId, kids, held)
  const known = await findDidRow({ agent }, body.did)
  if (known && isSame(known, kids, body)) return known
  return store(agent, { body, provider, document, given, held, controllerKeyId })
}

function givenKeys(
  { did, keys = [] }: ImportDidBody,
  published: readonly PublishedKey[],
  kms: string,
): GivenKey[] {
  const problems: Problem[] = []
  const given: GivenKey[] = []
  for (const [n, { type, privateKeyHex, alias }] of keys.entries()) {
    const path = `keys[${n}].privateKeyHex`
    const kid = publicKeyOfPrivateKey(type, privateKeyHex, path)
    const isPublished = published.some((key) => isSameKey(key, { type, publicKeyHex: kid }))
    if (!isPublished) problems.push({ path, message: `does not belong to ${did}` })
    else if (given.some((other) => other.kid === kid)) problems.push({ path, message: 'is given twice' })
    const importable = { kms, type, privateKeyHex, ...(alias !== undefined && { meta: { alias } }) }
    given.push({ kid, importable })
  }
  if (problems.length > 0) throw problemsError('key_mismatch', problems)
  return given
}

function chooseController(
  wanted: string | undefined,
  kids: readonly string[],
  held: readonly IKey[],
): string | undefined {
  if (wanted === undefined) return kids[0]
  if (kids.includes(wanted)) return wanted
  const named = held.find(({ publicKeyHex }) => publicKeyHex === wanted)
  if (named) return named.kid
  throw problem('key_mismatch', 'controllerKeyId', 'is not one of the given or held keys of the DID')
}

/** Whether the account already has all of it, apart from key labels. */
const isSame = (known: IIdentifier, kids: readonly string[], { keys = [], controllerKeyId }: ImportDidBody) =>
  kids.every((kid) => known.keys.some((key) => key.kid === kid)) &&
  keys.every(({ alias }) => alias === undefined) &&
  (controllerKeyId === undefined || controllerKeyId === known.controllerKeyId)

interface Import {
  body: ImportDidBody
  provider: string
  document: DIDDocument
  given: readonly GivenKey[]
  held: readonly IKey[]
  controllerKeyId: string | undefined
}

async function store(agent: ServiceAgent, plan: Import): Promise<IIdentifier> {
  const { body, provider, document, given, held, controllerKeyId } = plan
  const { did } = body
  const services = (document.service ?? []).map(({ id, type, serviceEndpoint }) => ({
    // A relative id refers to the DID of the document (DID Core 5.4).
    id: id.startsWith('#') ? did + id : id,
    type,
    serviceEndpoint,
  }))
  const keys = given.map(({ importable }) => importable)
  const chosen = controllerKeyId !== undefined && { controllerKeyId }
  // Keys in the document are imported with the DID; other keys require the scope of keys.
  const imported = await lendingEffect('import-key', () =>
    agent.didManagerImport({ did, provider, keys, services, ...chosen }),
  )
  // The DID manager only imports private keys; existing keys of the account are linked one by one.
  for (const key of held) {
    if (given.some(({ kid }) => kid === key.kid)) continue
    await agent.didManagerAddKey({ did, key, options: { localOnly: true } })
  }
  // Somebody may have removed it again before a request is repeated.
  return (await findDidRow({ agent }, did)) ?? imported
}

const noKey = (did: string) =>
  problem(
    'key_not_found',
    'keys',
    `the account holds no key of ${did}; give one whose public key is in its document`,
  )

function problem(code: ErrorCode, path: string, message: string) {
  return new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })
}
