import type { IAgentPlugin } from '@veramo/core-types'
import {
  checkArguments,
  Counter,
  currentAccount,
  isAgentError,
  isDuration,
  log,
  outsideOfRequests,
  overdueWork,
  parseOptions,
  pluginSchema,
  problemsError,
  RepeatedPasses,
  runInAccountScope,
  timeAfter,
  whyFixed,
  type DIDRotateKeyArgs,
  type DIDRotation,
  type HasLifecycle,
  type HasMeasurements,
  type IDIDRotation,
} from '@vidimus/core-types'
import { didRotationMethods } from '@vidimus/core-types/schemas'
import { joinSql } from '@vidimus/database'
import { workOn, type HeldWork, type RunningKind, type Work } from '@vidimus/work'
import { z } from 'zod'
import { ROTATIONS } from '../measurements.js'
import { requireUnitOfWork } from '../require-unit-of-work.js'
import type { UnitOfWork } from '../unit-of-work.js'
import { beginRotation, type BeginningContext } from './begin-rotation.js'
import { findRotation, overdueDids, ROTATION, shownRotation, type OverdueDid } from './rotation-rows.js'
import { RotationSteps } from './rotation-steps.js'

export const Options = z.strictObject({
  rotateEvery: z
    .string()
    .refine(isDuration, 'must be an ISO 8601 duration such as P1Y')
    .nullable()
    .default(null),
})

export interface DIDRotationOptions {
  /**
   * interval after which a DID gets another signing key, in ISO 8601 (`P1Y`); `null`, the default: on request only
   */
  rotateEvery?: string | null
}

/** The pause between two looks for overdue ones, in milliseconds. */
const PAUSE_MS = 5000
/** Rotations at the same time, and of these of one account. */
const MOST_AT_ONCE = 4
const SHARE = 3
/** Lists that a caller waits for. */
const WHILE_WAITED_FOR = 40
/** The delay before a failed scheduled rotation is retried, in milliseconds. */
const AFTER_FAILURE_MS = 24 * 60 * 60 * 1000

/**
 * Agent plugin: rotates the signing key of a DID in one operation. Its progress is in the database, so that any
 * process can continue it, and whoever continues it holds its item of work.
 */
export class DIDRotationPlugin implements IAgentPlugin, HasLifecycle, HasMeasurements {
  readonly methods: {
    didRotateKey: (args: DIDRotateKeyArgs, context: BeginningContext) => Promise<DIDRotation>
    didRotationGet: (args: { did: string }) => Promise<DIDRotation>
    didRotationContinue: (
      args: {},
      context: BeginningContext,
    ) => ReturnType<IDIDRotation['didRotationContinue']>
  }
  readonly schema = pluginSchema(didRotationMethods)
  readonly lifecycle = {
    stop: async () => {
      await this.passes.stop()
      await this.work.stop(ROTATION)
    },
  }
  private readonly counted = new Counter(ROTATIONS, [['done'], ['failed']])
  readonly measurements = [this.counted]
  private readonly rotateEvery: string | null
  private readonly steps: RotationSteps
  private readonly work: Work
  private readonly passes = new RepeatedPasses({ work: 'rotation of keys', pauseMs: PAUSE_MS })
  /** where the search for overdue ones continues */
  private overdueAfter: OverdueDid | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly unit: UnitOfWork,
    options: DIDRotationOptions = {},
  ) {
    requireUnitOfWork(unit)
    this.rotateEvery = parseOptions(Options, options).rotateEvery
    this.work = workOn(unit.database)
    this.steps = new RotationSteps(unit, (result) => this.counted.add(1, result))
    this.methods = {
      didRotateKey: (args: DIDRotateKeyArgs, context) => this.rotate(args, context),
      didRotationGet: (args: { did: string }) => this.get(args),
      didRotationContinue: (_args: {}, context) => this.begin(context),
    }
  }

  private async rotate(given: DIDRotateKeyArgs, context: BeginningContext): Promise<DIDRotation> {
    const args = checkArguments(didRotationMethods.didRotateKey.arguments, given)
    const { rotation, held } = await beginRotation(this.unit, args, context)
    this.run(context)
    if (!held) return shownRotation(rotation)
    try {
      const advanced = await this.steps.advance(held, rotation, context, WHILE_WAITED_FOR)
      this.work.wake()
      return shownRotation(advanced)
    } catch (error) {
      if (!held.isSettled) await this.work.callers.release(held)
      const now = await findRotation(this.unit, currentAccount().id, args.did)
      // The caller gets final errors; everything else is retried in the background, or another process is at it.
      if (!now || (now.endedAt !== null && !overdueWork(error))) throw error
      return shownRotation(now)
    }
  }

  private async get(given: { did: string }): Promise<DIDRotation> {
    const { did } = checkArguments(didRotationMethods.didRotationGet.arguments, given)
    const rotation = await findRotation(this.unit, currentAccount().id, did)
    if (rotation) return shownRotation(rotation)
    throw problemsError('rotation_not_found', [{ path: 'did', message: 'no key of this DID was rotated' }])
  }

  /** Now, and from then on. */
  private async begin(context: BeginningContext): Promise<{ ended: number }> {
    const running = this.run(context)
    if (!running) return { ended: 0 }
    return outsideOfRequests(async () => {
      const ended = await running.drain()
      await this.beginOverdue(context)
      return { ended }
    })
  }

  /** @returns `undefined` on a standby */
  private run(context: BeginningContext): RunningKind | undefined {
    if (this.unit.database.isReadOnly) return undefined
    if (this.rotateEvery !== null) this.passes.begin(() => this.beginOverdue(context))
    return this.work.run({
      name: ROTATION,
      most: MOST_AT_ONCE,
      share: SHARE,
      isLong: true,
      handle: (held) => this.goOn(held, context),
      // It is logged where it failed.
      onFailure: () => undefined,
    })
  }

  private async goOn(held: HeldWork, context: BeginningContext): Promise<{ isDone: boolean }> {
    const [did = '', account = ''] = JSON.parse(held.item.key) as string[]
    const rotation = await findRotation(this.unit, account, did)
    if (rotation?.endedAt !== null) return { isDone: false }
    try {
      return { isDone: (await this.steps.advance(held, rotation, context)).endedAt !== null }
    } catch (error) {
      if (!held.isSettled) throw error
      return { isDone: true }
    }
  }

  /** Some at a time, so that not all of an installation are rotated at once. */
  private async beginOverdue(context: BeginningContext): Promise<void> {
    if (this.rotateEvery === null) return
    const now = Date.now()
    const span = (timeAfter(new Date(now), this.rotateEvery)?.getTime() ?? Infinity) - now
    if (!Number.isFinite(span)) return
    const listed = await context.agent.didManagerListProviders()
    const updatable = listed.filter(({ name, canUpdate }) => canUpdate && whyFixed(name) === undefined)
    const providers = updatable.map(({ name }) => name)
    if (providers.length === 0) return
    const condition = {
      providers: joinSql(providers),
      before: new Date(now - span).toISOString(),
      failedBefore: new Date(now - AFTER_FAILURE_MS).toISOString(),
    }
    const overdue = await overdueDids(this.unit, condition, this.overdueAfter)
    this.overdueAfter = overdue.at(-1)
    for (const { account, did } of overdue) await this.beginByItself(account, did, context)
  }

  private async beginByItself(
    account: OverdueDid['account'],
    did: string,
    context: BeginningContext,
  ): Promise<void> {
    try {
      await runInAccountScope(account, () => this.rotate({ did }, context))
    } catch (error) {
      if (!isAgentError(error)) throw error
      log('debug', 'a scheduled key rotation failed', { code: error.code })
    }
  }
}
