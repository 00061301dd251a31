import { randomUUID } from 'node:crypto'
import type { IAgentContext, IKey } from '@veramo/core-types'
import {
  AgentError,
  changedOnce,
  currentAccount,
  currentActor,
  findDidRow,
  findKeyRow,
  problemsError,
  whyFixed,
  asKid,
  type DIDRotateKeyArgs,
  type ICredentialRegister,
  type IDIDProviders,
  type ILinkedResource,
  type IStatusList,
  type Problem,
  type RecordResult,
} from '@vidimus/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import { workOn, type HeldWork } from '@vidimus/work'
import { demandIssuerOfKeys } from '../key-certificates.js'
import type { UnitOfWork } from '../unit-of-work.js'
import type { DocumentContext } from './document-keys.js'
import {
  findRotation,
  insertRotation,
  ROTATION,
  rotationItem,
  setGracePeriod,
  type Rotation,
} from './rotation-rows.js'

export type BeginningContext = DocumentContext &
  IAgentContext<IDIDProviders & ILinkedResource & IStatusList & ICredentialRegister>

/**
 * The rotation that a caller asks for: the one that runs, or a new one, with its key in one transaction.
 *
 * @returns of a repeated request: the newest one, whoever began it
 * @throws AgentError as {@link IDIDRotation.didRotateKey} does
 */
export async function beginRotation(
  unit: UnitOfWork,
  args: DIDRotateKeyArgs,
  context: BeginningContext,
): Promise<{ rotation: Rotation; held: HeldWork | undefined }> {
  await demandRotatable(args.did, context)
  const { id } = currentAccount()
  const { callers } = workOn(unit.database)
  let held: HeldWork | undefined
  const begun = async (record: RecordResult<void>) => {
    held = await runningOrNew(unit, args, context, record)
  }
  await changedOnce(unit.database, ['didRotateKey', args], begun)
  const rotation = await findRotation(unit, id, args.did)
  if (rotation) return { rotation, held: held ?? (await callers.claim(ROTATION, rotationItem(id, args.did))) }
  throw new AgentError('unavailable', 'the rotation was interrupted while it started; try again')
}

async function runningOrNew(
  unit: UnitOfWork,
  args: DIDRotateKeyArgs,
  context: BeginningContext,
  record: RecordResult<void>,
): Promise<HeldWork | undefined> {
  const account = currentAccount()
  const running = await runningRotation(unit, args, record)
  if (running) return undefined
  if (args.key !== undefined) await demandIssuerOfKeys(unit.database, [args.key])
  const { key: former } = await context.agent.didHeldKey({ did: args.did, act: 'assertionMethod' })
  const given = await givenKey(args, former.kid, context)
  const actor = currentActor()
  const { callers } = workOn(unit.database)
  const held = await callers.begin(ROTATION, rotationItem(account.id, args.did))
  const begin = async () => {
    const key = given ?? (await newKey(args, former, context))
    const kms = 'kms' in key ? key.kms : former.kms
    const row = {
      did: args.did,
      id: randomUUID(),
      kid: asKid(key.kid),
      kms,
      formerKid: asKid(former.kid),
      gracePeriod: args.gracePeriod ?? null,
      startedAt: new Date().toISOString(),
    }
    await unit.stage(
      async ({ connection }) => {
        if (!(await insertRotation(connection, account.id, row))) throw begunMeanwhile()
        callers.add(connection, held)
        await record(connection)
        const detail = JSON.stringify({ key: row.kid, kms: row.kms })
        await insertAuditEvent(connection, { event: 'did-rotation-begun', subject: args.did, detail }, actor)
      },
      () => undefined,
    )
  }
  try {
    await unit.run(begin)
    return held
  } catch (error) {
    if (error instanceof BegunMeanwhile) return undefined
    // It may have begun all the same.
    await callers.release(held)
    throw error
  }
}

/** Another call was faster; its rotation is the result. */
class BegunMeanwhile extends Error {}
const begunMeanwhile = () => new BegunMeanwhile('another rotation was started in the meantime')

/** @throws AgentError `did_not_found`; `invalid_input` for a DID whose document cannot be changed */
async function demandRotatable(did: string, context: BeginningContext): Promise<void> {
  const identifier = await findDidRow(context, did)
  if (!identifier) {
    const message = 'the account holds no such DID'
    throw problemsError('did_not_found', [{ path: 'did', message }])
  }
  const { provider } = identifier
  const listed = await context.agent.didManagerListProviders()
  const canUpdate = listed.some(({ name, canUpdate }) => name === provider && canUpdate)
  const why = whyFixed(provider) ?? (canUpdate ? undefined : 'cannot be changed')
  if (why === undefined) return
  const message = `has no key to rotate: a DID of ${provider} ${why}`
  throw problemsError('invalid_input', [{ path: 'did', message }])
}

async function runningRotation(
  unit: UnitOfWork,
  { did, key, kms, gracePeriod }: DIDRotateKeyArgs,
  record: RecordResult<void>,
): Promise<Rotation | undefined> {
  const account = currentAccount().id
  const running = await findRotation(unit, account, did)
  if (running?.endedAt !== null) return undefined
  const problems: Problem[] = []
  const other = (path: string, to: string) =>
    problems.push({ path, message: `must be omitted or ${to}: a rotation of the DID is in progress` })
  if (key !== undefined && key !== running.kid) other('key', running.kid)
  if (kms !== undefined && kms !== running.kms) other('kms', running.kms)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  await demandIssuerOfKeys(unit.database, [running.kid])
  await unit.transaction(async ({ connection }) => {
    if (gracePeriod !== undefined && (await setGracePeriod(connection, running, gracePeriod))) {
      const now = new Date()
      workOn(unit.database).resume(connection, ROTATION, { ...rotationItem(account, did), dueAt: now }, now)
    }
    await record(connection)
  })
  return running
}

/** The key of the account that the caller names. @throws AgentError `key_not_found`, `invalid_input` */
async function givenKey(
  { key: kid, kms }: DIDRotateKeyArgs,
  formerKid: string,
  context: BeginningContext,
): Promise<IKey | undefined> {
  if (kid === undefined) return undefined
  const key = await findKeyRow(context, kid)
  if (!key) throw problemsError('key_not_found', [{ path: 'key', message: 'the account holds no such key' }])
  const problems: Problem[] = []
  if (kid === formerKid) problems.push({ path: 'key', message: 'must differ from the current signing key' })
  if (kms !== undefined && kms !== key.kms)
    problems.push({ path: 'kms', message: `must be ${key.kms}, where the key is` })
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  return key
}

function newKey(
  { kms }: DIDRotateKeyArgs,
  former: Pick<IKey, 'kms' | 'type'>,
  { agent }: BeginningContext,
): Promise<Pick<IKey, 'kid' | 'kms'>> {
  return agent.keyManagerCreate({ kms: kms ?? currentAccount().kms ?? former.kms, type: former.type })
}
