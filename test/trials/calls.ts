import assert from 'node:assert/strict'
import { ERROR_CODES } from '@vidimus/core-types'
import type { Body, Client, Request } from '../support/client.js'

/** What became of a request. */
export type Outcome =
  | { kind: 'done'; body: Body }
  /** answered with something else than 200, in the documented form */
  | { kind: 'refused'; status: number; code: string; error: string }
  /** the connection could not be made, or broke off */
  | { kind: 'cut' }

/** Makes requests and keeps count of what became of them. */
export class Calls {
  /** answers by status and code, and `cut` */
  readonly counts = new Map<string, number>()
  longestMs = 0
  /** of requests that were answered */
  longestAnswerMs = 0
  private readonly refusals: string[] = []

  /** @param mostMs - an answer that takes longer is a failure of the trial */
  constructor(private readonly mostMs = 60_000) {}

  /**
   * Every answer is held against the API document.
   *
   * @throws AssertionError for an answer that is not documented, and where none comes
   */
  async make(client: Client, method: 'GET' | 'POST', path: string, request: Request = {}): Promise<Outcome> {
    const startedAt = performance.now()
    const outcome = await inTime(attempt(client, method, path, request), this.mostMs, `${method} ${path}`)
    const took = performance.now() - startedAt
    this.longestMs = Math.max(this.longestMs, took)
    if (outcome.kind !== 'cut') this.longestAnswerMs = Math.max(this.longestAnswerMs, took)
    this.count(outcome)
    return outcome
  }

  /** How many were answered so, or were `cut`. */
  of(kind: string): number {
    return this.counts.get(kind) ?? 0
  }

  /** Refusals that are no mistake of the caller, and cut connections. */
  get failures(): number {
    const counts = [...this.counts].filter(([kind]) => kind === 'cut' || kind.startsWith('5'))
    return counts.reduce((sum, [, count]) => sum + count, 0)
  }

  get summary(): string {
    return [...this.counts].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  }

  /** What the last few refusals said, for messages. */
  get lastRefusals(): string {
    return this.refusals.join('\n')
  }

  private count(outcome: Outcome): void {
    const kind =
      outcome.kind === 'done' ? '200' : outcome.kind === 'cut' ? 'cut' : `${outcome.status} ${outcome.code}`
    this.counts.set(kind, this.of(kind) + 1)
    if (outcome.kind !== 'refused') return
    this.refusals.push(`${kind}: ${outcome.error}`)
    if (this.refusals.length > 20) this.refusals.shift()
  }
}

async function attempt(
  client: Client,
  method: 'GET' | 'POST',
  path: string,
  request: Request,
): Promise<Outcome> {
  try {
    const { status, body } = await client.call(method, path, request)
    if (status === 200) return { kind: 'done', body }
    const { code, error } = body as { code: string; error: string }
    assert.ok(Object.hasOwn(ERROR_CODES, code), `${method} ${path}: ${status} with the unknown code ${code}`)
    return { kind: 'refused', status, code, error }
  } catch (error) {
    // What `fetch` throws where there is no whole answer.
    if (error instanceof TypeError) return { kind: 'cut' }
    throw error
  }
}

async function inTime<T>(answer: Promise<T>, mostMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `${what}: nothing within ${mostMs} ms` })),
      mostMs,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the same request may succeed a moment later. */
export const isPassing = (outcome: Outcome): boolean =>
  outcome.kind === 'cut' ||
  (outcome.kind === 'refused' && (outcome.status >= 500 || outcome.code === 'version_conflict'))
