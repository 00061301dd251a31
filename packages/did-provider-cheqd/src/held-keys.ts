import { AgentError, isAgentError, type KeyFindArgs, type PublicKeyInHex } from '@vidimus/core-types'
import { publicKeyOf, type LedgerDidDoc, type LedgerVerificationMethod } from '@vidimus/ledger'
import type { IAgentContext, IDIDManager, IIdentifier, IKey, IKeyManager } from '@veramo/core-types'

/** What the agent has to offer so that messages can be signed for the DIDs of an account. */
export type SigningContext = IAgentContext<IKeyManager & IDIDManager>

/** A verification method of a DID document and the key of the account that it stands for. */
export interface HeldMethod {
  method: LedgerVerificationMethod
  key: IKey
}

// The stores of Veramo know neither codes nor classes of errors; these are their words for "there is none".
const NOT_FOUND = /^(key_)?not_found:|^(Key|Identifier) not found$/

const meansNotFound = (error: unknown, code: string): boolean =>
  isAgentError(error) ? error.code === code : error instanceof Error && NOT_FOUND.test(error.message)

/**
 * The DID as the account in scope holds it.
 *
 * @throws AgentError `did_not_found`, which reads the same whether the DID is unknown or somebody else's
 */
export async function heldIdentifier(did: string, context: SigningContext): Promise<IIdentifier> {
  const identifier = await findHeldIdentifier(did, context)
  if (!identifier) throw didNotFound()
  return identifier
}

export async function findHeldIdentifier(
  did: string,
  context: SigningContext,
): Promise<IIdentifier | undefined> {
  try {
    return await context.agent.didManagerGet({ did })
  } catch (error) {
    if (meansNotFound(error, 'did_not_found')) return undefined
    throw error
  }
}

/** A key that the account in scope holds, or `undefined`. */
export async function findHeldKey(
  kid: string,
  context: IAgentContext<IKeyManager>,
): Promise<IKey | undefined> {
  try {
    return await context.agent.keyManagerGet({ kid })
  } catch (error) {
    if (meansNotFound(error, 'key_not_found')) return undefined
    throw error
  }
}

/**
 * The keys of the account in scope with these public halves. A key manager that cannot look for them is asked for keys of
 * such names, and what it has under the name of another key does not count.
 */
export async function keysByPublicKey(
  publicKeys: readonly PublicKeyInHex[],
  context: IAgentContext<IKeyManager>,
): Promise<IKey[]> {
  if (publicKeys.length === 0) return []
  if (context.agent.availableMethods().includes('keyManagerFind')) {
    return context.agent.execute<KeyFindArgs, IKey[]>('keyManagerFind', { publicKeys })
  }
  const named = await Promise.all(publicKeys.map(({ publicKeyHex }) => findHeldKey(publicKeyHex, context)))
  return named.flatMap((key, n) => {
    const wanted = publicKeys[n]
    return key && wanted && isSameKey(key, wanted) ? [key] : []
  })
}

export function didNotFound(): AgentError {
  const message = 'the account holds no such DID'
  return new AgentError('did_not_found', `did: ${message}`, { details: [{ path: 'did', message }] })
}

/** The verification methods that stand for one of the keys, those of `authentication` first. */
export function heldMethods(doc: LedgerDidDoc, keys: readonly IKey[]): HeldMethod[] {
  const authenticating = doc.verificationMethod.filter(({ id }) => doc.authentication.includes(id))
  const others = doc.verificationMethod.filter(({ id }) => !doc.authentication.includes(id))
  return [...authenticating, ...others].flatMap((method) => {
    const key = keyOfMethod(method, keys)
    return key ? [{ method, key }] : []
  })
}

/** The key that a verification method stands for, found by its public half: names of keys and methods are free. */
export function keyOfMethod(method: LedgerVerificationMethod, keys: readonly IKey[]): IKey | undefined {
  const publicKey = publicKeyOf(method)
  return publicKey && keys.find((key) => isSameKey(key, publicKey))
}

export const isSameKey = (
  left: Pick<IKey, 'type' | 'publicKeyHex'>,
  right: Pick<IKey, 'type' | 'publicKeyHex'>,
): boolean => left.type === right.type && canonicalHex(left) === canonicalHex(right)

/** Imported P-256 keys may be named by their uncompressed point (SEC 1, 2.3.3). */
function canonicalHex({ type, publicKeyHex }: Pick<IKey, 'type' | 'publicKeyHex'>): string {
  const hex = publicKeyHex.toLowerCase()
  if (type !== 'Secp256r1' || hex.length !== 130 || !hex.startsWith('04')) return hex
  const isOdd = '13579bdf'.includes(hex.slice(-1))
  return (isOdd ? '03' : '02') + hex.slice(2, 66)
}
