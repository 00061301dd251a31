import type { IAgentContext } from '@veramo/core-types'
import { AgentError, currentAccount } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { createdBefore, type Creation, type CreationMark, noteCreation } from '@vidimus/idempotency'
import { isDid } from './home-conditions.js'
import type { UnitOfWork } from './unit-of-work.js'

type Method = (args: unknown, context: unknown) => Promise<unknown>

/** Reads what an earlier run of the same request created. */
export interface EarlierCreation {
  methods: Readonly<Record<string, Method | undefined>>
  creation: CreationMark
  context: unknown
}

/**
 * What an earlier run of the request created, as the creating method would return it. An unfinished creation of a DID
 * is completed first, or undone.
 *
 * @returns `undefined` if there is nothing, so that it must be created now
 * @throws AgentError `unavailable` if this cannot be determined now
 */
export async function createdEarlier(unit: UnitOfWork, earlier: EarlierCreation): Promise<unknown> {
  const { creation, methods, context } = earlier
  const known = await createdBefore(unit, creation)
  if (typeof known?.kid === 'string') return methods.keyManagerGet?.({ kid: known.kid }, context)
  if (typeof known?.did !== 'string') return undefined
  if (await isPending(unit, known.did)) await settle(known.did, earlier)
  const settled = await createdBefore(unit, creation)
  if (typeof settled?.did !== 'string') return undefined
  if (await isPending(unit, settled.did)) throw undecided()
  return methods.didManagerGet?.({ did: settled.did }, context)
}

/** Notes in the unit of the caller what its method has created. */
export async function noteInUnit(unit: UnitOfWork, creation: CreationMark, result: unknown): Promise<void> {
  const account = currentAccount().id
  const created = storedCreation(result)
  if (!created) return
  await unit.stage(
    ({ connection }) => noteCreation(connection, creation, account, created),
    () => undefined,
  )
}

function storedCreation(result: unknown): Creation | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  if ('did' in result && typeof result.did === 'string') return { did: result.did }
  if ('kid' in result && typeof result.kid === 'string') return { kid: result.kid }
  return undefined
}

async function isPending(unit: UnitOfWork, did: string): Promise<boolean> {
  const [row] = await unit.query<{ pending: number }>(
    sql`SELECT pending FROM account_did WHERE ${isDid(currentAccount().id, did)}`,
  )
  return Number(row?.pending) === 1
}

async function settle(did: string, { creation, context }: EarlierCreation): Promise<void> {
  const { agent } = context as IAgentContext<{}>
  if (!agent.availableMethods().includes('didCreationSettle')) throw undecided()
  const abandoned = creation.run.before === 'given-up'
  await agent.execute('didCreationSettle', { did, abandoned })
}

const undecided = () =>
  new AgentError(
    'unavailable',
    'it cannot be determined now whether an earlier attempt of this request created the DID; try again in a moment',
  )
