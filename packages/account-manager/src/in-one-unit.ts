import type { IAgentPlugin } from '@veramo/core-types'
import { AgentError, currentAccount } from '@vidimus/core-types'
import { requireUnitOfWork } from './require-parts.js'
import { scopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

type Method = (args: unknown, context: unknown) => Promise<unknown>
type Args = Readonly<Record<string, unknown>>

/** The methods that change something, and what has to wait for its turn meanwhile. */
const CHANGES: ReadonlyMap<string, (args: Args) => string | undefined> = new Map([
  ['keyManagerCreate', () => undefined],
  ['keyManagerImport', () => undefined],
  ['keyManagerDelete', () => undefined],
  ['didManagerCreate', aliasOf],
  ['didManagerGetOrCreate', aliasOf],
  ['didManagerImport', didOf],
  ['didManagerUpdate', didOf],
  ['didManagerDelete', didOf],
  ['didManagerSetAlias', didOf],
  ['didManagerAddKey', didOf],
  ['didManagerRemoveKey', didOf],
  ['didManagerAddService', didOf],
  ['didManagerRemoveService', didOf],
])

/**
 * Veramo's key manager or DID manager with each of its changing methods as one unit of work: all of it is durable when
 * the call answers, or nothing is. Calls that a provider makes in between, through the agent, become part of it.
 * Changes of one DID run one after the other, as the DID manager reads, changes and writes it in separate steps.
 *
 * @param plugin - its other methods pass through
 */
export function inOneUnit(unit: UnitOfWork, plugin: IAgentPlugin): IAgentPlugin {
  requireUnitOfWork(unit)
  const methods = Object.entries((plugin.methods ?? {}) as Record<string, Method>).map(([name, method]) => {
    const turnOf = CHANGES.get(name)
    const own: Method = (args, context) => method(argsObject(args), context)
    return [name, turnOf ? changing(unit, name, method, turnOf) : own] as const
  })
  return {
    methods: Object.fromEntries(methods),
    ...(plugin.schema && { schema: plugin.schema }),
    ...(plugin.eventTypes && { eventTypes: plugin.eventTypes }),
    ...(plugin.onEvent && { onEvent: plugin.onEvent.bind(plugin) }),
  }
}

function changing(
  unit: UnitOfWork,
  name: string,
  method: Method,
  turnOf: (args: Args) => string | undefined,
): Method {
  return async (untrusted, context) => {
    const args = argsObject(untrusted)
    const work = () =>
      unit.run(async () => {
        if (unit.current) unit.current.method = name
        if (unit.current && isCreation(name)) unit.current.creation = creationRequest(args)
        return named(args, () => method(args, context))
      })
    const turn = turnOf(args)
    // A call within a call does not wait: two that wait for each other would never end. What it changes is guarded
    // by the version of the DID.
    if (turn === undefined || unit.current) return work()
    return unit.inTurn(scopedName(currentAccount().id, turn), work)
  }
}

const isCreation = (name: string) => name === 'didManagerCreate' || name === 'didManagerGetOrCreate'

const creationRequest = ({ alias, provider }: Args) => ({
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
    const message = `the account uses "${String(args.alias)}" for another DID already`
    throw new AgentError('alias_taken', `alias: ${message}`, {
      details: [{ path: 'alias', message }],
      cause: error,
    })
  }
}

/** Veramo's methods take missing arguments apart; without any they would end in a TypeError. */
const argsObject = (args: unknown): Args =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as Args) : {}

function didOf({ did }: Args): string | undefined {
  return typeof did === 'string' ? `did ${did}` : undefined
}

function aliasOf({ alias }: Args): string | undefined {
  return typeof alias === 'string' ? `alias ${alias}` : undefined
}
