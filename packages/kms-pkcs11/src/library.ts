import { AgentError } from '@vidimus/core-types'
import type { Cryptoki, LoadCryptoki } from './cryptoki.js'
import { tokenReturnValue } from './refusals.js'

/** `C_Initialize`: the library may lock with the means of the system, as its functions are called on several threads. */
const CKF_OS_LOCKING_OK = 2

/**
 * A PKCS#11 library in this process: initialised once, for any number of tokens in it. A token that was removed and
 * came back is often only detected after finalising and initialising the library again, which ends every session.
 */
export class Library {
  private users = 0
  private active = 0
  private whenIdle: (() => void) | undefined
  private restarting: Promise<void> | undefined
  private restartedAt = 0
  /** counts the initialisations: sessions of another one are gone */
  generation = 0

  private constructor(
    readonly path: string,
    readonly cryptoki: Cryptoki,
  ) {}

  private static readonly loaded = new Map<string, Promise<Library>>()

  /** @throws AgentError as {@link LoadCryptoki}; what `C_Initialize` throws */
  static async use(path: string, load: LoadCryptoki): Promise<Library> {
    const loading = Library.loaded.get(path) ?? Library.load(path, load)
    Library.loaded.set(path, loading)
    try {
      const library = await loading
      library.users += 1
      return library
    } catch (error) {
      Library.loaded.delete(path)
      throw error
    }
  }

  private static async load(path: string, load: LoadCryptoki): Promise<Library> {
    const library = new Library(path, await load(path))
    library.initialise()
    return library
  }

  /** Runs `work`, which is not under way while the library is restarted. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    while (this.restarting) await this.restarting.catch(() => undefined)
    this.active += 1
    try {
      return await work()
    } finally {
      this.active -= 1
      if (this.active === 0) this.whenIdle?.()
    }
  }

  /**
   * Finalises and initialises the library, unless that was done since, or within the last second: a token that stays away
   * must not cost every request a restart.
   *
   * @param since - the generation in which a session was lost
   * @param patienceMs - how long work under way may take to end
   */
  async restart(since: number, patienceMs: number): Promise<void> {
    if (since !== this.generation || performance.now() - this.restartedAt < 1000) return
    this.restarting ??= this.restartWhenIdle(patienceMs).finally(() => (this.restarting = undefined))
    await this.restarting
  }

  /** The last user shuts the library down. */
  leave(): void {
    this.users -= 1
    if (this.users > 0) return
    Library.loaded.delete(this.path)
    this.finalise()
  }

  private async restartWhenIdle(patienceMs: number): Promise<void> {
    if (this.active > 0) await this.idle(patienceMs)
    this.restartedAt = performance.now()
    this.finalise()
    this.initialise()
  }

  private idle(patienceMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        clearTimeout(timer)
        this.whenIdle = undefined
        done()
      }
      const timer = setTimeout(
        () => settle(() => reject(new AgentError('unavailable', 'the PKCS#11 token does not answer'))),
        patienceMs,
      )
      this.whenIdle = () => settle(resolve)
    })
  }

  private initialise(): void {
    try {
      this.cryptoki.C_Initialize({ flags: CKF_OS_LOCKING_OK })
    } catch (error) {
      if (tokenReturnValue(error) !== 'CKR_CRYPTOKI_ALREADY_INITIALIZED') throw error
    }
    this.generation += 1
  }

  private finalise(): void {
    try {
      this.cryptoki.C_Finalize()
    } catch (error) {
      if (tokenReturnValue(error) !== 'CKR_CRYPTOKI_NOT_INITIALIZED') throw error
    }
  }
}
