import type {
  DIDDocument,
  IAgentContext,
  IAgentPluginSchema,
  IDIDManager,
  IIdentifier,
  IKey,
  IResolver,
} from '@veramo/core-types'
import {
  checkArguments,
  findDidRow,
  isAgentError,
  pluginSchema,
  problemsError,
  type DIDAct,
  type DIDHeldKeyArgs as HeldKeyArgs,
  type HeldKey,
  type KeyFindArgs,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { DIDHeldKeyArgs, didHoldingMethods } from '@vidimus/core-types/schemas'
import {
  allowedMethods,
  documentSource,
  isSamePublicKey,
  ownMethods,
  publicKeyHexOf,
  signingKeyOfManagedKey,
  type AllowedMethod,
  type DocumentSource,
} from '@vidimus/verification-methods'

type HoldingContext = IAgentContext<IDIDManager & IResolver>

/** A verification method, and the key of the account behind it. */
interface HeldMethod {
  method: AllowedMethod
  key: IKey
}

/** The one definition of who holds a DID, as a method beside those of the DID manager. */
export function didHolding(): {
  methods: { didHeldKey: (args: HeldKeyArgs, context: HoldingContext) => Promise<HeldKey> }
  schema: IAgentPluginSchema
} {
  return {
    methods: { didHeldKey },
    schema: pluginSchema(didHoldingMethods),
  }
}

async function didHeldKey(args: HeldKeyArgs, context: HoldingContext): Promise<HeldKey> {
  const checked = checkArguments(DIDHeldKeyArgs, args)
  const { method, key } = await heldDidKey(checked, context, documentSource(context))
  const { kid, kms, type, publicKeyHex } = key
  return { methodId: method.id, key: { kid, kms, type, publicKeyHex } }
}

/**
 * The key by which the account in scope holds a DID for an act: of the permitted verification methods, in the order
 * of the document, the first whose public key is that of a key of the account.
 *
 * @throws AgentError `did_not_found` and `key_not_found` (both with a detail at the path `did`),
 *   `did_not_resolvable`, `did_deactivated`
 */
async function heldDidKey(
  { did, act, key: wanted }: HeldKeyArgs,
  context: HoldingContext,
  documentOf: DocumentSource,
): Promise<HeldMethod> {
  const identifier = await heldIdentifier(did, context)
  const document = await documentOf(did)
  const found =
    (await heldMethod(methodsFor(document, act, wanted), identifier, context)) ??
    (act === 'publish' && !wanted ? await methodOfController(document, context, documentOf) : undefined)
  if (found) return found
  const where = act === 'publish' ? 'document' : act
  const message = `the account holds none of the keys in the ${where} of "${did}"`
  throw problemsError('key_not_found', [{ path: 'did', message }])
}

function methodsFor(document: DIDDocument, act: DIDAct, wanted?: PublicKeyInHex): AllowedMethod[] {
  const methods = act === 'publish' ? ownMethods(document) : [...allowedMethods(document, act)]
  if (!wanted) return methods
  return methods.filter(
    ({ publicKey }) => publicKey.type === wanted.type && publicKeyHexOf(publicKey) === wanted.publicKeyHex,
  )
}

/** Keys of the account that were never linked with the DID are only searched if no linked one fits. */
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

/** @throws AgentError `did_not_found`, the same whether the DID is unknown or of another account */
async function heldIdentifier(did: string, context: HoldingContext): Promise<IIdentifier> {
  const identifier = await findDidRow(context, did)
  if (identifier) return identifier
  const message = `"${did}" is unknown, or the account does not hold it`
  throw problemsError('did_not_found', [{ path: 'did', message }])
}

/** A ledger also accepts a controller's signature (DID Core 5.1.2). */
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
