import type { IAgentContext, IIdentifier, IKey, IKeyManager } from '@veramo/core-types'
import { currentAccount } from '@vidimus/core-types'
import { checkedIdentifier, checkedService } from './account-did-store.js'
import { demandUnlinked } from './account-key-store.js'
import { checkedText, invalidInput } from './checked-text.js'
import { checkedNameOfNewKey } from './key-names.js'
import type { UnitOfWork } from './unit-of-work.js'

type Args = Readonly<Record<string, unknown>>

/** The call that is about to be made. */
export interface ChangingCall {
  method: string
  args: Args
  context: unknown
  /** `didManagerGet` of the DID manager */
  identifierOf: (did: string) => Promise<IIdentifier>
}

/**
 * Looks at everything that the account's own rows will be asked for, before a KMS or a ledger does something that cannot
 * be taken back.
 *
 * @returns the arguments, with what the account has in place of what the caller says of it
 * @throws AgentError `invalid_input`, `key_not_found`, `did_not_found`
 */
export async function checkedLocally(unit: UnitOfWork, call: ChangingCall): Promise<Args> {
  const { method, args } = call
  if (method === 'keyManagerCreate' && isNamed(args.kid)) checkedNameOfNewKey(args.kid)
  if (method === 'keyManagerDelete') await demandDeletable(unit, call)
  if (method === 'didManagerAddKey') return withOwnKey(call)
  if (method === 'didManagerAddService') await demandStorable(call)
  return args
}

async function demandDeletable(unit: UnitOfWork, { args, context }: ChangingCall): Promise<void> {
  const kid = checkedText(args.kid, 'kid')
  await agentOf(context).keyManagerGet({ kid })
  await demandUnlinked(unit, currentAccount().id, kid)
}

const agentOf = (context: unknown) => (context as IAgentContext<IKeyManager>).agent

/** An empty kid stands for none, as in kms-local. */
const isNamed = (kid: unknown) => kid !== undefined && kid !== null && kid !== ''

/** Providers write the public key that they are handed: the one that belongs to the name. */
async function withOwnKey({ args, context, identifierOf }: ChangingCall): Promise<Args> {
  const { kid, type, publicKeyHex } = asObject<Partial<IKey>>(args.key, 'key')
  const name = checkedText(kid, 'key.kid')
  await identifierOf(checkedText(args.did, 'did'))
  const key = await agentOf(context).keyManagerGet({ kid: name })
  if (type !== undefined && type !== key.type) throw invalidInput('key.type', `must be ${key.type}`)
  if (publicKeyHex !== undefined && !isSameHex(publicKeyHex, key.publicKeyHex)) {
    throw invalidInput('key.publicKeyHex', 'is not the public key of the key that "key.kid" names')
  }
  return { ...args, key }
}

const isSameHex = (one: unknown, other: string) =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase()

async function demandStorable({ args, identifierOf }: ChangingCall): Promise<void> {
  const service = checkedService(args.service, 'service')
  const identifier = await identifierOf(checkedText(args.did, 'did'))
  checkedIdentifier({ ...identifier, services: [...identifier.services, service] })
}

function asObject<T>(value: unknown, path: string): T {
  if (typeof value === 'object' && value !== null) return value as T
  throw invalidInput(path, 'must be an object')
}
