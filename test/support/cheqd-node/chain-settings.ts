import type { Network } from '@vidimus/ledger'
import type { ChainEvent } from './events.js'
import type { GasSchedule } from './gas-meter.js'
import type { Market } from './taxes.js'

export interface ChainSettings {
  network: Network
  chainId: string
  market: Market
  /** what the fee market asks for a unit of gas, for payments: one is 10,000 ncheq */
  gasPrice: number
  /** what this node asks for a unit of gas of any transaction, in ncheq */
  minimumGasPrice: number
  gas: GasSchedule
  /** 0: as much as there is */
  block: { maxBytes: number; maxGas: number }
  hasOracle: boolean
}

export interface TransactionResult {
  code: number
  codespace: string
  log: string
  data: Uint8Array
  events: readonly ChainEvent[]
  gasWanted: number
  gasUsed: number
}
