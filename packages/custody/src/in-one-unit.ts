import type {
  IAgentContext,
  IAgentPlugin,
  IAgentPluginSchema,
  IIdentifier,
  IPluginMethodMap,
} from '@veramo/core-types'
import {
  AgentError,
  changedOnce,
  currentAccount,
  currentCaller,
  didAsKept,
  isJsonObject,
  PAGES,
  problemsError,
  publishWaiting,
  requireEffect,
  queueName,
  requireSigningAlgorithm,
  type QueueName,
  type RecordResult,
} from '@vidimus/core-types'
import { type CreationMark, nextCreation } from '@vidimus/idempotency'
import { createdEarlier, noteInUnit } from './created-once.js'
import { didHolding } from './did-holding.js'
import { listedProviders, withKnownOptions } from './did-providers.js'
import { demandIssuerOfCall } from './key-certificates.js'
import { bringInLine } from './identifier-merge.js'
import { KeyErasures } from './key-erasures.js'
import { keyFinding } from './key-finding.js'
import { keyManagement, withDefaultKms } from './key-management.js'
import { checkedLocally, CREATING_DIDS } from './local-checks.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

type Method = (args: unknown, context: unknown) => Promise<unknown>
type Args = Readonly<Record<string, unknown>>

/** The methods that change something, and what must wait for them meanwhile. */
const CHANGES: ReadonlyMap<string, (args: Args) => QueueName | undefined> = new Map([
  ['keyManagerCreate', () => undefined],
  ['keyManagerImport', () => undefined],
  ['keyManagerDelete', () => undefined],
  ['didManagerCreate', queueOfAlias],
  ['didManagerGetOrCreate', queueOfAlias],
  ['didManagerImport', queueOfDid],
  ['didManagerUpdate', queueOfDid],
  ['didManagerDelete', queueOfDid],
  ['didManagerSetAlias', queueOfDid],
  ['didManagerAddKey', queueOfDid],
  ['didManagerRemoveKey', queueOfDid],
  ['didManagerAddService', queueOfDid],
  ['didManagerRemoveService', queueOfDid],
])

/**
 * Veramo's key manager or DID manager with each of its changing methods as one unit of work: everything is durable
 * when the call returns, or nothing is. Calls that a provider makes in between, through the agent, become part of it.
 * Changes of one DID are serialised, as the DID manager reads, changes and writes it in separate steps.
 *
 * The DID manager also gets `didManagerListProviders` of {@link IDIDProviders}, and the methods of {@link
 * IDIDHolding}: who holds a DID, and what is signed as one.
 *
 * The key manager also gets `keyManagerFind` of {@link IKeyFinding}: keys are found by their public halves; and
 * `keyManagerListKms` of {@link IKeyManagement}. What is created by a call that names no KMS has its keys in that of
 * the account.
 *
 * @param plugin - its other methods pass through
 */
export function inOneUnit(unit: UnitOfWork, plugin: IAgentPlugin): IAgentPlugin {
  requireUnitOfWork(unit)
  const bare = { ...plugin.methods } as Record<string, Method>
  const erasures = KeyErasures.of(unit, plugin)
  unit.erasures = erasures ?? unit.erasures
  if (erasures) bare.keyManagerDelete = erasing(erasures, bare.keyManagerDelete)
  Object.assign(bare, withKnownOptions(plugin, bare))
  const methods = Object.entries(bare).map(([name, method]) => {
    const queueOf = CHANGES.get(name)
    const own = passing(name, method)
    return [name, queueOf ? changing(unit, name, bare, queueOf) : own] as const
  })
  const finding = bare.keyManagerGet ? keyFinding(unit) : undefined
  const management = keyManagement(plugin)
  const providers = listedProviders(plugin)
  if (bare.keyManagerSign) unit.keyManagerSign = passing('keyManagerSign', bare.keyManagerSign)
  const holding = bare.didManagerGet ? didHolding(unit, bare.didManagerGet) : undefined
  const own = [finding, management, providers, holding].filter((each) => each !== undefined)
  const described = finding ? plugin.schema : withPages(plugin.schema, unit.maxServices)
  const schema = own.reduce<typeof described>((all, each) => merged(all, each.schema), described)
  return {
    methods: {
      ...Object.fromEntries(methods),
      ...finding?.methods,
      ...management?.methods,
      ...providers?.methods,
      ...holding?.methods,
    },
    ...(schema && { schema }),
    ...(plugin.eventTypes && { eventTypes: plugin.eventTypes }),
    ...(plugin.onEvent && { onEvent: plugin.onEvent.bind(plugin) }),
  }
}

/** Veramo's key manager deletes a key in its KMS before it looks whether it may. */
function erasing(erasures: KeyErasures, method: Method | undefined): Method {
  return async (args, context) =>
    (await erasures.delete((args as { kid: string }).kid)) ?? method?.(args, context)
}

/** Whatever KMS holds the key, and whatever interface the call uses, only the service's algorithms are allowed. */
function passing(name: string, method: Method): Method {
  return async function pass(untrusted, context) {
    const args = argsObject(untrusted)
    if (name === 'keyManagerSignEthTX') requireSigningAlgorithm('eth_signTransaction')
    if (name !== 'keyManagerSign') return method(args, context)
    requireSigningAlgorithm(args.algorithm)
    return method(withBytes(args), context)
  }
}

/** Veramo's key manager takes bytes as well. It decodes texts bit by bit, which for a list takes longer than its signature. */
function withBytes(args: Args): Args {
  const { data, encoding } = args
  if (typeof data !== 'string' || (encoding !== 'base64' && encoding !== 'hex')) return args
  const bytes = Buffer.from(data, encoding)
  // Anything else than what we would write is left to Veramo, to be read or refused.
  return bytes.toString(encoding) === data ? { ...args, data: bytes } : args
}

/** Arguments of the stores beyond Veramo's: if there are too many for one response, they are read in pages. */
const PAGE_ARGUMENTS = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: PAGES.most,
    description: 'Optional. Maximum number of results; required if there are more than fit into one answer',
  },
  after: { type: 'string', description: 'Optional. The last one of the previous page' },
}

function withPages(
  schema: IAgentPluginSchema | undefined,
  maxServices: number,
): IAgentPluginSchema | undefined {
  const schemas = schema?.components.schemas as Record<string, { properties?: object }> | undefined
  const found = schemas?.IDIDManagerFindArgs
  if (!schema || !found) return schema
  const IDIDManagerFindArgs = { ...found, properties: { ...found.properties, ...PAGE_ARGUMENTS } }
  // Providers check their options; the number of services of a DID is checked here.
  const IDIDManagerCreateArgs = { ...schemas.IDIDManagerCreateArgs, 'x-maxServices': maxServices }
  return merged(schema, {
    components: { schemas: { IDIDManagerFindArgs, IDIDManagerCreateArgs }, methods: {} },
  })
}

function merged(one: IAgentPluginSchema | undefined, other: IAgentPluginSchema): IAgentPluginSchema {
  const both = (member: 'schemas' | 'methods') => ({
    ...(one?.components[member] as object | undefined),
    ...(other.components[member] as object),
  })
  return { components: { schemas: both('schemas'), methods: both('methods') } }
}

function changing(
  unit: UnitOfWork,
  name: string,
  methods: Readonly<Record<string, Method | undefined>>,
  queueOf: (args: Args) => QueueName | undefined,
): Method {
  return change

  async function change(untrusted: unknown, context: unknown): Promise<unknown> {
    // Providers accept keys as options: permission to create DIDs does not include importing them.
    if (name === 'keyManagerImport') requireEffect('import-key')
    if (name === 'keyManagerDelete' && !unit.current) requireEffect('delete-key')
    const given = argsObject(untrusted)
    if (unit.current || CREATING.has(name)) return make(given, context)
    const what = name === 'didManagerImport' ? { did: given.did } : given
    return changedOnce(unit.database, [name, what], async (record) => {
      const result = await make(given, context, record)
      const did = argumentDid(given)
      // The ledger may have had the change of an earlier run, and what others have changed since.
      if (did?.startsWith('did:cheqd:') && DOCUMENT_CHANGES.has(name) && !isLocalOnly(given) && isRepeated())
        await bringInLine(unit, did, context as IAgentContext<IPluginMethodMap>)
      return result
    })
  }

  async function make(given: Args, context: unknown, record?: RecordResult<unknown>): Promise<unknown> {
    if (!unit.current) await demandIssuerOfCall(unit.database, { method: name, args: given, context })
    const args = CREATING.has(name) ? withDefaultKms(given) : given
    await demandConfigured(args, methods, context)
    const did = argumentDid(args)
    if (name === 'didManagerDelete' && did !== undefined && !unit.current)
      await publishWaiting(did, context as IAgentContext<IPluginMethodMap>)
    if (name === 'keyManagerDelete' && isWithin(unit, 'didManagerDelete')) return true
    // What a nested call creates belongs to the outer creation.
    const mark = CREATING.has(name) && !unit.current ? nextCreation() : undefined
    const work = async () => {
      const earlier = mark && (await createdEarlier(unit, { methods, creation: mark, context }))
      if (earlier !== undefined) return earlier
      return unit.run(async () => {
        if (unit.current) unit.current.method = name
        if (unit.current) unit.current.changesDocument = DOCUMENT_CHANGES.has(name) && !isLocalOnly(args)
        if (unit.current && isCreation(name)) unit.current.creation = creationRequest(args, mark)
        const getIdentifier = async (did: string) =>
          (await methods.didManagerGet?.({ did }, context)) as IIdentifier
        const checked = await checkedLocally(unit, { method: name, args, context, getIdentifier })
        const result = await named(args, async () => methods[name]?.(checked, context))
        if (mark) await noteInUnit(unit, mark, result)
        if (record)
          await unit.stage(
            ({ connection }) => record(connection, result),
            () => undefined,
          )
        return result
      })
    }
    // A nested call does not wait: two that wait for each other would never end. Its changes are guarded by the
    // version of the DID.
    const queue = unit.current ? undefined : queueOf(args)
    return queue === undefined ? work() : unit.serialized(queue, work)
  }
}

/**
 * Veramo's managers look names up among the members that every object has as well, and fail on `constructor`.
 *
 * @throws AgentError `invalid_input`, `unknown_provider`
 */
async function demandConfigured(
  { kms, provider }: Args,
  methods: Readonly<Record<string, Method | undefined>>,
  context: unknown,
): Promise<void> {
  if (typeof kms === 'string' && kms !== '' && methods.keyManagerGetKeyManagementSystems) {
    const known = (await methods.keyManagerGetKeyManagementSystems({}, context)) as string[]
    if (!known.includes(kms)) throw problemsError('invalid_input', [unknownName('kms', kms, known)])
  }
  if (typeof provider !== 'string' || !(provider in Object.prototype) || !methods.didManagerGetProviders)
    return
  const known = (await methods.didManagerGetProviders({}, context)) as string[]
  throw problemsError('unknown_provider', [unknownName('provider', provider, known)])
}

const unknownName = (path: string, name: string, known: readonly string[]) => ({
  path,
  message: `"${name}" is not one of ${known.join(', ')}`,
})

/** These change the DID document, not only the account's rows. */
const DOCUMENT_CHANGES = new Set([
  'didManagerUpdate',
  'didManagerAddKey',
  'didManagerRemoveKey',
  'didManagerAddService',
  'didManagerRemoveService',
])

const isRepeated = () => currentCaller()?.run?.before !== undefined

const isLocalOnly = ({ options }: Args) =>
  typeof options === 'object' && options !== null && 'localOnly' in options && options.localOnly === true

/**
 * Veramo's providers of did:key, did:jwk and did:web delete every key of a DID that is deleted, also those that other DIDs
 * live by. Keys are the account's: they go when they are deleted themselves.
 */
const isWithin = (unit: UnitOfWork, method: string) =>
  unit.current?.chain().some((each) => each.method === method) === true

const isCreation = (name: string) => name === 'didManagerCreate' || name === 'didManagerGetOrCreate'

/** The methods that would create something else if they were called again. */
const CREATING: ReadonlySet<string> = new Set(['keyManagerCreate', ...CREATING_DIDS])

const creationRequest = ({ alias, provider }: Args, mark: CreationMark | undefined) => ({
  ...(mark && { mark }),
  ...(typeof alias === 'string' && alias !== '' && { alias }),
  ...(typeof provider === 'string' && provider !== '' && { provider }),
})

/** Gives the code to the one refusal of the DID manager that is the caller's. */
async function named<T>(args: Args, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('illegal_argument: Identifier with alias'))
      throw error
    const message = `the account already uses "${String(args.alias)}" for another DID`
    throw new AgentError('alias_taken', `alias: ${message}`, {
      details: [{ path: 'alias', message }],
      cause: error,
    })
  }
}

/** Veramo's methods take missing arguments apart; without any they would end in a TypeError. */
const argsObject = (args: unknown): Args => (isJsonObject(args) ? args : {})

function argumentDid({ did }: Args): string | undefined {
  return typeof did === 'string' ? didAsKept(did) : undefined
}

function queueOfDid(args: Args): QueueName | undefined {
  const did = argumentDid(args)
  return did === undefined ? undefined : queueName(currentAccount().id, 'did', did)
}

function queueOfAlias({ alias }: Args): QueueName | undefined {
  return typeof alias === 'string' ? queueName(currentAccount().id, 'alias', alias) : undefined
}
