import { createHash } from 'node:crypto'
import { hasMethods } from './required-methods.js'
import type { HandOver, NamedVersion, WithVersion } from './with-version.js'

/** A request that its client may repeat: another one with the same key is this one, or an error. */
export interface IdempotentRequest {
  /** id of the account; the same key of another account is another one */
  accountId: string
  /** 1 to 255 visible ASCII characters, chosen by the client */
  key: string
  /** everything that identifies the request, as text; only kept as a digest */
  content: string
}

/** A stored response. */
export interface IdempotentAnswer {
  /** of HTTP */
  status: number
  /** JSON text */
  body: string
}

/**
 * Keeps the first response of each request with an idempotency key, for all processes on the same database: of
 * several concurrent ones, one is processed, and the others wait for its response.
 */
export interface IdempotencyStore {
  /**
   * Begins a request, or finds its outcome. Waits while another request with the same key is processed, by this
   * process or another, and takes it over if its process gave it up or is gone.
   *
   * @param wait - how long, in milliseconds; `signal` ends it early
   */
  begin(
    request: IdempotentRequest,
    wait: { waitMs: number; signal?: AbortSignal },
  ): Promise<IdempotentBeginning>
}

export type IdempotentBeginning =
  /** no other run works on it now; `claim` must be ended */
  | { outcome: 'begun'; claim: IdempotentClaim }
  | { outcome: 'answered'; answer: IdempotentAnswer }
  /** the key belongs to another request */
  | { outcome: 'reused' }
  /** another one is still being worked on */
  | { outcome: 'busy' }

/** The right to work on a request; it lasts until one of its methods was called, or the process ends. */
export interface IdempotentClaim {
  readonly run: IdempotentRun
  /**
   * Stores the response.
   *
   * @returns `too-large`: it was not stored, a repeated request runs again; `lost`: this process was considered dead,
   *   and another has taken over
   */
  finish(answer: IdempotentAnswer): Promise<'kept' | 'too-large' | 'lost'>
  /** Allows a repeated request to run again. @returns whether this process still owned the request */
  giveUp(): Promise<'given-up' | 'lost'>
}

/** The changes of a request, each under the mark that every run of the request has for it; none while another run has the request. */
export interface IdempotentChanges extends HandOver {
  /** What an earlier run has recorded. */
  find(mark: string): Promise<string | undefined>
  /** @param describe - the change, to be recorded with its version; sealed at rest */
  record(mark: string, describe: (version: NamedVersion | undefined) => string): WithVersion
}

/**
 * One run of a request with an idempotency key. It travels in the account scope, so that code that creates something
 * can record for which request, and find it when the request runs again because its response was never stored.
 */
export class IdempotentRun {
  private marks = 0
  private readonly versions = new Map<string, number>()

  constructor(
    /** the same in every run of the request */
    readonly recordId: string,
    /**
     * How the previous run ended, if there was one. `given-up`: by itself, so that nothing works on it any more;
     * `taken-over`: its process seemed to be gone, and may still continue.
     */
    readonly before?: 'given-up' | 'taken-over',
    /** absent: nothing is recorded */
    readonly changes?: IdempotentChanges,
  ) {}

  /** Names the next thing that the request creates. Runs that create in the same order use the same names. */
  nextMark(): string {
    return `${this.recordId}/${this.marks++}`
  }

  /** The id of the next version that the request tries to make of something: an earlier run has tried the same ones. */
  nextVersionId(of: string): string {
    const number = this.versions.get(of) ?? 0
    this.versions.set(of, number + 1)
    return this.versionId(of, number)
  }

  /** Those that an earlier run may have made; none once this run has tried one itself. */
  earlierVersionIds(of: string, most: number): string[] {
    if (!this.before || this.versions.has(of)) return []
    return Array.from({ length: most }, (_, number) => this.versionId(of, number))
  }

  private versionId(of: string, number: number): string {
    return uuidOfMark(`${this.recordId} ${of} ${number}`)
  }
}

/** A UUID that is always the same for the same mark (RFC 9562, version 8). */
export function uuidOfMark(mark: string): string {
  const bytes = createHash('sha256').update(mark).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether an object named in `agent.yml` can store responses. */
export const isIdempotencyStore = (value: unknown): value is IdempotencyStore => hasMethods(value, 'begin')
