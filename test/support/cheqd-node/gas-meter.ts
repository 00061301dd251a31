import { sdkRefusal } from './refusal.js'

/** What gas is taken for. The real constants differ a little from release to release. */
export interface GasSchedule {
  perTransaction: number
  perTransactionByte: number
  perSignature: number
  perMessage: number
  perStoredByte: number
}

export const GAS_SCHEDULE: GasSchedule = {
  perTransaction: 20_000,
  perTransactionByte: 10,
  perSignature: 1_000,
  perMessage: 12_000,
  perStoredByte: 30,
}

export class GasMeter {
  used = 0

  /** @param limit - what the transaction wants at most */
  constructor(
    readonly limit: number,
    readonly schedule: GasSchedule,
  ) {}

  /** @throws Refusal `sdk` 11 when more is used than is wanted */
  consume(gas: number, location: string): void {
    this.used += gas
    if (this.used <= this.limit) return
    throw sdkRefusal(
      11,
      `out of gas in location: ${location}; gasWanted: ${this.limit}, gasUsed: ${this.used}`,
    )
  }
}
