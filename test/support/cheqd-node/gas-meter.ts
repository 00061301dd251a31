import { sdkRefusal } from './refusal.js'

/** What gas is taken for beside what messages read and write. The real constants differ a little from release to release. */
export interface GasSchedule {
  /** parameters, the payer's account and its sequence */
  perTransaction: number
  perTransactionByte: number
  perSignature: number
  /** a payment's own work: taking its fee before it is executed, and moving the coins */
  perPayment: number
  /** what the fee takes after the messages, never in a simulation */
  perFee: number
}

export const GAS_SCHEDULE: GasSchedule = {
  perTransaction: 30_000,
  perTransactionByte: 10,
  perSignature: 1_000,
  perPayment: 45_000,
  perFee: 72_000,
}

/** `KVGasConfig` of the Cosmos SDK. */
const READ = { flat: 1_000, perByte: 3 }
const WRITE = { flat: 2_000, perByte: 30 }
const HAS = 1_000
const NEXT = 30

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

  /** @param bytes - of key and value, or of the key alone where there is nothing */
  read(bytes: number): void {
    this.consume(READ.flat, 'ReadFlat')
    this.consume(READ.perByte * bytes, 'ReadPerByte')
  }

  has(): void {
    this.consume(HAS, 'Has')
  }

  /** @param bytes - of key and value */
  write(bytes: number): void {
    this.consume(WRITE.flat, 'WriteFlat')
    this.consume(WRITE.perByte * bytes, 'WritePerByte')
  }

  /** @param bytes - of key and value, of each entry */
  iterate(bytes: readonly number[]): void {
    // The first entry is paid for when the iteration begins, and again when it goes on.
    for (const entry of [...bytes.slice(0, 1), ...bytes]) {
      this.consume(READ.perByte * entry, 'ValuePerByte')
      this.consume(NEXT, 'IterNextFlat')
    }
  }
}
