import { Database } from '@vidimus/database'

/** A database whose other processes look dead, as if frozen or disconnected, and whose clock can be set. */
export class BlindDatabase extends Database {
  /** milliseconds */
  later = 0
  override async isPresent(id: string): Promise<boolean> {
    return id === (await this.presence())
  }
  override async now(): Promise<Date> {
    return new Date((await super.now()).getTime() + this.later)
  }
}
