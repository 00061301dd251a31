import { randomBytes } from 'node:crypto'
import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import {
  DirectSecp256k1HdWallet,
  DirectSecp256k1Wallet,
  Registry,
  type EncodeObject,
  type GeneratedType,
  type OfflineDirectSigner,
} from '@cosmjs/proto-signing'
import { defaultRegistryTypes, SigningStargateClient, type StdFee } from '@cosmjs/stargate'
import { connectComet } from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { LedgerMessage } from '@vidimus/ledger'
import { TYPE_URLS } from './identity-messages.js'

const TYPES: readonly [string, unknown][] = [
  ['/cheqd.did.v2.MsgCreateDidDoc', did.MsgCreateDidDoc],
  ['/cheqd.did.v2.MsgUpdateDidDoc', did.MsgUpdateDidDoc],
  ['/cheqd.did.v2.MsgDeactivateDidDoc', did.MsgDeactivateDidDoc],
  ['/cheqd.resource.v2.MsgCreateResource', resource.MsgCreateResource],
]

const PREFIX = 'cheqd'

/** A message as the stock clients take it. */
export const toEncodeObject = ({ type, payload, signatures }: LedgerMessage): EncodeObject => ({
  typeUrl: TYPE_URLS[type],
  value: { payload, signatures },
})

/** An account with the stock signing client of CosmJS. */
export class Wallet {
  private constructor(
    readonly address: string,
    readonly client: SigningStargateClient,
  ) {}

  /** A new account each time, unless its mnemonic is given. */
  static async connect(url: string, mnemonic?: string): Promise<Wallet> {
    const signer: OfflineDirectSigner =
      mnemonic === undefined
        ? await DirectSecp256k1Wallet.fromKey(randomBytes(32), PREFIX)
        : await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: PREFIX })
    const [account] = await signer.getAccounts()
    if (!account) throw new Error('a wallet has an account')
    const types = [...defaultRegistryTypes, ...(TYPES as readonly [string, GeneratedType][])]
    const client = SigningStargateClient.createWithSigner(await connectComet(url), signer, {
      registry: new Registry(types),
      broadcastPollIntervalMs: 15,
      broadcastTimeoutMs: 120_000,
    })
    return new Wallet(account.address, client)
  }

  fee(cheq: number, gas = 500_000): StdFee {
    return {
      amount: [{ denom: 'ncheq', amount: String(BigInt(cheq) * 10n ** 9n) }],
      gas: String(gas),
      payer: this.address,
    }
  }

  send(messages: readonly LedgerMessage[], fee = this.fee(100 * messages.length, 400_000 * messages.length)) {
    return this.client.signAndBroadcast(this.address, messages.map(toEncodeObject), fee)
  }

  /** The bytes of a transaction that is not sent. */
  async sign(
    messages: readonly EncodeObject[],
    options: {
      sequence?: number
      timeoutHeight?: bigint
      fee?: StdFee
      chainId?: string
      memo?: string
    } = {},
  ): Promise<Uint8Array> {
    const account = await this.client.getSequence(this.address)
    const { sequence = account.sequence, fee = this.fee(100), memo = '' } = options
    const chainId = options.chainId ?? (await this.client.getChainId())
    const signerData = { accountNumber: account.accountNumber, sequence, chainId }
    const raw = await this.client.sign(this.address, messages, fee, memo, signerData, options.timeoutHeight)
    return TxRaw.encode(raw).finish()
  }
}
