import { AgentError, SharedQueue, waitsForNetworks, type CheckResult } from '@vidimus/core-types'
import { Connection, PinRefused, TokenAbsent, type Session } from './connection.js'
import type { LoadCryptoki } from './cryptoki.js'
import { Library } from './library.js'
import type { ParsedOptions } from './options.js'
import { isConnectionLost, refusal } from './refusals.js'

/** One PKCS#11 token: found by its label, logged in to, and connected to again after it was away. */
export class Token {
  private readonly queue: SharedQueue
  private library: Promise<Library> | undefined
  private connection: Connection | undefined
  private pinRefused: PinRefused | undefined

  constructor(
    private readonly options: ParsedOptions,
    private readonly load: LoadCryptoki,
  ) {
    this.queue = new SharedQueue(options.sessions)
  }

  /** The label by which it is found. */
  get label(): string {
    return this.options.token
  }

  /**
   * Runs `work` in a session. If the connection was lost, it is restored and `work` runs once more.
   *
   * @param account - id of the account that it is done for; accounts alternate
   * @throws AgentError `unavailable` while the token cannot do it or does not respond in time; AgentErrors of `work`
   */
  async during<T>(account: string, work: (session: Session, slot: Buffer) => Promise<T>): Promise<T> {
    const limit = new TimeLimit(this.options.timeoutMs)
    const result = this.queue.run(account, async () => {
      if (limit.hasPassed) return limit.passed
      return waitsForNetworks.during(() => this.twice(work))
    })
    try {
      return await Promise.race([result, limit.passed])
    } catch (error) {
      throw refusal(error)
    } finally {
      limit.end()
    }
  }

  /** Whether it can be used now. Never throws. */
  async check(): Promise<CheckResult> {
    const name = `pkcs11:${this.label}`
    try {
      await this.during('', ({ cryptoki }, slot) => Promise.resolve(cryptoki.C_GetTokenInfo(slot)))
      return { name, ok: true }
    } catch (error) {
      return { name, ok: false, message: refusal(error).message }
    }
  }

  /** Leaves the library; work under way must have ended. */
  async stop(): Promise<void> {
    const { library } = this
    this.library = this.connection = undefined
    const used = await library?.catch(() => undefined)
    used?.leave()
  }

  private async twice<T>(work: (session: Session, slot: Buffer) => Promise<T>): Promise<T> {
    try {
      return await this.once(work)
    } catch (error) {
      if (!(isConnectionLost(error) || error instanceof TokenAbsent)) throw error
      await this.disconnect()
      return this.once(work)
    }
  }

  private async once<T>(work: (session: Session, slot: Buffer) => Promise<T>): Promise<T> {
    const library = await this.initialised()
    return library.during(() => {
      const connection = this.connected(library)
      return connection.during((session) => work(session, connection.slot))
    })
  }

  private initialised(): Promise<Library> {
    this.library ??= Library.use(this.options.library, this.load).catch((error: unknown) => {
      this.library = undefined
      throw error
    })
    return this.library
  }

  private connected(library: Library): Connection {
    if (this.pinRefused) throw this.pinRefused
    if (this.connection && !this.connection.isGone) return this.connection
    try {
      return (this.connection = Connection.open(library, this.label, this.options.pin))
    } catch (error) {
      if (error instanceof PinRefused) this.pinRefused = error
      throw error
    }
  }

  private async disconnect(): Promise<void> {
    const library = await this.initialised()
    const since = this.connection?.generation ?? library.generation
    this.connection = undefined
    await library.restart(since, this.options.timeoutMs)
  }
}

/** Ends the wait of a caller. The request to the token continues, in its session. */
class TimeLimit {
  hasPassed = false
  readonly passed: Promise<never>
  private ending: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.passed = new Promise((_, reject) => {
      this.ending = setTimeout(() => {
        this.hasPassed = true
        reject(new AgentError('unavailable', `the PKCS#11 token did not answer within ${milliseconds} ms`))
      }, milliseconds)
    })
    // Nothing may be waiting when it passes.
    this.passed.catch(() => undefined)
  }

  end(): void {
    clearTimeout(this.ending)
  }
}
