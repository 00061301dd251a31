import {
  currentAccount,
  currentActor,
  isAgentError,
  log,
  overdueWork,
  runInAccountScope,
  timeAfter,
  type ErrorCode,
} from '@vidimus/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import type { HeldWork, WorkEnd } from '@vidimus/work'
import type { UnitOfWork } from '../unit-of-work.js'
import { addToDocument, takeOutOfDocument } from './document-keys.js'
import type { BeginningContext } from './begin-rotation.js'
import { findRotation, saveRotation, type Rotation } from './rotation-rows.js'
import { signNextLists } from './signed-lists.js'

/** After these errors a retry cannot help: the rotation ends where it is. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'ledger_rule',
  'did_deactivated',
  'did_not_found',
  'key_not_found',
  'too_large_for_network',
])

/** Continues rotations, one process at a time for each; every step may be repeated. */
export class RotationSteps {
  constructor(
    private readonly unit: UnitOfWork,
    private readonly ended: (result: 'done' | 'failed') => void,
  ) {}

  /**
   * Continues until the rotation must wait, has ended, or as many lists were checked as the caller has time for. Each step is
   * recorded while the rotation is held.
   *
   * @returns its progress, once it is settled
   * @throws the error of a failed step: the rotation is settled if it cannot go on, and must be tried again otherwise
   */
  advance(held: HeldWork, found: Rotation, context: BeginningContext, most = Infinity): Promise<Rotation> {
    return runInAccountScope(found.account, () => this.steps(held, found, context, most))
  }

  private async steps(
    held: HeldWork,
    begun: Rotation,
    context: BeginningContext,
    most: number,
  ): Promise<Rotation> {
    let rotation = begun
    const last = begun.listsSigned + most
    try {
      for (;;) {
        const next = await this.step(held, rotation, context)
        if (next === 'waits') {
          await this.save(held, rotation, waitingEnd(rotation))
          return rotation
        }
        const isRotated = rotation.state === 'signing' && next.state === 'waiting'
        rotation = { ...next, failure: null }
        const isEnough = rotation.listsSigned > last && rotation.listsAfter !== null
        const end = isOver(rotation) ? {} : isEnough ? { again: { dueAt: new Date() } } : undefined
        await this.save(held, rotation, end, isRotated)
        if (end) return rotation
      }
    } catch (error) {
      await this.fail(held, rotation, error)
      throw error
    }
  }

  private async step(
    held: HeldWork,
    rotation: Rotation,
    context: BeginningContext,
  ): Promise<Rotation | 'waits'> {
    const { account, did, formerKid, state } = rotation
    // A process that was frozen must not bring back what later rotations have removed, nor remove what they have added.
    const work = { database: this.unit.database, demand: held.demandHeld.bind(held) }
    const whileHeld = (change: () => Promise<void>) => runInAccountScope(account, change, { work })
    if (state === 'adding') {
      await whileHeld(() => addToDocument(did, rotation, context))
      return { ...rotation, state: 'signing' }
    }
    if (state === 'signing') return this.sign(rotation, 'waiting', context)
    if (state === 'waiting') return this.wait(rotation, context)
    if (state === 'checking') return this.sign(rotation, 'removing', context)
    if (state === 'removing') {
      await whileHeld(() => takeOutOfDocument(this.unit, { did, kid: formerKid }, context))
      return { ...rotation, state: 'sweeping' }
    }
    return this.sign(rotation, 'done', context)
  }

  /** Checking every list once more finds what was signed while the document changed. */
  private async sign(
    rotation: Rotation,
    then: Rotation['state'],
    context: BeginningContext,
  ): Promise<Rotation> {
    const { did, listsAfter, listsSigned, state } = rotation
    const { signed, next } = await signNextLists(did, listsAfter, context)
    const counted = state === 'signing' ? listsSigned + signed : listsSigned
    if (next !== undefined) return { ...rotation, listsAfter: next, listsSigned: counted }
    const now = new Date().toISOString()
    return {
      ...rotation,
      state: then,
      listsAfter: null,
      listsSigned: counted,
      ...(state === 'signing' && { signsSince: now }),
      ...(then === 'done' && { endedAt: now }),
    }
  }

  private async wait(rotation: Rotation, context: BeginningContext): Promise<Rotation | 'waits'> {
    const { account, did, signsSince } = rotation
    // It may have been set meanwhile.
    const gracePeriod = (await findRotation(this.unit, account.id, did))?.gracePeriod ?? null
    const since = new Date(signsSince ?? rotation.startedAt)
    const end = gracePeriod === null ? await lastExpiry(rotation, context) : timeAfter(since, gracePeriod)
    rotation.gracePeriod = gracePeriod
    rotation.removesAt = end?.toISOString() ?? null
    return end !== undefined && end <= new Date() ? { ...rotation, state: 'checking' } : 'waits'
  }

  /** @param end - absent: it goes on */
  private async save(held: HeldWork, rotation: Rotation, end?: WorkEnd, isRotated = false): Promise<void> {
    const actor = { ...currentActor(), accountId: currentAccount().id }
    const { state, did, kid } = rotation
    await this.unit.transaction(async ({ connection }) => {
      await (end ? held.demandEnd(connection, end) : held.demand(connection))
      await saveRotation(connection, rotation)
      if (!isRotated) return
      await insertAuditEvent(connection, { event: 'did-rotated', subject: did, detail: kid }, actor)
    })
    if (isOver(rotation)) this.ended(state === 'failed' ? 'failed' : 'done')
  }

  private async fail(held: HeldWork, rotation: Rotation, error: unknown): Promise<void> {
    if (overdueWork(error)) return
    const isFinal = isAgentError(error) && FINAL.has(error.code)
    const failure = isAgentError(error) ? error.message : 'an unexpected error; see the log'
    log('warn', 'a key rotation could not continue', { state: rotation.state, isFinal }, error)
    await (isFinal
      ? this.save(held, { ...rotation, failure, state: 'failed', endedAt: new Date().toISOString() }, {})
      : this.save(held, { ...rotation, failure }))
  }
}

/** Until the former key goes; without an item if only its caller can say when that is. */
const waitingEnd = ({ removesAt }: Rotation): WorkEnd =>
  removesAt === null ? {} : { again: { dueAt: new Date(removesAt) } }

const isOver = ({ endedAt }: Rotation): boolean => endedAt !== null

/**
 * When the former key of a rotation is no longer needed, according to the register of credentials: once the last
 * credential that it signed has expired.
 *
 * @returns `undefined`: one never expires, or the register has none, and so cannot tell; then the key stays until the
 *   caller says otherwise
 */
async function lastExpiry(
  { formerKid, removesAt, gracePeriod }: Rotation,
  { agent }: BeginningContext,
): Promise<Date | undefined> {
  // An agent may have no register.
  if (!agent.availableMethods().includes('credentialSignedBy')) return undefined
  const { publicKeyHex } = await agent.keyManagerGet({ kid: formerKid })
  const known = await agent.credentialSignedBy({ signingKey: publicKeyHex })
  if (known.isEndless) return undefined
  if (known.lastExpiry !== undefined) return new Date(known.lastExpiry)
  // The register has deleted meanwhile what it had before.
  return removesAt === null || gracePeriod !== null ? undefined : new Date(removesAt)
}
