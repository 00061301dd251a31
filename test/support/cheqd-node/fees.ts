import { credit, debit, moduleAddress } from './accounts.js'
import type { ChainSettings } from './chain-settings.js'
import { chainEvent, transferEvents, type ChainEvent } from './events.js'
import type { GasMeter } from './gas-meter.js'
import { panic, Refusal, sdkRefusal } from './refusal.js'
import type { StateOverlay } from './state.js'
import { FeeTooLow, taxOf } from './taxes.js'
import { isIdentityTransaction, type Transaction } from './transaction.js'

/** A price of gas on the chain is one of so many ncheq. */
export const FEE_OFFSET = 10_000n
const DECIMALS = 18

/** in ncheq, with 18 decimals; cosmos-sdk rounds up what it asks */
export function gasCost(price18: bigint, gas: bigint): bigint {
  const unit = 10n ** BigInt(DECIMALS)
  return (price18 * gas + unit - 1n) / unit
}

/** What a unit of gas costs by the fee market, in ncheq with 18 decimals. */
export const marketPrice = ({ gasPrice }: Pick<ChainSettings, 'gasPrice'>): bigint =>
  BigInt(Math.round(gasPrice * 1e9)) * 10n ** 9n * FEE_OFFSET

/** What a fee has of the chain's own coin. */
export const ncheqOf = (coins: readonly { denom: string; amount: string }[]): bigint =>
  coins.filter(({ denom }) => denom === 'ncheq').reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/**
 * What happens after the messages of a transaction (the post handler): identity messages are taxed, the gas of others is held
 * against the fee market.
 *
 * @throws Refusal with the code that it has by itself
 */
export function takeFees(
  settings: ChainSettings,
  state: StateOverlay,
  transaction: Transaction,
  gas: GasMeter,
): ChainEvent[] {
  gas.consume(gas.schedule.perFee, 'WritePerByte')
  if (isIdentityTransaction(transaction)) return takeTaxes(settings, state, transaction)
  const { fee } = transaction
  const { pay, tip } = payForGas(
    fee.amount,
    { limit: fee.gasLimit, used: BigInt(gas.used) },
    marketPrice(settings),
  )
  return [chainEvent('fee_pay', { fee: `${pay}ncheq`, tip: `${tip ?? 0n}ncheq`, fee_payer: fee.payer })]
}

/**
 * What the fee market has of an offer for gas that was used, and what is left of it for who makes the block. The offer must
 * do for all the gas that was wanted.
 *
 * @param price - in ncheq with 18 decimals
 * @throws Refusal
 */
export function payForGas(
  coins: readonly { denom: string; amount: string }[],
  gas: { limit: bigint; used: bigint },
  price: bigint,
): { pay: bigint; tip: bigint | undefined } {
  if (coins.some(({ denom }) => denom !== 'ncheq')) throw panic()
  const [offered, required] = [ncheqOf(coins), gasCost(price, gas.limit)]
  if (offered < required) {
    const asked = `${price / 10n ** 18n}.${String(price % 10n ** 18n).padStart(DECIMALS, '0')}ncheq`
    throw sdkRefusal(
      13,
      `got: ${offered}ncheq required: ${required}ncheq, minGasPrice: ${asked}, gas: ${gas.used}`,
    )
  }
  const pay = price === 0n ? offered : gasCost(price, gas.used)
  return { pay, tip: price === 0n ? undefined : offered - pay }
}

/** Half of it is burned. */
function takeTaxes(
  settings: ChainSettings,
  state: StateOverlay,
  { fee, messages }: Transaction,
): ChainEvent[] {
  if (fee.amount.length === 0) throw panic()
  const offered = ncheqOf(fee.amount)
  const other = fee.amount.find(({ denom }) => denom !== 'ncheq')
  if (other && offered > 0n)
    throw new Refusal('undefined', 1, `host chain config not found for denom: ${other.denom}`)
  if (other) throw new Refusal('undefined', 1, `unsupported cross-denom fixed fee: user paid ${other.denom}`)
  let tax = 0n
  for (const one of messages) {
    if (one.kind === 'identity') tax += taxed(() => taxOf(one.message, offered, settings.market))
  }
  deduct(state, fee.payer, tax)
  const module = moduleAddress('did')
  credit(state, moduleAddress('fee_collector'), tax - tax / 2n)
  const amount = `${tax}ncheq`
  return [
    ...transferEvents({ sender: fee.payer, recipient: module, amount }),
    chainEvent('tx', { fee: amount, fee_payer: fee.payer }),
  ]
}

function taxed(tax: () => bigint): bigint {
  try {
    return tax()
  } catch (error) {
    if (error instanceof FeeTooLow) throw new Refusal('undefined', 1, error.message)
    throw error
  }
}

function deduct(state: StateOverlay, payer: string, ncheq: bigint): void {
  if (!state.get('account', payer)) throw sdkRefusal(9, `fee payer address: ${payer} does not exist`)
  try {
    debit(state, payer, ncheq)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw sdkRefusal(5, `failed to deduct fees from ${payer}: ${error.message}`)
  }
}
