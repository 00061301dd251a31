import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { ChainSettings, TransactionResult } from './chain-settings.js'
import type { ChainEvent } from './events.js'
import { takeFees } from './fees.js'
import { GasMeter } from './gas-meter.js'
import { executeMessage } from './message-execution.js'
import type { Misbehaviour } from './misbehaviour.js'
import { joined, Refusal } from './refusal.js'
import { StateOverlay, type StateReader } from './state.js'
import { checkTransaction, type CheckContext } from './transaction-checks.js'
import type { Transaction } from './transaction.js'

interface Place {
  height: number
  time: Date
}

interface Executed {
  responses: { typeUrl: string; value: Uint8Array }[]
  events: ChainEvent[]
}

/**
 * As a transaction is looked at before it waits for a block: messages are not executed, what it pays is looked for and not
 * taken. Where that is refused the sequence of the payer stays raised in the state, until the next block.
 *
 * @param verifySignatures - a transaction that is looked at again is not verified again
 * @throws Refusal
 */
export function checkInMempool(
  settings: ChainSettings,
  state: StateOverlay,
  transaction: Transaction,
  { height, isNew }: { height: number; isNew: boolean },
): void {
  const meter = new GasMeter(Number(transaction.fee.gasLimit), settings.gas)
  const checked = new StateOverlay(state)
  const context = contextOf(settings, height, isNew)
  checkTransaction(
    { ...context, minimumGasPrice: isNew ? settings.minimumGasPrice : 0 },
    checked,
    transaction,
    meter,
  )
  checked.applyTo(state)
  const refused = settle(settings, new StateOverlay(state), transaction, { meter })
  if (refused instanceof Refusal) throw refused
}

/** Executes a transaction in a block: what happens before its messages stays, whatever becomes of them. */
export async function deliver(
  settings: ChainSettings,
  state: StateOverlay,
  transaction: Transaction,
  { height, time, faults }: Place & { faults: Misbehaviour },
): Promise<TransactionResult> {
  const meter = new GasMeter(Number(transaction.fee.gasLimit), settings.gas)
  let events: ChainEvent[] = []
  try {
    const checked = new StateOverlay(state)
    events = checkTransaction(contextOf(settings, height, true), checked, transaction, meter)
    checked.applyTo(state)
    strike(faults, transaction, meter)
    const executed = new StateOverlay(state)
    const outcome = await executeWithFees(settings, executed, transaction, { time, meter })
    executed.applyTo(state)
    return success(outcome, events, meter)
  } catch (error) {
    if (error instanceof Refusal) return failure(error, events, meter)
    throw error
  }
}

/** Executes a transaction without keeping anything of it: no signature is looked at, and no fee taken after it. */
export async function simulate(
  settings: ChainSettings,
  checked: StateReader,
  transaction: Transaction,
  { height, time }: Place,
): Promise<TransactionResult> {
  const meter = new GasMeter(Number.MAX_SAFE_INTEGER, settings.gas)
  const state = new StateOverlay(checked)
  const events = checkTransaction(
    { ...contextOf(settings, height, false), isSimulation: true },
    state,
    transaction,
    meter,
  )
  return success(await execute(settings, state, transaction, { time, meter }), events, meter)
}

const contextOf = (
  { network, chainId, block }: ChainSettings,
  height: number,
  verifySignatures: boolean,
): CheckContext => ({
  network,
  chainId,
  height,
  maxGas: block.maxGas,
  verifySignatures,
  minimumGasPrice: 0,
  isSimulation: false,
})

async function executeWithFees(
  settings: ChainSettings,
  state: StateOverlay,
  transaction: Transaction,
  { time, meter }: { time: Date; meter: GasMeter },
): Promise<Executed> {
  const outcome = await execute(settings, state, transaction, { time, meter }).catch((error: unknown) => {
    if (error instanceof Refusal && !isOutOfGas(error)) return error
    throw error
  })
  const refused = outcome instanceof Refusal ? outcome : undefined
  const settled = settle(settings, state, transaction, { meter, ...(refused && { refused }) })
  if (outcome instanceof Refusal || settled instanceof Refusal) {
    throw settled instanceof Refusal ? settled : new TypeError('a refused message whose transaction is not')
  }
  return { ...outcome, events: [...outcome.events, ...settled] }
}

/**
 * What is paid is taken also where a message was refused, which is how two refusals come together.
 *
 * @returns the refusal of the transaction, or the events of what was taken
 * @throws Refusal that ends everything: out of gas, or a breakdown
 */
export function settle(
  settings: ChainSettings,
  state: StateOverlay,
  transaction: Transaction,
  { meter, refused }: { meter: GasMeter; refused?: Refusal },
): Refusal | ChainEvent[] {
  try {
    const events = takeFees(settings, state, transaction, meter)
    return refused ?? events
  } catch (error) {
    if (!(error instanceof Refusal) || isOutOfGas(error) || error.code === 111_222) throw error
    return refused ? joined(refused, error) : joined(error)
  }
}

const isOutOfGas = ({ codespace, code }: Refusal) => codespace === 'sdk' && code === 11

async function execute(
  { network }: ChainSettings,
  state: StateOverlay,
  { messages }: Transaction,
  { time, meter }: { time: Date; meter: GasMeter },
): Promise<Executed> {
  const responses: Executed['responses'] = []
  const events: ChainEvent[] = []
  for (const [index, message] of messages.entries()) {
    try {
      const outcome = await executeMessage({ network, time }, state, message, { gas: meter, index })
      responses.push(outcome.response)
      events.push(...outcome.events)
    } catch (error) {
      if (!(error instanceof Refusal) || isOutOfGas(error)) throw error
      const log = `failed to execute message; message index: ${index}: ${error.message}`
      throw new Refusal(error.codespace, error.code, log)
    }
  }
  return { responses, events }
}

function strike(faults: Misbehaviour, transaction: Transaction, meter: GasMeter): void {
  const refused = faults.strikeTransaction('deliver', transaction)
  if (refused) throw new Refusal(refused.codespace, refused.code, refused.log)
  if (!faults.strike('runOutOfGas', { method: 'deliver', transaction })) return
  meter.consume(meter.limit + 1, 'WritePerByte')
}

const success = (
  { responses, events }: Executed,
  before: readonly ChainEvent[],
  meter: GasMeter,
): TransactionResult => ({
  code: 0,
  codespace: '',
  log: '',
  data: TxMsgData.encode(TxMsgData.fromPartial({ msgResponses: responses })).finish(),
  events: [...before, ...events],
  gasWanted: meter.limit,
  gasUsed: meter.used,
})

const failure = (
  { codespace, code, message }: Refusal,
  events: readonly ChainEvent[],
  meter: GasMeter,
): TransactionResult => ({
  code,
  codespace,
  log: message,
  data: new Uint8Array(),
  events,
  gasWanted: meter.limit,
  gasUsed: meter.used,
})
