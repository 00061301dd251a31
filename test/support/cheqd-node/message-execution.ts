import { MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import type { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { isAccountAddress } from '@vidimus/core-types'
import type { LedgerMessage, Network } from '@vidimus/ledger'
import { credit, debit } from './accounts.js'
import { chainEvent, transferEvents, type ChainEvent } from './events.js'
import type { GasMeter } from './gas-meter.js'
import { takeIdentityGas } from './identity-gas.js'
import { IDENTITY_CODECS, signedBytes } from './identity-messages.js'
import { handle } from './identity/handlers.js'
import { sdkRefusal } from './refusal.js'
import { StateOverlay } from './state.js'
import type { Message } from './transaction.js'

export interface ExecutionContext {
  network: Network
  /** of the block */
  time: Date
}

export interface MessageOutcome {
  response: { typeUrl: string; value: Uint8Array }
  events: ChainEvent[]
}

/**
 * Executes one message of a transaction.
 *
 * @throws Refusal with the code of the module, or `sdk` 5, 7, 10, 11
 */
export async function executeMessage(
  context: ExecutionContext,
  state: StateOverlay,
  message: Message,
  { gas, index }: { gas: GasMeter; index: number },
): Promise<MessageOutcome> {
  if (message.kind === 'payment') {
    gas.consume(gas.schedule.perPayment, 'WriteFlat')
    return transfer(state, message.message, index)
  }
  const after = new StateOverlay(state)
  const response = executeIdentityMessage(context, after, message.typeUrl, message.message)
  takeIdentityGas(gas, { network: context.network, before: state, after }, message.message)
  after.applyTo(state)
  const module = message.typeUrl.startsWith('/cheqd.did') ? 'did' : 'resource'
  const place = { action: message.typeUrl, module, msg_index: String(index) }
  return { response, events: [chainEvent('message', place)] }
}

function transfer(
  state: StateOverlay,
  { fromAddress, toAddress, amount }: MsgSend,
  index: number,
): MessageOutcome {
  if (!isAccountAddress(toAddress)) throw sdkRefusal(7, `decoding bech32 failed: ${toAddress}`)
  const [coin, ...others] = amount
  if (coin?.denom !== 'ncheq' || others.length > 0 || !/^[1-9]\d*$/.test(coin.amount)) {
    throw sdkRefusal(10, amount.map((one) => `${one.amount}${one.denom}`).join(','))
  }
  debit(state, fromAddress, BigInt(coin.amount))
  credit(state, toAddress, BigInt(coin.amount))
  const transferred = { sender: fromAddress, recipient: toAddress, amount: `${coin.amount}ncheq` }
  const action = { action: '/cosmos.bank.v1beta1.MsgSend', sender: fromAddress, module: 'bank' }
  return {
    response: {
      typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse',
      value: MsgSendResponse.encode(MsgSendResponse.fromPartial({})).finish(),
    },
    events: [
      chainEvent('message', { ...action, msg_index: String(index) }),
      ...transferEvents(transferred, index),
    ],
  }
}

function executeIdentityMessage(
  { network, time }: ExecutionContext,
  state: StateOverlay,
  typeUrl: string,
  sent: LedgerMessage,
) {
  const codec = IDENTITY_CODECS[typeUrl]
  if (!codec) throw sdkRefusal(2, `unable to resolve type URL ${typeUrl}`)
  const outcome = handle({ namespace: network, time, state, bytes: signedBytes(sent) }, sent)
  return { typeUrl: codec.responseTypeUrl, value: codec.encodeResponse(outcome) }
}
