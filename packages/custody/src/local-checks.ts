import type { IAgentContext, IIdentifier, IKey, IKeyManager } from '@veramo/core-types'
import { currentAccount, didAsKept, problemsError, asKid, type Problem } from '@vidimus/core-types'
import { isKeyType, readPrivateKey } from '@vidimus/verification-methods'
import { checkedObject, checkedText, invalidInput } from '@vidimus/accounts'
import { checkedIdentifier, checkedService } from './account-did-store.js'
import { demandUnlinked } from './ledger-change-rows.js'
import { countProblems, demandIdentifierBounds, newServiceProblems } from './identifier-bounds.js'
import { checkedNameOfNewKey, demandSmallMeta } from './key-names.js'
import type { UnitOfWork } from './unit-of-work.js'

type Args = Readonly<Record<string, unknown>>

/** The call that is about to be made. */
export interface ChangingCall {
  method: string
  args: Args
  context: unknown
  /** `didManagerGet` of the DID manager */
  getIdentifier: (did: string) => Promise<IIdentifier>
}

/**
 * Checks everything that the account's own rows will require, before a KMS or a ledger does something that cannot be
 * undone.
 *
 * @returns the arguments, with the account's data in place of the caller's
 * @throws AgentError `invalid_input`, `key_mismatch`, `key_not_found`, `did_not_found`
 */
export async function checkedLocally(unit: UnitOfWork, call: ChangingCall): Promise<Args> {
  const { method, args } = call
  if (method === 'keyManagerCreate' && isNamed(args.kid)) checkedNameOfNewKey(args.kid)
  if (method === 'keyManagerCreate') demandSmallMeta(args.meta)
  if (method === 'keyManagerImport') demandPrivateKey(args)
  if (method === 'keyManagerDelete') await demandDeletable(unit, call)
  if (method === 'didManagerAddKey') return withOwnKey(unit, call)
  if (method === 'didManagerAddService') await demandStorable(unit, call)
  if (method === 'didManagerRemoveService') return withHeldService(call)
  if (method === 'didManagerUpdate') await demandFewServices(unit, call)
  if (CREATING_DIDS.has(method)) demandFewNewServices(unit, args)
  return args
}

/** The error of a third-party KMS for a private key that it cannot read is unknown. */
function demandPrivateKey({ type, privateKeyHex }: Args): void {
  // A KMS may know more types, or import a key that it holds already.
  if (typeof type !== 'string' || !isKeyType(type) || !isNamed(privateKeyHex)) return
  const read = readPrivateKey(type, privateKeyHex)
  if (!('problem' in read)) return
  const problems = [{ path: 'privateKeyHex', message: read.problem }]
  throw problemsError(read.isMismatch ? 'key_mismatch' : 'invalid_input', problems)
}

async function demandDeletable(unit: UnitOfWork, { args, context }: ChangingCall): Promise<void> {
  const kid = asKid(checkedText(args.kid, 'kid'))
  await agentOfContext(context).keyManagerGet({ kid })
  await demandUnlinked(unit, currentAccount().id, kid)
}

const agentOfContext = (context: unknown) => (context as IAgentContext<IKeyManager>).agent

/** An empty text means none, as in kms-local. */
const isNamed = (text: unknown) => text !== undefined && text !== null && text !== ''

/** Providers write the public key that they are handed: the one that belongs to the name. */
async function withOwnKey(unit: UnitOfWork, { args, context, getIdentifier }: ChangingCall): Promise<Args> {
  const { kid, type, publicKeyHex } = checkedObject<Partial<IKey>>(args.key, 'key')
  const name = checkedText(kid, 'key.kid')
  const identifier = await getIdentifier(checkedText(args.did, 'did'))
  const key = await agentOfContext(context).keyManagerGet({ kid: name })
  if (type !== undefined && type !== key.type) throw invalidInput('key.type', `must be ${key.type}`)
  if (publicKeyHex !== undefined && !isSameHex(publicKeyHex, key.publicKeyHex)) {
    throw invalidInput('key.publicKeyHex', 'is not the public key of the key named by "key.kid"')
  }
  const keys = [...identifier.keys.filter((other) => other.kid !== key.kid), key]
  demandIdentifierBounds({ ...identifier, keys }, identifier, unit.maxServices)
  return { ...args, key }
}

const isSameHex = (one: unknown, other: string) =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase()

/** A provider removes a service from the document in any spelling; the rows have it as it was added. */
async function withHeldService({ args, getIdentifier }: ChangingCall): Promise<Args> {
  const id = checkedText(args.id, 'id')
  const { did, services } = await getIdentifier(checkedText(args.did, 'did'))
  const named = services.find((service) => service.id === id)
  const held = named ?? services.find((service) => serviceUrl(did, service.id) === serviceUrl(did, id))
  return held ? { ...args, id: held.id } : args
}

/** `<did>#<fragment>` of a text that may be `#<fragment>`, or only the fragment. */
function serviceUrl(did: string, id: string): string {
  const [subject = '', ...fragment] = id.split('#')
  return fragment.length === 0 ? `${did}#${id}` : `${didAsKept(subject || did)}#${fragment.join('#')}`
}

async function demandStorable(unit: UnitOfWork, { args, getIdentifier }: ChangingCall): Promise<void> {
  const service = checkedService(args.service, 'service')
  demandNone(newServiceProblems(service, 'service'))
  const identifier = await getIdentifier(checkedText(args.did, 'did'))
  const next = checkedIdentifier({ ...identifier, services: [...identifier.services, service] })
  demandIdentifierBounds(next, identifier, unit.maxServices)
}

/** A ledger would keep them, and the account could not. */
async function demandFewServices(unit: UnitOfWork, { args, getIdentifier }: ChangingCall): Promise<void> {
  const count = textLength(args.document, 'service')
  if (count <= unit.maxServices) return
  const { services } = await getIdentifier(checkedText(args.did, 'did'))
  demandNone(countProblems('document.service', count, unit.maxServices, services.length))
}

function demandFewNewServices({ maxServices }: UnitOfWork, { options }: Args): void {
  const document = isObject(options) ? options.didDocument : undefined
  demandNone([
    ...countProblems('service', textLength(options, 'service'), maxServices),
    ...countProblems('didDocument.service', textLength(document, 'service'), maxServices),
  ])
}

/** Methods that create a DID. */
export const CREATING_DIDS: ReadonlySet<string> = new Set(['didManagerCreate', 'didManagerGetOrCreate'])

function demandNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw problemsError('invalid_input', problems)
}

/** Lists too: what of an argument is looked at here, providers read of it whatever it is. */
const isObject = (value: unknown): value is Args => typeof value === 'object' && value !== null

function textLength(value: unknown, member: string): number {
  const list = isObject(value) ? value[member] : undefined
  return Array.isArray(list) ? list.length : 0
}
