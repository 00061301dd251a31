import { outsideOfRequests } from './request-scope.js'
import { log } from './service-log.js'

export interface RepeatedPassesOptions {
  /** the purpose of a pass, for the log */
  work: string
  /** the pause between two passes, in milliseconds */
  pauseMs: number
  /** the pause before a pass that is wanted soon, doubled after each that leaves something; at most and by default `pauseMs` */
  soonMs?: number
}

/** Resolves to `false` if it leaves something to do. */
export type Pass = () => Promise<unknown>

/**
 * Runs passes, one after the other, in the background, until it is stopped. Failures are retried, and logged once
 * until it works again. Does not keep the process from ending.
 */
export class RepeatedPasses {
  private pass: Pass | undefined
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private delayMs: number
  private stopped = false
  /** after the one that is under way */
  private wanted = false
  private failing = false

  constructor(private readonly options: RepeatedPassesOptions) {
    this.delayMs = options.pauseMs
  }

  /** Whether the last pass failed. */
  get isFailing(): boolean {
    return this.failing
  }

  /**
   * Only the pass of the first call counts.
   *
   * @param when - `now`: the first one is made at once, not after a pause
   */
  begin(pass: Pass, when: 'now' | 'later' = 'later'): void {
    if (this.pass) return
    this.pass = pass
    if (when === 'now') this.running = outsideOfRequests(() => this.run())
    else this.schedule()
  }

  /** There is something to do. */
  soon(): void {
    this.wanted = true
    this.delayMs = this.options.soonMs ?? this.options.pauseMs
    this.schedule()
  }

  /** Waits for the pass that is under way. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  private schedule(): void {
    clearTimeout(this.timer)
    if (this.stopped || !this.pass) return
    // Processes that were started together do not stay together.
    const delay = this.delayMs * (0.75 + Math.random() / 2)
    const pass = () => {
      this.running = this.run(this.running)
    }
    this.timer = outsideOfRequests(() => setTimeout(pass, delay)).unref()
  }

  /** @param before - one that may still be under way */
  private async run(before?: Promise<void>): Promise<void> {
    await before
    if (this.stopped) return
    this.wanted = false
    const settled = await this.attempt()
    if (this.wanted) return
    const { pauseMs } = this.options
    this.delayMs = settled ? pauseMs : Math.min(2 * this.delayMs, pauseMs)
    this.schedule()
  }

  private async attempt(): Promise<boolean> {
    try {
      const outcome = await this.pass?.()
      this.failing = false
      return outcome !== false
    } catch (error) {
      const { work } = this.options
      if (!this.failing) log('warn', 'a background task failed and will be retried', { work }, error)
      this.failing = true
      return false
    }
  }
}
