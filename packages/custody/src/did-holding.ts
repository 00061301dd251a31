import type {
  DIDDocument,
  IAgentContext,
  IAgentPluginSchema,
  IDIDManager,
  IIdentifier,
  IKey,
  IKeyManager,
  IResolver,
} from '@veramo/core-types'
import {
  AgentError,
  checkArguments,
  demandHolding,
  findDidRow,
  asHolding,
  isAgentError,
  pluginSchema,
  problemsError,
  signingAlgorithmOf,
  type DIDAct,
  type DIDHolding,
  type DIDHoldingArgs,
  type DIDSignArgs,
  type IDIDHolding,
  type KeyFindArgs,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { DIDHeldKeyArgs, DIDHoldingArgs as HoldingArgs, didHoldingMethods } from '@vidimus/core-types/schemas'
import {
  holdableMethods,
  isSamePublicKey,
  ownMethods,
  publicKeyHexOf,
  resolvedDocument,
  signingInputOf,
  signingKeyOfManagedKey,
  type AllowedMethod,
  type SigningKey,
} from '@vidimus/verification-methods'

type HoldingContext = IAgentContext<IDIDManager & IKeyManager & IResolver>

/** A verification method, and the key of the account behind it. */
interface HeldMethod {
  method: AllowedMethod<SigningKey>
  key: IKey
}

type Method = (args: unknown, context: unknown) => Promise<unknown>
type HoldingManagers = Pick<HoldingContext['agent'], 'didManagerGet' | 'keyManagerSign'>

/**
 * The one definition of who holds a DID, and what is signed as one, as methods beside those of the DID manager. What
 * the managers of this unit do takes no way through the agent.
 */
export function didHolding(
  unit: { readonly keyManagerSign?: Method | undefined } = {},
  didManagerGet?: Method,
): {
  methods: MethodsInContext
  schema: IAgentPluginSchema
} {
  const managers = (context: HoldingContext) =>
    ({
      didManagerGet: (args) => (didManagerGet ?? context.agent.didManagerGet)(args, context),
      keyManagerSign: (args) => (unit.keyManagerSign ?? context.agent.keyManagerSign)(args, context),
    }) as HoldingManagers
  return {
    methods: {
      didHeldKey: async (args, context) => {
        const { act: purpose, ...asked } = checkArguments(DIDHeldKeyArgs, args)
        const { methodId, key } = await heldFor({ ...asked, purpose }, context, managers(context))
        return { methodId, key }
      },
      didHolding: async (args, context) =>
        asHolding(await heldFor(checkArguments(HoldingArgs, args), context, managers(context))),
      didSign: async (args, context) => sign(args, managers(context)),
    },
    schema: pluginSchema(didHoldingMethods),
  }
}

type MethodsInContext = {
  [Name in 'didHeldKey' | 'didHolding' | 'didSign']: (
    args: Parameters<IDIDHolding[Name]>[0],
    context: HoldingContext,
  ) => ReturnType<IDIDHolding[Name]>
}

/**
 * How the account in scope holds a DID for a purpose: of the permitted verification methods, in the order of the
 * document, the first whose public key is that of a key of the account.
 *
 * @throws AgentError `did_not_found` and `key_not_found` (both with a detail at the path `did`),
 *   `did_not_resolvable`, `did_deactivated`
 */
async function heldFor(
  { did, purpose, key: wanted }: DIDHoldingArgs,
  context: HoldingContext,
  managers: HoldingManagers,
): Promise<DIDHolding> {
  const identifier = await heldIdentifier(did, managers)
  const { document, version } = await resolvedDocument(did, context)
  const found =
    (await heldMethod(methodsFor(document, purpose, wanted), identifier, context)) ??
    (purpose === 'publish' && !wanted ? await methodOfController(document, context, managers) : undefined)
  if (!found) {
    const where = purpose === 'publish' ? 'document' : purpose
    const message = `the account holds none of the keys in the ${where} of "${did}"`
    throw problemsError('key_not_found', [{ path: 'did', message }])
  }
  const { kid, kms, type, publicKeyHex } = found.key
  const { keys } = identifier
  const of = { did, purpose, document, keys, ...(version !== undefined && { version }) }
  return { ...of, methodId: found.method.id, key: { kid, kms, type, publicKeyHex } }
}

const SIGNATURE = /^[A-Za-z0-9_-]{86}$/

async function sign(
  { holding, payload, header, namesKey = true }: DIDSignArgs,
  managers: HoldingManagers,
): Promise<string> {
  const { methodId, key } = demandHolding(holding)
  const algorithm = signingAlgorithmOf(key.type)
  const kid = namesKey ? { kid: methodId } : {}
  const data = signingInputOf({ typ: 'JWT', ...header, alg: algorithm, ...kid }, payload)
  const signature = await managers.keyManagerSign({ keyRef: key.kid, data, algorithm })
  if (SIGNATURE.test(signature)) return `${data}.${signature}`
  throw new AgentError('internal_error', `the KMS "${key.kms}" returned a signature of unknown form`)
}

function methodsFor(
  document: DIDDocument,
  purpose: DIDAct,
  wanted: PublicKeyInHex | undefined,
): AllowedMethod<SigningKey>[] {
  const methods = purpose === 'publish' ? ownMethods(document) : holdableMethods(document, purpose)
  if (!wanted) return methods
  return methods.filter(
    ({ publicKey }) => publicKey.type === wanted.type && publicKeyHexOf(publicKey) === wanted.publicKeyHex,
  )
}

/** Keys of the account that were never linked with the DID are only searched if no linked one fits. */
async function heldMethod(
  methods: readonly AllowedMethod<SigningKey>[],
  { keys }: IIdentifier,
  context: HoldingContext,
): Promise<HeldMethod | undefined> {
  return methodOfKeys(methods, keys) ?? methodOfKeys(methods, await otherKeys(methods, context))
}

function methodOfKeys(
  methods: readonly AllowedMethod<SigningKey>[],
  keys: readonly IKey[],
): HeldMethod | undefined {
  const held = keys.map((key) => ({ key, publicKey: signingKeyOfManagedKey(key) }))
  for (const method of methods) {
    const match = held.find(({ publicKey }) => publicKey && isSamePublicKey(publicKey, method.publicKey))
    if (match) return { method, key: match.key }
  }
  return undefined
}

async function otherKeys(
  methods: readonly AllowedMethod<SigningKey>[],
  { agent }: HoldingContext,
): Promise<IKey[]> {
  if (methods.length === 0 || !agent.availableMethods().includes('keyManagerFind')) return []
  const publicKeys = methods.flatMap(({ publicKey }): PublicKeyInHex[] => {
    const publicKeyHex = publicKeyHexOf(publicKey)
    return publicKeyHex === undefined ? [] : [{ type: publicKey.type, publicKeyHex }]
  })
  return agent.execute<KeyFindArgs, IKey[]>('keyManagerFind', { publicKeys })
}

/** @throws AgentError `did_not_found`, the same whether the DID is unknown or of another account */
async function heldIdentifier(did: string, agent: HoldingManagers): Promise<IIdentifier> {
  const identifier = await findDidRow({ agent }, did)
  if (identifier) return identifier
  const message = `"${did}" is unknown, or the account does not hold it`
  throw problemsError('did_not_found', [{ path: 'did', message }])
}

/** A ledger also accepts a controller's signature (DID Core 5.1.2). */
async function methodOfController(
  document: DIDDocument,
  context: HoldingContext,
  managers: HoldingManagers,
): Promise<HeldMethod | undefined> {
  for (const controller of [document.controller ?? []].flat()) {
    if (controller === document.id) continue
    try {
      const identifier = await heldIdentifier(controller, managers)
      const { document: theirs } = await resolvedDocument(controller, context)
      const found = await heldMethod(ownMethods(theirs), identifier, context)
      if (found) return found
    } catch (error) {
      if (!isAgentError(error) || !NO_CONTROLLER.has(error.code)) throw error
    }
  }
  return undefined
}

/** Another one may do. */
const NO_CONTROLLER: ReadonlySet<string> = new Set(['did_not_found', 'did_not_resolvable', 'did_deactivated'])
