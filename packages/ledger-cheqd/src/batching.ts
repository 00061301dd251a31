import type { OutboxMessage } from './outbox-message.js'
import type { Settings } from './options.js'

/** The weight of a transaction beside its messages: body, fee, signer and signature. */
const ENVELOPE_BYTES = 350
/** How much more gas a message gets that ran out of it. */
const MORE_GAS = 2

type Weighed = Pick<OutboxMessage, 'kind' | 'message' | 'alone' | 'gasAttempts'>
type GasSettings = Pick<Settings['gas'], 'base' | 'perMessage' | 'perByte'>

/** The limits of a transaction. */
export interface BatchLimits {
  maxMessages: number
  maxBytes: number
  maxGas: number
}

/**
 * Chooses the messages of the next transaction: from the oldest on, as many as fit. A payment, and a message that
 * must be alone, does not share its transaction; a message that is larger than the limits is sent alone.
 *
 * @param queued - oldest first
 */
export function takeBatch<T extends Weighed>(
  queued: readonly T[],
  limits: BatchLimits,
  gasOfBatch: (batch: readonly T[]) => number,
): T[] {
  const [first] = queued
  if (!first) return []
  if (isSolitary(first)) return [first]
  const batch = [first]
  for (const message of queued.slice(1)) {
    if (isSolitary(message)) continue
    const next = [...batch, message]
    if (
      next.length > limits.maxMessages ||
      batchBytes(next) > limits.maxBytes ||
      gasOfBatch(next) > limits.maxGas
    ) {
      break
    }
    batch.push(message)
  }
  return batch
}

/** The gas of a transaction by its size, for at least one message. */
export function batchGas(
  batch: readonly Pick<Weighed, 'message' | 'gasAttempts'>[],
  gas: GasSettings,
): number {
  const factor = Math.max(1, ...batch.map(({ gasAttempts }) => MORE_GAS ** gasAttempts))
  const further = gas.perMessage * (batch.length - 1)
  return Math.ceil((gas.base + further + gas.perByte * batchBytes(batch)) * factor)
}

export const batchBytes = (batch: readonly Pick<Weighed, 'message'>[]): number =>
  batch.reduce((sum, { message }) => sum + message.length, ENVELOPE_BYTES)

const isSolitary = ({ kind, alone }: Weighed): boolean => kind === 'payment' || alone
