import { AgentError, log } from '@vidimus/core-types'
import type { Handle } from './cryptoki.js'
import type { Cryptoki } from './cryptoki.js'
import type { Library } from './library.js'
import { isPinRefused, refusalMeaning, tokenReturnValue } from './refusals.js'

const CKF_RW_SESSION = 2
const CKF_SERIAL_SESSION = 4
const CKU_USER = 1

/** A session with the library that it is open in. */
export interface Session {
  readonly cryptoki: Cryptoki
  readonly handle: Handle
}

/** A token's slot and the sessions that share one login; sessions are opened as they are needed. */
export class Connection {
  private readonly free: Handle[] = []
  private lent = 0
  /** callers that found the token without another session */
  private readonly waiting: (() => void)[] = []
  /** of the library; another one has ended these sessions */
  readonly generation: number

  private constructor(
    private readonly library: Library,
    readonly slot: Handle,
    private readonly pin: string,
  ) {
    this.generation = library.generation
  }

  /** @throws AgentError `unavailable` if there is no such token, or several; the errors of the token */
  static open(library: Library, token: string, pin: string): Connection {
    const connection = new Connection(library, findSlot(library.cryptoki, token), pin)
    connection.free.push(connection.openSession())
    return connection
  }

  get isGone(): boolean {
    return this.generation !== this.library.generation
  }

  /** Runs `work` in a session of its own. A session in which something failed is not used again. */
  async during<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const handle = await this.session()
    try {
      const result = await work({ cryptoki: this.library.cryptoki, handle })
      this.giveBack(handle)
      return result
    } catch (error) {
      this.closeSession(handle)
      this.giveBack(undefined)
      throw error
    }
  }

  /** @throws if an exhausted token has given us no session either */
  private async session(): Promise<Handle> {
    for (;;) {
      const free = this.free.pop()
      if (free) return this.lend(free)
      try {
        return this.lend(this.openSession())
      } catch (error) {
        if (tokenReturnValue(error) !== 'CKR_SESSION_COUNT' || this.lent === 0) throw error
        await new Promise<void>((resolve) => this.waiting.push(resolve))
      }
    }
  }

  private lend(handle: Handle): Handle {
    this.lent += 1
    return handle
  }

  private giveBack(handle: Handle | undefined): void {
    this.lent -= 1
    if (handle) this.free.push(handle)
    this.waiting.shift()?.()
  }

  private openSession(): Handle {
    const handle = this.library.cryptoki.C_OpenSession(this.slot, CKF_SERIAL_SESSION | CKF_RW_SESSION)
    try {
      this.logIn(handle)
    } catch (error) {
      this.closeSession(handle)
      throw error
    }
    return handle
  }

  /** A login counts for all sessions of this process, and ends with the last of them. */
  private logIn(handle: Handle): void {
    try {
      this.library.cryptoki.C_Login(handle, CKU_USER, this.pin)
    } catch (error) {
      if (tokenReturnValue(error) === 'CKR_USER_ALREADY_LOGGED_IN') return
      if (isPinRefused(error)) throw new PinRefused(error)
      throw error
    }
  }

  private closeSession(handle: Handle): void {
    if (this.isGone) return
    try {
      this.library.cryptoki.C_CloseSession(handle)
    } catch (error) {
      log('debug', 'a session of the PKCS#11 token has already ended', { reason: refusalMeaning(error) })
    }
  }
}

/** The token refuses the PIN. Trying it again would bring it closer to locking itself. */
export class PinRefused extends AgentError {
  constructor(cause: unknown) {
    super(
      'unavailable',
      `${refusalMeaning(cause)}; it is not retried until the service is restarted, as tokens lock themselves`,
      { cause },
    )
  }
}

/** The library has no such token now; one that comes back is seen only after the library was restarted. */
export class TokenAbsent extends AgentError {
  constructor(label: string, present: readonly string[]) {
    const those =
      present.length > 0 ? `it has ${present.map((one) => JSON.stringify(one)).join(', ')}` : 'it has none'
    super('unavailable', `the PKCS#11 library has no token named "${label}": ${those}`)
  }
}

function findSlot(cryptoki: Cryptoki, label: string): Handle {
  const tokens = cryptoki
    .C_GetSlotList(true)
    .map((slot) => ({ slot, label: cryptoki.C_GetTokenInfo(slot).label.trimEnd() }))
  const [found, ...others] = tokens.filter((token) => token.label === label)
  if (!found) {
    throw new TokenAbsent(
      label,
      tokens.map((token) => token.label).filter((other) => other !== ''),
    )
  }
  if (others.length === 0) return found.slot
  throw new AgentError(
    'unavailable',
    `the PKCS#11 library has several tokens named "${label}": rename all but one`,
  )
}
