import { SESSION_PREFIX } from '@vidimus/core-types'

/** What is signed in, and what is about to be. */
const SESSION = 'vidimus-session'
const ATTEMPT = 'vidimus-sign-in'

/** Behind https nobody else, such as a neighbouring host of the same domain, can set a cookie of this name. */
const OF_THIS_HOST = '__Host-'

const ATTEMPT_SECONDS = 600

/**
 * The cookies of the console. A session is `Strict`: no page of another site makes requests with it. An attempt must be
 * `Lax`, as the identity provider sends the browser back.
 */
export class ConsoleCookies {
  private readonly prefix: string
  private readonly attributes: string

  /** @param publicUrl - where browsers reach the service */
  constructor(publicUrl: string | undefined) {
    const isSecure = publicUrl?.startsWith('https:') ?? false
    this.prefix = isSecure ? OF_THIS_HOST : ''
    this.attributes = `; Path=/; HttpOnly${isSecure ? '; Secure' : ''}`
  }

  /** @returns the session of a `cookie` header, which anybody could have made up */
  sessionIn(header: string | undefined): string | undefined {
    const session = this.cookieIn(header, SESSION)
    return session?.startsWith(SESSION_PREFIX) ? session : undefined
  }

  attemptIn(header: string | undefined): string | undefined {
    return this.cookieIn(header, ATTEMPT)
  }

  /** Without a maximum age: it ends with the browser, or earlier with the session. */
  session(value: string): string {
    return `${this.prefix}${SESSION}=${value}${this.attributes}; SameSite=Strict`
  }

  attempt(value: string): string {
    return `${this.prefix}${ATTEMPT}=${value}${this.attributes}; SameSite=Lax; Max-Age=${ATTEMPT_SECONDS}`
  }

  get noSession(): string {
    return `${this.session('')}; Max-Age=0`
  }

  get noAttempt(): string {
    return `${this.prefix}${ATTEMPT}=${this.attributes}; SameSite=Lax; Max-Age=0`
  }

  /** By its whole name: a neighbouring host can set the one without the prefix, and would sign people in as somebody else. */
  private cookieIn(header: string | undefined, name: string): string | undefined {
    const values = new Map(
      (header ?? '').split(';').map((cookie) => {
        const [own = '', ...value] = cookie.trim().split('=')
        return [own, value.join('=')]
      }),
    )
    const value = values.get(this.prefix + name)
    return value === '' ? undefined : value
  }
}
