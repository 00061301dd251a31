import {
  AgentError,
  findDidRow,
  findKeyRow,
  type KeyFindArgs,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { publicKeyOf, type LedgerDidDoc, type LedgerVerificationMethod } from '@vidimus/ledger'
import { isSameKey } from '@vidimus/verification-methods'
import type { IAgentContext, IDIDManager, IIdentifier, IKey, IKeyManager } from '@veramo/core-types'

/** What signing messages for the DIDs of an account needs of the agent. */
export type SigningContext = IAgentContext<IKeyManager & IDIDManager>

/** A verification method of a DID document and its key of the account. */
export interface HeldMethod {
  method: LedgerVerificationMethod
  key: IKey
}

/**
 * The DID as the account in scope holds it.
 *
 * @throws AgentError `did_not_found`, the same whether the DID is unknown or of another account
 */
export async function heldIdentifier(did: string, context: SigningContext): Promise<IIdentifier> {
  const identifier = await findDidRow(context, did)
  if (!identifier) throw didNotFound()
  return identifier
}

/**
 * The keys of the account in scope with these public halves. A key manager that cannot search by them is asked for
 * keys of such names, and a key under the name of another does not count.
 */
export async function keysByPublicKey(
  publicKeys: readonly PublicKeyInHex[],
  context: IAgentContext<IKeyManager>,
): Promise<IKey[]> {
  if (publicKeys.length === 0) return []
  if (context.agent.availableMethods().includes('keyManagerFind')) {
    return context.agent.execute<KeyFindArgs, IKey[]>('keyManagerFind', { publicKeys })
  }
  const named = await Promise.all(publicKeys.map(({ publicKeyHex }) => findKeyRow(context, publicKeyHex)))
  return named.flatMap((key, n) => {
    const wanted = publicKeys[n]
    return key && wanted && isSameKey(key, wanted) ? [key] : []
  })
}

export function didNotFound(): AgentError {
  const message = 'the account holds no such DID'
  return new AgentError('did_not_found', `did: ${message}`, { details: [{ path: 'did', message }] })
}

/** The verification methods of one of the keys, those of `authentication` first. */
export function heldMethods(doc: LedgerDidDoc, keys: readonly IKey[]): HeldMethod[] {
  const authenticating = doc.verificationMethod.filter(({ id }) => doc.authentication.includes(id))
  const others = doc.verificationMethod.filter(({ id }) => !doc.authentication.includes(id))
  return [...authenticating, ...others].flatMap((method) => {
    const key = keyOfMethod(method, keys)
    return key ? [{ method, key }] : []
  })
}

/** The key of a verification method, found by its public half: names of keys and methods are arbitrary. */
export function keyOfMethod(method: LedgerVerificationMethod, keys: readonly IKey[]): IKey | undefined {
  const publicKey = publicKeyOf(method)
  return publicKey && keys.find((key) => isSameKey(key, publicKey))
}
