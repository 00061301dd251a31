import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Payer } from './payer.js'

/** The content of a transaction, before it is signed. */
export interface TransactionDraft {
  /** `google.protobuf.Any`, encoded */
  messages: readonly Uint8Array[]
  memo: string
  /** in ncheq */
  fee: bigint
  gas: number
  /** the last block that may hold it */
  timeoutHeight: number
  sequence: number
}

export interface ChainAccount {
  chainId: string
  accountNumber: number
}

/**
 * Signs a transaction. Messages of did:cheqd name no signers of transactions, so that the payer must be named.
 *
 * @returns the bytes to broadcast, and their hash in upper-case hex
 */
export async function signTransaction(
  draft: TransactionDraft,
  { chainId, accountNumber }: ChainAccount,
  payer: Payer,
): Promise<{ bytes: Uint8Array; hash: string }> {
  const { bodyBytes, authInfoBytes } = encodeDraft(draft, payer)
  const signature = await payer.sign(
    makeSignBytes(makeSignDoc(bodyBytes, authInfoBytes, chainId, accountNumber)),
  )
  const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures: [signature] }).finish()
  return { bytes, hash: toHex(sha256(bytes)).toUpperCase() }
}

/** The transaction as a node simulates it: complete but for its signature. */
export const unsignedTransaction = (draft: TransactionDraft, payer: Payer): Uint8Array =>
  TxRaw.encode({ ...encodeDraft(draft, payer), signatures: [new Uint8Array()] }).finish()

function encodeDraft(draft: TransactionDraft, { address, publicKey }: Payer) {
  const { messages, memo, fee, gas, timeoutHeight, sequence } = draft
  const body = TxBody.fromPartial({
    messages: messages.map((message) => Any.decode(message)),
    memo,
    timeoutHeight: BigInt(timeoutHeight),
  })
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))
  const amount = fee > 0n ? [{ denom: 'ncheq', amount: String(fee) }] : []
  return {
    bodyBytes: TxBody.encode(body).finish(),
    authInfoBytes: makeAuthInfoBytes([{ pubkey, sequence }], amount, gas, undefined, address),
  }
}
