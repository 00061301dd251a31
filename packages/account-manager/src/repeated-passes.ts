import { outsideOfRequests } from '@vidimus/core-types'

/** How soon after something went wrong the next pass follows: this part of the time between two passes. */
const SOON = 1 / 60

/**
 * Makes passes over what may have been left behind, one after the other, in the background: regularly, and sooner and
 * less and less often while something is left. Does not keep the process from ending.
 */
export class RepeatedPasses {
  private pass: (() => Promise<boolean>) | undefined
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private delayMs: number
  private stopped = false

  constructor(private readonly intervalMs: number) {
    this.delayMs = intervalMs
  }

  /** @param pass - answers whether nothing is left; never rejects. Only that of the first call counts */
  begin(pass: () => Promise<boolean>): void {
    if (this.pass) return
    this.pass = pass
    this.schedule()
  }

  /** There is something to do. */
  soon(): void {
    this.delayMs = SOON * this.intervalMs
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
      this.running = this.run()
    }
    this.timer = outsideOfRequests(() => setTimeout(pass, delay)).unref()
  }

  private async run(): Promise<void> {
    const settled = await this.pass?.()
    this.delayMs = settled ? this.intervalMs : Math.min(2 * this.delayMs, this.intervalMs)
    this.schedule()
  }
}
