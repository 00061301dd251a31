import { accountFromAny } from '@cosmjs/stargate'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest, QueryBalanceResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import type { ChainState } from './chain-state.js'

/**
 * @param atLeast - the block whose state must be known
 * @returns the number and the next sequence of an account; `undefined` if it has never received anything
 */
export async function findAccount(
  state: ChainState,
  address: string,
  atLeast?: number,
): Promise<{ accountNumber: number; sequence: number } | undefined> {
  const answer = await state.query(
    '/cosmos.auth.v1beta1.Query/Account',
    [QueryAccountRequest, QueryAccountResponse],
    { address },
    atLeast,
  )
  if (!answer?.account) return undefined
  const { accountNumber, sequence } = accountFromAny(answer.account)
  return { accountNumber: Number(accountNumber), sequence: Number(sequence) }
}

/** in ncheq */
export async function balanceOf(state: ChainState, address: string): Promise<bigint> {
  const answer = await state.query(
    '/cosmos.bank.v1beta1.Query/Balance',
    [QueryBalanceRequest, QueryBalanceResponse],
    { address, denom: 'ncheq' },
  )
  return BigInt(answer?.balance?.amount ?? '0')
}
