import { Fee } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { LedgerMessage } from '@vidimus/ledger'
import {
  createDid,
  deactivateDid,
  didDoc,
  newDid,
  updateDid,
} from '../../packages/ledger/src/__tests__/signing.js'
import { balanceOf, credit } from '../support/cheqd-node/accounts.js'
import type { ChainSettings } from '../support/cheqd-node/chain-settings.js'
import { NCHEQ_FEES } from '../support/cheqd-node/fee-params.js'
import { FEE_OFFSET, payForGas, takeFees } from '../support/cheqd-node/fees.js'
import { GAS_SCHEDULE, GasMeter } from '../support/cheqd-node/gas-meter.js'
import { Refusal } from '../support/cheqd-node/refusal.js'
import { StateHistory, StateOverlay } from '../support/cheqd-node/state.js'
import { checkOffer } from '../support/cheqd-node/transaction-checks.js'
import { settle } from '../support/cheqd-node/transaction-execution.js'
import type { Message, Transaction } from '../support/cheqd-node/transaction.js'
import { coinOf, coinsOf, decimal } from './coins.js'
import type { GoldenCase } from './read-cases.js'
import { agreement, type Verdict } from './verdict.js'

const PAYER = 'cheqd1wpshjetjyphkvgr5dpjjqan9vd6x7unngskk40'
const fixed = (denom: string, amount: bigint) => ({
  denom,
  minAmount: String(amount),
  maxAmount: String(amount),
})

/** As the note of the file has them. */
const FEES = {
  ...NCHEQ_FEES,
  did: {
    ...NCHEQ_FEES.did,
    createDid: [fixed('ncheq', 50_000_000_000n)],
    updateDid: [fixed('usd', 250_000_000_000_000_000n)],
  },
}

/** The fee of a transaction of identity messages, or why it fails. */
export function judgePayment(one: GoldenCase): Verdict {
  const state = new StateOverlay(new StateHistory().at(0))
  const balance = coinsOf(one.in.balance).find(({ denom }) => denom === 'ncheq')
  if (balance) credit(state, PAYER, BigInt(balance.amount))
  const transaction = transactionOf(one)
  const settings = settingsOf(one)
  const own = outcomeOf(() => takeFees(settings, new StateOverlay(state), transaction, meter()))
  const whole = outcomeOf(() => {
    const outcome = settle(settings, state, transaction, { meter: meter(), ...refusedMessage(one) })
    if (outcome instanceof Refusal) throw outcome
  })
  const left = balanceOf(state, PAYER)
  const after = left === 0n ? '' : `${left}ncheq`
  const { balanceAfter, postHandler } = one.out
  return agreement([
    ...compare(one.out, whole),
    ...(balanceAfter === undefined || balanceAfter === after
      ? []
      : [`double: ${after} is left, and not ${JSON.stringify(balanceAfter)}`]),
    ...(postHandler === undefined ? [] : compare(postHandler as Outcome, own)),
  ])
}

/** Gas of transactions without any identity message. */
export function judgeGasPayment({ in: input, out }: GoldenCase): Verdict {
  const limit = BigInt(String(input.gasLimit))
  const used = input.before === true ? limit : BigInt(String(input.gasUsed))
  const price = decimal(String(input.gasPrice)) * FEE_OFFSET
  let paid: ReturnType<typeof payForGas> | undefined
  const outcome = outcomeOf(() => {
    paid = payForGas(coinsOf(input.offered), { limit, used }, price)
  })
  if (out.pay === undefined) return agreement(compare(out, outcome))
  const tip = paid?.tip === undefined ? '<nil>' : `${paid.tip}ncheq`
  const pay = paid === undefined ? '' : `${paid.pay}ncheq`
  const isSame = pay === out.pay && tip === out.tip
  return agreement(isSame ? [] : [`double: pays ${pay} and ${tip}, and not ${JSON.stringify(out)}`])
}

/** A node's own minimum. */
export function judgeDoor({ in: input, out }: GoldenCase): Verdict {
  const fee = Fee.fromPartial({ amount: coinsOf(input.offered), gasLimit: BigInt(String(input.gasLimit)) })
  const minimumGasPrice = Number(coinOf(input.minimumGasPrices).amount)
  return agreement(
    compare(
      out,
      outcomeOf(() => checkOffer({ minimumGasPrice }, { fee })),
    ),
  )
}

const meter = () => new GasMeter(Number.MAX_SAFE_INTEGER, GAS_SCHEDULE)

const settingsOf = ({ in: input }: GoldenCase): ChainSettings => ({
  network: 'testnet',
  chainId: 'golden',
  market: { fees: FEES, price: decimal(String(input.price)) },
  gasPrice: 0,
  minimumGasPrice: 0,
  gas: GAS_SCHEDULE,
  block: { maxBytes: 0, maxGas: 0 },
  hasOracle: true,
})

function transactionOf({ in: input }: GoldenCase): Transaction {
  const fee = Fee.fromPartial({ amount: coinsOf(input.offered), payer: PAYER, gasLimit: 1n })
  const messages = (input.messages as string[]).map(messageOf)
  const empty = new Uint8Array()
  return {
    bytes: empty,
    hash: '',
    fee,
    messages,
    raw: { bodyBytes: empty, authInfoBytes: empty, signatures: [] },
  } as never
}

function messageOf(typeUrl: string): Message {
  const id = newDid()
  const doc = didDoc(id, [])
  const unsigned = {
    MsgCreateDidDoc: createDid(doc),
    MsgUpdateDidDoc: updateDid(doc),
    MsgDeactivateDidDoc: deactivateDid(id),
  }
  const payload = Object.entries(unsigned).find(([name]) => typeUrl.endsWith(`.${name}`))?.[1]
  const message = { ...payload, signatures: [] } as unknown as LedgerMessage
  return payload
    ? { kind: 'identity', typeUrl, identity: '', message }
    : ({ kind: 'payment', typeUrl, identity: '', message: {} } as never)
}

function refusedMessage({ in: input, out }: GoldenCase): { refused?: Refusal } {
  if (typeof input.messageRefused !== 'string') return {}
  // Of the refusal the file has the text alone; where nothing else is wrong its code is that of the answer.
  const isAlone = out.log === input.messageRefused
  return {
    refused: new Refusal(
      isAlone ? String(out.codespace) : 'cheqd',
      isAlone ? Number(out.code) : 1200,
      input.messageRefused,
    ),
  }
}

interface Outcome {
  codespace?: unknown
  code?: unknown
}

function outcomeOf(act: () => unknown): Outcome {
  try {
    act()
    return { codespace: '', code: 0 }
  } catch (error) {
    if (error instanceof Refusal) return { codespace: error.codespace, code: error.code }
    throw error
  }
}

/** Where the code of the node broke down any refusal will do. */
function compare(wanted: Outcome & { panic?: unknown }, found: Outcome): string[] {
  if (wanted.panic !== undefined)
    return found.code === 0 ? ['double: takes what the code of the node breaks down of'] : []
  if (wanted.code === found.code && wanted.codespace === found.codespace) return []
  const told = ({ codespace, code }: Outcome) => `${String(codespace)}/${String(code)}`
  return [`double: ${told(found)}, and not ${told(wanted)}`]
}
