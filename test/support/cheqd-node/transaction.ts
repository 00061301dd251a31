import { createHash } from 'node:crypto'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, Fee, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { LedgerMessage } from '@vidimus/ledger'
import { IDENTITY_CODECS, identityOf } from './identity-messages.js'
import { Refusal, sdkRefusal } from './refusal.js'

const MSG_SEND = '/cosmos.bank.v1beta1.MsgSend'

export type Message =
  | { kind: 'identity'; typeUrl: string; identity: string; message: LedgerMessage }
  | { kind: 'payment'; typeUrl: string; identity: string; message: MsgSend }

/** A transaction that could be decoded. */
export interface Transaction {
  bytes: Uint8Array
  /** upper-case hex */
  hash: string
  raw: TxRaw
  body: TxBody
  authInfo: AuthInfo
  fee: Fee
  messages: readonly Message[]
}

/** upper-case hex SHA-256 of the bytes */
export const hashOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** @throws Refusal `sdk` 2 for what is no transaction of this chain, 10 for a fee that is none, 18 where there is no message */
export function decodeTransaction(bytes: Uint8Array): Transaction {
  const { raw, body, authInfo } = decoded(() => decodeParts(bytes))
  const fee = authInfo.fee ?? Fee.fromPartial({})
  const messages = body.messages.map(({ typeUrl, value }) =>
    decoded(() => decodeMessage(typeUrl, value, body.memo)),
  )
  for (const { denom, amount } of fee.amount) {
    if (!/^\d+$/.test(amount)) throw sdkRefusal(10, `${amount}${denom}`)
  }
  if (messages.length === 0) throw sdkRefusal(18, 'must contain at least one message')
  return { bytes, hash: hashOf(bytes), raw, body, authInfo, fee, messages }
}

function decodeParts(bytes: Uint8Array) {
  const raw = TxRaw.decode(bytes)
  // ADR-027 of the Cosmos SDK: one transaction has one encoding. The decoder here would let wrong wire types pass.
  if (!Buffer.from(TxRaw.encode(raw).finish()).equals(bytes)) throw sdkRefusal(2, 'not encoded canonically')
  return { raw, body: TxBody.decode(raw.bodyBytes), authInfo: AuthInfo.decode(raw.authInfoBytes) }
}

/** What decoders complain about is a refusal of the transaction. */
export function decoded<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw sdkRefusal(2, error instanceof Error ? error.message : 'not a transaction')
  }
}

function decodeMessage(typeUrl: string, value: Uint8Array, memo: string): Message {
  if (typeUrl === MSG_SEND) {
    const message = MsgSend.decode(value)
    const amount = message.amount.map((coin) => `${coin.amount}${coin.denom}`).join(',')
    const identity = `payment ${message.fromAddress} ${message.toAddress} ${amount} ${memo}`
    return { kind: 'payment', typeUrl, identity, message }
  }
  const codec = IDENTITY_CODECS[typeUrl]
  if (!codec) throw sdkRefusal(2, `unable to resolve type URL ${typeUrl}`)
  const message = codec.decode(value)
  return { kind: 'identity', typeUrl, identity: identityOf(message), message }
}

export const isIdentityTransaction = ({ messages }: Transaction): boolean =>
  messages.some(({ kind }) => kind === 'identity')
