import {
  currentAccount,
  currentActor,
  isAgentError,
  log,
  runInAccountScope,
  timeAfter,
  type ErrorCode,
} from '@vidimus/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import type { UnitOfWork } from '../unit-of-work.js'
import { addToDocument, takeOutOfDocument } from './document-keys.js'
import type { BeginningContext } from './begin-rotation.js'
import { claimRotation, findRotation, saveRotation, type Rotation } from './rotation-rows.js'
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

/** How long after a failure it is tried again. */
const RETRY_MS = 30_000

/** Continues rotations, one process at a time for each; every step may be repeated. */
export class RotationSteps {
  /** those that this process is at, by their ids */
  private readonly underWay = new Set<string>()

  constructor(
    private readonly unit: UnitOfWork,
    private readonly ended: (result: 'done' | 'failed') => void,
  ) {}

  /**
   * Continues until the rotation must wait, has ended, or as many lists were checked as the caller has time for.
   *
   * @returns its progress; unchanged if another process works on it
   * @throws the error of a failed step
   */
  async advance(found: Rotation, context: BeginningContext, most = Infinity): Promise<Rotation> {
    if (this.underWay.has(found.id)) return found
    this.underWay.add(found.id)
    try {
      const holder = await this.claim(found)
      if (holder === undefined) return found
      return await runInAccountScope(found.account, () => this.steps({ ...found, holder }, context, most))
    } finally {
      this.underWay.delete(found.id)
    }
  }

  /** @returns the presence of this process; `undefined` if another works on it */
  private async claim(found: Rotation): Promise<string | undefined> {
    const own = await this.unit.database.presence()
    const { holder } = found
    if (holder === own) return own
    if (holder !== null && (await this.unit.database.isPresent(holder))) return undefined
    const claimed = await this.unit.transaction(({ connection }) => claimRotation(connection, found, own))
    return claimed ? own : undefined
  }

  private async steps(begun: Rotation, context: BeginningContext, most: number): Promise<Rotation> {
    let rotation = begun
    const last = begun.listsSigned + most
    try {
      while (!isOver(rotation)) {
        const next = await this.step(rotation, context)
        if (next === 'waits') return await this.leave(rotation)
        rotation = { ...next, failure: null }
        if (rotation.listsSigned > last && rotation.listsAfter !== null)
          return await this.leave(rotation, new Date())
        await this.save(rotation, new Date())
      }
      return rotation
    } catch (error) {
      return this.fail(rotation, error)
    }
  }

  private async step(rotation: Rotation, context: BeginningContext): Promise<Rotation | 'waits'> {
    const { did, formerKid, state } = rotation
    if (state === 'adding') {
      await addToDocument(did, rotation, context)
      return { ...rotation, state: 'signing' }
    }
    if (state === 'signing') return this.sign(rotation, 'waiting', context)
    if (state === 'waiting') return this.wait(rotation, context)
    if (state === 'checking') return this.sign(rotation, 'removing', context)
    if (state === 'removing') {
      await takeOutOfDocument(did, formerKid, context)
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
      ...(then === 'done' && { endedAt: now, holder: null }),
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

  /** Lets go of it until its time has come. */
  private async leave(rotation: Rotation, at?: Date): Promise<Rotation> {
    const left = { ...rotation, holder: null }
    const isUnknown = rotation.removesAt === null && rotation.gracePeriod === null
    const next = at ?? (rotation.removesAt === null ? null : new Date(rotation.removesAt))
    await this.unit.transaction(({ connection }) =>
      saveRotation(connection, left, isUnknown && !at ? null : next),
    )
    return this.unlessSaid(left)
  }

  /** A grace period set while the rotation was released must not be ignored. */
  private async unlessSaid(left: Rotation): Promise<Rotation> {
    const now = await findRotation(this.unit, left.account.id, left.did)
    if (now?.id !== left.id || now.gracePeriod === left.gracePeriod) return left
    await this.unit.transaction(({ connection }) =>
      saveRotation(connection, { ...now, holder: null }, new Date()),
    )
    return now
  }

  private async save(rotation: Rotation, nextLookAt: Date): Promise<void> {
    const actor = { ...currentActor(), accountId: currentAccount().id }
    const { state, did, kid } = rotation
    const isOverNow = isOver(rotation)
    await this.unit.transaction(async ({ connection }) => {
      await saveRotation(connection, rotation, isOverNow ? null : nextLookAt)
      if (state !== 'waiting') return
      await insertAuditEvent(connection, { event: 'did-rotated', subject: did, detail: kid }, actor)
    })
    if (isOverNow) this.ended(state === 'failed' ? 'failed' : 'done')
  }

  private async fail(rotation: Rotation, error: unknown): Promise<Rotation> {
    const isFinal = isAgentError(error) && FINAL.has(error.code)
    const failure = isAgentError(error) ? error.message : 'an unexpected error; see the log'
    log('warn', 'a key rotation could not continue', { state: rotation.state, isFinal }, error)
    const stopped: Rotation = {
      ...rotation,
      failure,
      holder: null,
      ...(isFinal && { state: 'failed', endedAt: new Date().toISOString() }),
    }
    await this.save(stopped, new Date(Date.now() + RETRY_MS))
    throw error
  }
}

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
