import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'
import { sdkRefusal } from './refusal.js'
import type { Account, StateOverlay, StateReader } from './state.js'

/** The account of a module of the chain (`NewModuleAddress` of the Cosmos SDK). */
export const moduleAddress = (name: string): string =>
  toBech32('cheqd', createHash('sha256').update(name).digest().subarray(0, 20))

export const balanceOf = (state: StateReader, address: string): bigint => state.get('balance', address) ?? 0n

/** An account exists from the first coin on. */
export function credit(state: StateOverlay, address: string, ncheq: bigint): void {
  if (!state.get('account', address)) openAccount(state, address)
  state.set('balance', address, balanceOf(state, address) + ncheq)
}

/** @throws Refusal `sdk` 5 where there is not as much */
export function debit(state: StateOverlay, address: string, ncheq: bigint): void {
  const balance = balanceOf(state, address)
  if (balance < ncheq) {
    throw sdkRefusal(5, `spendable balance ${balance}ncheq is smaller than ${ncheq}ncheq`)
  }
  state.set('balance', address, balance - ncheq)
}

function openAccount(state: StateOverlay, address: string): void {
  const accountNumber = state.get('accountCount', '') ?? 0
  state.set('accountCount', '', accountNumber + 1)
  const account: Account = { address, accountNumber, sequence: 0 }
  state.set('account', address, account)
}
