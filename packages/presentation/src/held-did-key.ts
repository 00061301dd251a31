import type { IAgentContext, IDIDManager, IIdentifier, IKey, IResolver } from '@veramo/core-types'
import {
  isAgentError,
  problemsError,
  type DIDAct,
  type KeyFindArgs,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { isSamePublicKey, publicKeyHexOf } from '@vidimus/verification-methods'
import type { DIDDocument } from 'did-resolver'
import { heldIdentifier, type DocumentSource } from './did-documents.js'
import { signingKeyOfManagedKey } from './public-keys.js'
import { allowedMethods, ownMethods, type AllowedMethod } from './verification-relationship.js'

type HoldingContext = IAgentContext<IDIDManager & IResolver>

/** A verification method, and the key of the account that stands behind it. */
export interface HeldMethod {
  method: AllowedMethod
  key: IKey
}

/**
 * The key by which the account in scope holds a DID for an act: of the verification methods that may do it, in the order
 * of the document, the first whose public key is that of a key of the account.
 *
 * @throws AgentError `did_not_found` and `key_not_found` (both with a detail at the path `did`), `did_not_resolvable`,
 * `did_deactivated`
 */
export async function heldDidKey(
  did: string,
  act: DIDAct,
  context: HoldingContext,
  documentOf: DocumentSource,
): Promise<HeldMethod> {
  const identifier = await heldIdentifier(did, context)
  const document = await documentOf(did)
  const found =
    (await heldMethod(methodsFor(document, act), identifier, context)) ??
    (act === 'publish' ? await methodOfController(document, context, documentOf) : undefined)
  if (found) return found
  const where = act === 'publish' ? 'document' : act
  const message = `the account holds none of the keys that the ${where} of "${did}" allows`
  throw problemsError('key_not_found', [{ path: 'did', message }])
}

const methodsFor = (document: DIDDocument, act: DIDAct): AllowedMethod[] =>
  act === 'publish' ? ownMethods(document) : [...allowedMethods(document, act)]

/** Keys that the account has, but that were never linked with the DID, are looked for only where no linked one fits. */
async function heldMethod(
  methods: readonly AllowedMethod[],
  { keys }: IIdentifier,
  context: HoldingContext,
): Promise<HeldMethod | undefined> {
  return methodOfKeys(methods, keys) ?? methodOfKeys(methods, await otherKeys(methods, context))
}

function methodOfKeys(methods: readonly AllowedMethod[], keys: readonly IKey[]): HeldMethod | undefined {
  const held = keys.map((key) => ({ key, publicKey: signingKeyOfManagedKey(key) }))
  for (const method of methods) {
    const match = held.find(({ publicKey }) => publicKey && isSamePublicKey(publicKey, method.publicKey))
    if (match) return { method, key: match.key }
  }
  return undefined
}

async function otherKeys(methods: readonly AllowedMethod[], { agent }: HoldingContext): Promise<IKey[]> {
  if (methods.length === 0 || !agent.availableMethods().includes('keyManagerFind')) return []
  const publicKeys = methods.flatMap(({ publicKey }): PublicKeyInHex[] => {
    const publicKeyHex = publicKeyHexOf(publicKey)
    return publicKeyHex === undefined ? [] : [{ type: publicKey.type, publicKeyHex }]
  })
  return agent.execute<KeyFindArgs, IKey[]>('keyManagerFind', { publicKeys })
}

/** A ledger takes what a controller has signed as well (DID Core 5.1.2). */
async function methodOfController(
  document: DIDDocument,
  context: HoldingContext,
  documentOf: DocumentSource,
): Promise<HeldMethod | undefined> {
  for (const controller of [document.controller ?? []].flat()) {
    if (controller === document.id) continue
    try {
      const identifier = await heldIdentifier(controller, context)
      const found = await heldMethod(ownMethods(await documentOf(controller)), identifier, context)
      if (found) return found
    } catch (error) {
      if (!isAgentError(error) || !NO_CONTROLLER.has(error.code)) throw error
    }
  }
  return undefined
}

/** Another one may do. */
const NO_CONTROLLER: ReadonlySet<string> = new Set(['did_not_found', 'did_not_resolvable', 'did_deactivated'])
