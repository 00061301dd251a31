import { outsideOfRequests, type CheckResult } from '@vidimus/core-types'

/** Does a work again and again, with a pause in between, until it is stopped. What fails is tried again later. */
export class BackgroundWork {
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private stopped = false
  private failing = false

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  /** Does not keep the process from ending. */
  begin(): void {
    this.running ??= outsideOfRequests(() => this.run())
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.running
  }

  check(name: string): CheckResult {
    if (!this.failing) return { name, ok: true }
    return { name, ok: false, message: 'the last pass over what is to be done failed, and is repeated' }
  }

  private async run(): Promise<void> {
    try {
      await this.work()
      this.failing = false
    } catch {
      this.failing = true
    }
    if (this.stopped) return
    const again = () => {
      this.running = this.run()
    }
    this.timer = outsideOfRequests(() => setTimeout(again, this.pauseMs)).unref()
  }
}
