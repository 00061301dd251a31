import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { toBase64, toBech32 } from '@cosmjs/encoding'
import { makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { Network } from '@vidimus/ledger'
import { moduleAddress, credit, debit } from './accounts.js'
import { chainEvent, transferEvents, type ChainEvent } from './events.js'
import { gasCost, ncheqOf } from './fees.js'
import type { GasMeter } from './gas-meter.js'
import { checkBasics } from './identity/handlers.js'
import { sdkRefusal } from './refusal.js'
import type { Account, StateOverlay } from './state.js'
import { decoded, isIdentityTransaction, type Transaction } from './transaction.js'

const MOST_MEMO_BYTES = 256

export interface CheckContext {
  network: Network
  chainId: string
  /** of the block that the transaction goes into, or of the last one while it is only checked */
  height: number
  maxGas: number
  /** of this node, in ncheq; 0 where transactions are not new */
  minimumGasPrice: number
  /** a simulation's and a recheck's signatures are not looked at */
  verifySignatures: boolean
  /** takes no fee, and any amount of gas */
  isSimulation: boolean
}

/**
 * What happens before messages are executed (the ante handler): it stays even where they fail afterwards, so the
 * sequence goes up.
 *
 * @throws Refusal `cheqd` 1205; `sdk` 4, 5, 8, 9, 11, 12, 13, 15, 30, 32, 41
 */
export function checkTransaction(
  context: CheckContext,
  state: StateOverlay,
  transaction: Transaction,
  gas: GasMeter,
): ChainEvent[] {
  checkMessages(transaction)
  checkLimits(context, transaction)
  gas.consume(gas.schedule.perTransaction, 'ReadFlat')
  gas.consume(gas.schedule.perTransactionByte * transaction.bytes.length, 'txSize')
  const signers = signersOf(transaction)
  checkOffer(context, transaction)
  const feeEvents = context.isSimulation ? [] : feeOf(state, transaction, signers)
  if (transaction.raw.signatures.length === 0) throw sdkRefusal(15, 'tx must be signed')
  const counts = [transaction.raw.signatures.length, transaction.authInfo.signerInfos.length]
  for (const count of counts) {
    if (count === signers.length) continue
    throw sdkRefusal(4, `invalid number of signer;  expected: ${signers.length}, got ${count}`)
  }
  const signed = signers.flatMap((signer, n) => checkSigner(context, state, transaction, { signer, n, gas }))
  return [...feeEvents, ...signed]
}

/** The rules that need no state are applied before a transaction is taken; those of resources at its execution. */
function checkMessages({ messages }: Transaction): void {
  for (const { kind, message } of messages) if (kind === 'identity') checkBasics(message)
}

function checkLimits({ height, maxGas, isSimulation }: CheckContext, { body, fee }: Transaction): void {
  if (fee.gasLimit <= 0n && !isSimulation) throw sdkRefusal(41, 'must provide positive gas')
  if (maxGas > 0 && fee.gasLimit > maxGas) {
    throw sdkRefusal(41, `tx gas limit ${fee.gasLimit} exceeds block max gas ${maxGas}`)
  }
  if (body.timeoutHeight > 0n && height > body.timeoutHeight) {
    throw sdkRefusal(30, `block height: ${height}, timeout height: ${body.timeoutHeight}`)
  }
  const memoBytes = Buffer.byteLength(body.memo)
  if (memoBytes > MOST_MEMO_BYTES) {
    throw sdkRefusal(12, `maximum number of characters is ${MOST_MEMO_BYTES} but received ${memoBytes}`)
  }
}

/** Identity messages name nobody: there the payer is the only signer. */
export function signersOf({ messages, fee }: Transaction): string[] {
  const senders = messages.flatMap(({ kind, message }) => (kind === 'payment' ? [message.fromAddress] : []))
  return [...new Set([...senders, ...(fee.payer === '' ? [] : [fee.payer])])]
}

/** What a node asks by itself, of every transaction that is new to it. */
export function checkOffer(
  { minimumGasPrice }: Pick<CheckContext, 'minimumGasPrice'>,
  { fee }: Pick<Transaction, 'fee'>,
): void {
  if (minimumGasPrice === 0) return
  const required = gasCost(BigInt(minimumGasPrice) * 10n ** 18n, fee.gasLimit)
  const offered = fee.amount.map(({ amount, denom }) => `${amount}${denom}`).join(',')
  if (fee.amount.length === 0) throw sdkRefusal(13, `no fee provided, required: ${required}ncheq`)
  if (fee.amount.some(({ denom }) => denom !== 'ncheq')) {
    throw sdkRefusal(10, `fee is not a subset of required fees; got ${offered}, required: ${required}ncheq`)
  }
  if (ncheqOf(fee.amount) >= required) return
  throw sdkRefusal(13, `insufficient fees; got: ${offered} required: ${required}ncheq`)
}

/** Of what is taxed the offer is told alone, by an event that names nobody who has paid it. */
function feeOf(state: StateOverlay, transaction: Transaction, signers: readonly string[]): ChainEvent[] {
  if (!isIdentityTransaction(transaction)) return takeFee(state, transaction, signers)
  return [chainEvent('tx', { fee: `${ncheqOf(transaction.fee.amount)}ncheq` })]
}

/** Of what is not taxed the whole offer is taken before. */
function takeFee(state: StateOverlay, { fee }: Transaction, signers: readonly string[]): ChainEvent[] {
  const offered = ncheqOf(fee.amount)
  const payer = fee.payer === '' ? signers[0] : fee.payer
  if (payer === undefined) throw sdkRefusal(4, 'no signers')
  debit(state, payer, offered)
  const collector = moduleAddress('fee_collector')
  credit(state, collector, offered)
  const amount = `${offered}ncheq`
  return [
    ...transferEvents({ sender: payer, recipient: collector, amount }),
    chainEvent('tx', { fee: amount, fee_payer: payer }),
  ]
}

function checkSigner(
  context: CheckContext,
  state: StateOverlay,
  transaction: Transaction,
  { signer, n, gas }: { signer: string; n: number; gas: GasMeter },
): ChainEvent[] {
  const publicKey = publicKeyOf(transaction, n, signer)
  const account = state.get('account', signer)
  if (!account) throw sdkRefusal(9, `account ${signer} does not exist`)
  const signerInfo = transaction.authInfo.signerInfos[n]
  if (signerInfo?.modeInfo?.single?.mode !== SignMode.SIGN_MODE_DIRECT)
    throw sdkRefusal(4, 'unsupported sign mode')
  if (signerInfo.sequence !== BigInt(account.sequence)) {
    const { sequence } = signerInfo
    throw sdkRefusal(32, `account sequence mismatch, expected ${account.sequence}, got ${sequence}`)
  }
  gas.consume(gas.schedule.perSignature, 'ante verify: secp256k1')
  const signature = transaction.raw.signatures[n] ?? new Uint8Array()
  if (context.verifySignatures && !isSignedBy(context.chainId, account, publicKey, transaction, signature)) {
    throw sdkRefusal(
      4,
      `signature verification failed; please verify account number (${account.accountNumber}), sequence ` +
        `(${account.sequence}) and chain-id (${context.chainId}): (unable to verify single signer signature)`,
    )
  }
  state.set('account', signer, { ...account, publicKey, sequence: account.sequence + 1 })
  return [
    chainEvent('tx', { acc_seq: `${signer}/${account.sequence}` }),
    chainEvent('tx', { signature: toBase64(signature) }),
  ]
}

function publicKeyOf({ authInfo }: Transaction, n: number, signer: string): Uint8Array {
  const key = authInfo.signerInfos[n]?.publicKey
  if (key?.typeUrl !== '/cosmos.crypto.secp256k1.PubKey') throw sdkRefusal(8, 'pubkey is not of secp256k1')
  const { key: bytes } = decoded(() => PubKey.decode(key.value))
  if (bytes.length !== 33) throw sdkRefusal(8, `a key has 33 bytes, not ${bytes.length}`)
  if (toBech32('cheqd', rawSecp256k1PubkeyToRawAddress(bytes)) !== signer) {
    throw sdkRefusal(8, `pubKey does not match signer address ${signer} with signer index: ${n}`)
  }
  return bytes
}

function isSignedBy(
  chainId: string,
  { accountNumber }: Account,
  publicKey: Uint8Array,
  { raw }: Transaction,
  signature: Uint8Array,
): boolean {
  if (signature.length !== 64) return false
  const signDoc = makeSignDoc(raw.bodyBytes, raw.authInfoBytes, chainId, accountNumber)
  const digest = sha256(makeSignBytes(signDoc))
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), digest, publicKey)
  } catch {
    return false
  }
}
