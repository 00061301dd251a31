import { Database } from '@vidimus/database'

/** A database whose processes look dead, as if frozen or disconnected, and whose clock can be set. */
export class BlindDatabase extends Database {
  /** milliseconds */
  later = 0
  override async isPresent(): Promise<boolean> {
    return false
  }
  override async now(): Promise<Date> {
    return new Date((await super.now()).getTime() + this.later)
  }
}
