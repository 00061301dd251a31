import { createHash } from 'node:crypto'
import { AgentError, isAgentError, type KeyEnvelope } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { z } from 'zod'

/** How long somebody may take to sign in at the provider. */
const ATTEMPT_MS = 10 * 60 * 1000

/** What the browser keeps between leaving for the provider and coming back. */
const Attempt = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  begunAt: z.number(),
})

export type Attempt = z.output<typeof Attempt>

/**
 * Attempts to sign in. Each is sealed for its provider, so that nobody can make one up or take it to another provider,
 * and is used once, in whatever process.
 */
export class SignInAttempts {
  constructor(
    private readonly database: Database,
    private readonly envelope: KeyEnvelope,
    private readonly now: () => Date,
  ) {}

  /**
   * @returns what the browser keeps
   * @throws AgentError `read_only` where nobody can complete it
   */
  seal(provider: string, attempt: Omit<Attempt, 'begunAt'>): string {
    if (this.database.isReadOnly)
      throw new AgentError('read_only', 'this process is read-only: sign in at the one that writes')
    const text = JSON.stringify({ ...attempt, begunAt: this.now().getTime() })
    return this.envelope.seal(text, attemptContext(provider))
  }

  /**
   * Opens an attempt and marks it as used.
   *
   * @param sealed - untrusted
   * @param address - of the callback, untrusted
   * @throws AgentError `unauthenticated` unless it was begun at this provider, for this `state`, lately, and is unused
   */
  async use(provider: string, sealed: string, address: string): Promise<Attempt> {
    const attempt = this.open(provider, sealed)
    const states = new URL(address).searchParams.getAll('state')
    const isAnswer = attempt !== undefined && states.length === 1 && states[0] === attempt.state
    if (!isAnswer || !(await this.isFirstUse(attempt))) {
      const message = 'the sign-in was not begun in this browser, was completed already, or took too long'
      throw new AgentError('unauthenticated', `${message}; sign in again`)
    }
    return attempt
  }

  private open(provider: string, sealed: string): Attempt | undefined {
    if (!this.envelope.isSealed(sealed)) return undefined
    try {
      const attempt = Attempt.parse(JSON.parse(this.envelope.open(sealed, attemptContext(provider))))
      return attempt.begunAt > this.oldest() ? attempt : undefined
    } catch (error) {
      if (isAgentError(error) && error.code === 'wrong_secret') return undefined
      throw error
    }
  }

  /** By its state, as several sealed texts are read as the same bytes. */
  private isFirstUse({ state }: Attempt): Promise<boolean> {
    const hash = createHash('sha256').update(state).digest('hex')
    return this.database.write(async (connection) => {
      // Clocks of processes differ: a row outlives its attempt.
      const outdated = new Date(this.oldest() - ATTEMPT_MS).toISOString()
      await connection.run(sql`DELETE FROM console_sign_in WHERE used_at < ${outdated}`.changing())
      const rows = await connection.run(
        sql`INSERT INTO console_sign_in (hash, used_at) VALUES (${hash}, ${this.now().toISOString()})
          ON CONFLICT (hash) DO NOTHING`.changing(),
      )
      return rows === 1
    })
  }

  private oldest(): number {
    return this.now().getTime() - ATTEMPT_MS
  }
}

const attemptContext = (provider: string): readonly string[] => ['sign-in to the console', provider]
