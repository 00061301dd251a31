import { randomUUID } from 'node:crypto'
import { findDidRow, findKeyRow, type Network } from '@vidimus/core-types'
import {
  documentBoundProblems,
  encodeVerificationMaterial,
  isOnItsWay,
  uniqueIdOfKey,
  type Ledger,
  type UnsignedLedgerMessage,
  type VerificationMethodType,
} from '@vidimus/ledger'
import type { IKey, ManagedKeyInfo } from '@veramo/core-types'
import { CollectedProblems } from './collected-problems.js'
import { parseCreateOptions, type ParsedCreateOptions } from './create-options.js'
import { pathIn } from './did-doc-changes.js'
import { completeDidDoc, didOfDraft, draftDidDoc, type DidDocDraft } from './did-doc-draft.js'
import { heldMethods, type SigningContext } from './held-keys.js'
import { askLedger, readCheqdDid, type LedgersByNetwork } from './ledgers-by-network.js'

export interface DIDCreationSettings {
  ledgers: LedgersByNetwork
  defaultKms: string
  defaultNetwork: Network
}

/** A DID that only must be signed and submitted. */
export interface PreparedDID {
  did: string
  ledger: Ledger
  key: IKey
  message: UnsignedLedgerMessage & { type: 'createDidDoc' }
}

const DEFAULT_METHOD_TYPE: VerificationMethodType = 'Ed25519VerificationKey2020'

/**
 * Turns the options of `didManagerCreate` into the message that creates the DID. A new key is made only after
 * everything else was found to be in order.
 *
 * @throws AgentError `invalid_input` with every problem; `key_not_found` at `key`, `did_taken` at `didDocument.id`
 */
export async function prepareDID(
  args: { kms: string | undefined; options: unknown },
  settings: DIDCreationSettings,
  context: SigningContext,
): Promise<PreparedDID> {
  const options = parseCreateOptions(args.options)
  const problems = new CollectedProblems()
  const networks = { configured: settings.ledgers.networks, fallback: settings.defaultNetwork }
  const draft = draftDidDoc(options, networks, problems)
  const ledger = draft && settings.ledgers.ofNetwork(draft.network)
  const heldKey = await readKey(options, problems, context)
  if (draft && ledger) await checkOnLedger(draft, givenId(draft, options, heldKey), ledger, problems, context)
  if (draft) checkBounds(draft, options, problems)
  problems.throwIfAny()
  if (!draft || !ledger) throw new TypeError('a draft without a network and without a problem')
  const key = heldKey ?? toKey(await createKey(args.kms ?? settings.defaultKms, context))
  const did = didOfDraft(draft, givenId(draft, options, key)?.id ?? randomUUID())
  const type = options.verificationMethodType ?? DEFAULT_METHOD_TYPE
  const method = { verificationMethodType: type, verificationMaterial: encodeVerificationMaterial(type, key) }
  const payload = { ...completeDidDoc(draft, did, method), versionId: randomUUID() }
  return { did, ledger, key, message: { type: 'createDidDoc', payload } }
}

/** Longer than the material of every key. */
const ANY_KEY = { verificationMethodType: DEFAULT_METHOD_TYPE, verificationMaterial: '0'.repeat(200) }

/** Before a key is made for it, which no KMS takes back. */
function checkBounds(
  draft: DidDocDraft,
  { didDocument }: ParsedCreateOptions,
  problems: CollectedProblems,
): void {
  const document = completeDidDoc(draft, didOfDraft(draft, draft.id ?? randomUUID()), ANY_KEY)
  for (const { path, message } of documentBoundProblems(document))
    problems.add(pathIn(didDocument ? 'didDocument' : '', path), message)
}

/** Finds the key that the caller named; the ledger's kinds of keys are a matter of the type of verification method. */
async function readKey(
  { publicKeyHex, verificationMethodType }: ParsedCreateOptions,
  problems: CollectedProblems,
  context: SigningContext,
): Promise<IKey | undefined> {
  if (publicKeyHex === undefined) return undefined
  const key = await findKeyRow(context, publicKeyHex.toLowerCase())
  if (!key) {
    problems.add('key', 'is not the public key of a key that the account holds', 'key_not_found')
    return undefined
  }
  if (key.type !== 'Ed25519' && key.type !== 'Secp256r1') {
    problems.add('key', `is a ${key.type} key; the ledger takes Ed25519 and Secp256r1 keys`)
  } else if (key.type === 'Secp256r1' && verificationMethodType !== 'JsonWebKey2020') {
    problems.add('verificationMethodType', 'must be JsonWebKey2020 for a Secp256r1 key')
  }
  return toKey(key)
}

/** The identifier that is not left to chance, and the place in the input that it comes from. */
function givenId(
  draft: DidDocDraft,
  { identifierFormatType }: ParsedCreateOptions,
  key: Pick<IKey, 'publicKeyHex'> | undefined,
): { id: string; path: string } | undefined {
  if (draft.id !== undefined) return { id: draft.id, path: 'didDocument.id' }
  if (identifierFormatType !== 'base58btc' || !key) return undefined
  return { id: uniqueIdOfKey(Buffer.from(key.publicKeyHex, 'hex')), path: 'key' }
}

async function checkOnLedger(
  draft: DidDocDraft,
  given: { id: string; path: string } | undefined,
  ledger: Ledger,
  problems: CollectedProblems,
  context: SigningContext,
): Promise<void> {
  if (given) {
    const did = didOfDraft(draft, given.id)
    if (await askLedger(findExisting(did, ledger)))
      problems.add(given.path, `${did} already exists`, 'did_taken')
  }
  for (const controller of draft.controllers) {
    // Anything else is among the problems already.
    if (!controller || readCheqdDid(controller.did)?.network !== ledger.network) continue
    const obstacle = await obstacleToControl(controller.did, ledger, context)
    if (obstacle !== undefined) problems.add(controller.path, obstacle)
  }
}

/** A pending message may still fail: then the ledger's result for our message decides. */
const findExisting = (did: string, ledger: Ledger) =>
  ledger.getDidDoc(did).catch((error: unknown) => {
    if (isOnItsWay(error)) return undefined
    throw error
  })

/** Why a listed controller cannot sign the creation, which the ledger demands of every one. */
async function obstacleToControl(
  did: string,
  ledger: Ledger,
  context: SigningContext,
): Promise<string | undefined> {
  const document = await askLedger(ledger.getDidDoc(did))
  if (!document) return 'does not exist on the ledger'
  if (document.metadata.deactivated) return 'is deactivated'
  const identifier = await findDidRow(context, did)
  if (identifier && heldMethods(document.didDoc, identifier.keys).length > 0) return undefined
  return 'must sign, but the account holds none of its keys'
}

const createKey = (kms: string, context: SigningContext): Promise<ManagedKeyInfo> =>
  context.agent.keyManagerCreate({ kms, type: 'Ed25519' })

/** The identifier's data about a key; the rest belongs to its store. */
const toKey = ({ kid, kms, type, publicKeyHex, meta }: ManagedKeyInfo): IKey => ({
  kid,
  kms,
  type,
  publicKeyHex,
  ...(meta ? { meta } : {}),
})
