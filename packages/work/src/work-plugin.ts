import type { IAgentPlugin } from '@veramo/core-types'
import {
  checkArguments,
  currentAccount,
  currentActor,
  currentCaller,
  hasAuditRows,
  parseOptions,
  placeText,
  pluginSchema,
  problemsError,
  readPlace,
  requireEffect,
  requireNetworkOf,
  WORK_ACTIONS,
  WORK_KINDS,
  type AgentError,
  type AuditActor,
  type AuditRows,
  type HasLifecycle,
  type HasMeasurements,
  type IWork,
  type ListedWork,
  type Measurement,
  type OpenTransaction,
  type OperatedWork,
  type WorkAction,
  type WorkKindName,
} from '@vidimus/core-types'
import { workMethods } from '@vidimus/core-types/schemas/work'
import { requireDatabase, sql, type Database } from '@vidimus/database'
import { z } from 'zod'
import { keyParts, KIND_ROWS } from './kinds.js'
import { examineWork } from './work-health.js'
import { accountNames, findItem, hasOwner, pageOfAccount, pageOfAll, workState } from './work-pages.js'
import type { StoredWork } from './work-pages.js'
import { workOn } from './work.js'

const Options = z.strictObject({
  audit: z.custom<AuditRows>(hasAuditRows, 'must be AuditLog of @vidimus/accounts').optional(),
})

export interface WorkPluginOptions {
  /** records what is done with work */
  audit?: AuditRows
}

const DONE = { retry: 'retried', pause: 'paused', resume: 'resumed', cancel: 'cancelled' } as const

/** Agent plugin: accounts and operators see what waits, and do what its kind allows. */
export class WorkPlugin implements IAgentPlugin, HasLifecycle, HasMeasurements {
  readonly methods: IWork
  readonly schema = pluginSchema(workMethods)
  readonly lifecycle = { diagnose: () => examineWork(this.database) }
  readonly measurements: readonly Measurement[]

  private readonly audit: AuditRows | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly database: Database,
    options: WorkPluginOptions = {},
  ) {
    requireDatabase(database)
    this.audit = parseOptions(Options, options).audit
    this.measurements = workOn(database).measurements
    this.methods = {
      workList: async (args) => {
        const asked = checkArguments(workMethods.workList.arguments, args ?? {})
        const { rows, ...page } = await pageOfAccount(database, currentAccount().id, asked, new Date())
        return { items: rows.map((row) => this.listed(row)), ...page }
      },
      workChange: async (args) => {
        const { id, row } = await this.change(args, (found) => this.demand(found))
        return { id, ...(row && { item: this.listed(row) }) }
      },
      operatorWorkList: async (args) => {
        requireEffect('operate')
        const { account, ...asked } = checkArguments(workMethods.operatorWorkList.arguments, args ?? {})
        const { rows, ...page } =
          account === undefined
            ? await pageOfAll(database, asked, new Date())
            : await pageOfAccount(database, await this.accountNamed(account), asked, new Date())
        return { items: await this.operated(rows), ...page }
      },
      operatorWorkChange: async (args) => {
        requireEffect('operate')
        const { id, row } = await this.change(args)
        const [item] = row ? await this.operated([row]) : []
        return { id, ...(item && { item }) }
      },
    }
  }

  private listed(row: StoredWork): ListedWork {
    const { kind, due_at: dueAt, since, revision, attempts, failure } = row
    return {
      id: placeText([kind, String(row.home), row.key]),
      kind,
      subject: subjectOf(row),
      state: workState(row, new Date()),
      since: since ?? new Date(Number(revision) / 1000).toISOString(),
      dueAt,
      attempts,
      ...(failure !== null && { failure }),
      can: this.possible(row),
    }
  }

  private async operated(rows: readonly StoredWork[]): Promise<OperatedWork[]> {
    const names = await accountNames(this.database, [...new Set(rows.map(({ owner }) => owner))])
    return rows.map((row) => {
      const account = names.get(row.owner)
      return { ...this.listed(row), ...(account !== undefined && { account }) }
    })
  }

  private possible(row: StoredWork): WorkAction[] {
    const state = workState(row, new Date())
    const fits = {
      retry: state === 'failed',
      pause: state !== 'paused',
      resume: state === 'paused',
      cancel: true,
    }
    const work = workOn(this.database)
    const { kind, payload } = row
    const isFinal = payload !== null && work.acts(kind)?.isFinal?.({ payload })
    return WORK_ACTIONS.filter(
      (action) => fits[action] && work.mayDo(action, kind) && (action === 'retry' || !isFinal),
    )
  }

  /** @param demand - refuses callers without a right; absent: an operator may */
  private async change(
    args: { id: string; action: WorkAction },
    demand?: (row: StoredWork) => Promise<void>,
  ): Promise<{ id: string; row: StoredWork | undefined }> {
    const { id, action } = checkArguments(workMethods.workChange.arguments, args)
    const { kind, ...place } = itemWithId(id)
    const work = workOn(this.database)
    const row = await findItem(this.database, place, kind)
    if (!row && !(await work.wasDone(action, { kind, ...place }))) throw notFound()
    if (row) {
      await demand?.(row)
      const record = await this.recording(action, row)
      if (!(await work.act(action, row, record))) throw this.notPossible(action, row)
    }
    return { id, row: await findItem(this.database, place, kind) }
  }

  /** @throws AgentError `work_not_found`, `forbidden` */
  private async demand(row: StoredWork): Promise<void> {
    if (!(await hasOwner(this.database, currentAccount().id, row.owner))) throw notFound()
    requireEffect(...KIND_ROWS[row.kind].effects)
    requireNetworkOf(subjectOf(row))
    await workOn(this.database).acts(row.kind)?.demand?.(row)
  }

  /** What records it, in the transaction that does it: an operator's act is in the trail of the account as well. */
  private async recording(action: WorkAction, row: StoredWork) {
    const { kind, owner } = row
    const isOfJob = kind === 'job' && action !== 'retry'
    const event = `${isOfJob ? 'job' : 'work'}-${DONE[action]}` as 'work-retried'
    const entry = { event, subject: subjectOf(row), ...(!isOfJob && { detail: kind }) }
    const actors: AuditActor[] = [currentActor()]
    const isOwner = actors[0]?.accountId === owner
    if (!isOwner && !owner.startsWith('did:') && (await accountNames(this.database, [owner])).size > 0)
      actors.push({ accountId: owner })
    return async (transaction: OpenTransaction) => {
      for (const actor of actors) await this.audit?.recordWithin(transaction, entry, actor)
    }
  }

  private notPossible(action: WorkAction, row: StoredWork): AgentError {
    const possible = this.possible(row).join(', ') || 'nothing'
    const message = `names work of the kind ${row.kind} in the state ${workState(row, new Date())}, with which this is possible: ${possible}; not: ${action}`
    return problemsError('not_possible', [{ path: 'id', message }])
  }

  private async accountNamed(name: string): Promise<string> {
    const [account] = await this.database.query<{ id: string }>(
      sql`SELECT id FROM account WHERE name = ${name}`,
    )
    if (account) return account.id
    throw problemsError('account_not_found', [{ path: 'account', message: 'there is no such account' }])
  }
}

const subjectOf = ({ kind, key, payload, owner }: StoredWork): string =>
  KIND_ROWS[kind].subject(keyParts(key), { owner, ...(payload !== null && { payload }) })

/** @throws AgentError `work_not_found` for what is no id */
function itemWithId(id: string): { kind: WorkKindName; home: number; key: string } {
  let place: string[]
  try {
    place = readPlace(id, 3)
  } catch {
    throw notFound()
  }
  const [name, home = '', key = ''] = place
  const kind = WORK_KINDS.find((known) => known === name)
  // One item has one id.
  const isId = kind !== undefined && id === placeText([kind, String(Number(home)), key])
  if (isId && Number.isSafeInteger(Number(home))) return { kind, home: Number(home), key }
  throw notFound()
}

const notFound = () =>
  problemsError('work_not_found', [
    {
      path: 'id',
      message: currentCaller() ? 'the account has no such work' : 'there is no such work',
    },
  ])
