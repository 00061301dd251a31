/** How far some work is. */
export interface Progress {
  /** what is processed */
  subject: string
  done: number
  total: number
}

/** Where progress is shown. */
export interface ProgressOutput {
  isTTY?: boolean | undefined
  write(text: string): unknown
}

const ON_TERMINAL_MS = 200
const AS_LINES_MS = 5_000
const BAR_WIDTH = 20

/** Shows the progress of some work: in one updated line on a terminal, otherwise in a line now and then. */
export class ProgressLine {
  private readonly begun: number
  private shownAt: number
  private width = 0

  /** @param clock - milliseconds */
  constructor(
    private readonly output: ProgressOutput,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.begun = clock()
    this.shownAt = this.begun
  }

  show(progress: Progress): void {
    const now = this.clock()
    const last = progress.done >= progress.total
    if (!last && now - this.shownAt < (this.output.isTTY ? ON_TERMINAL_MS : AS_LINES_MS)) return
    this.shownAt = now
    const seconds = (now - this.begun) / 1000
    if (!this.output.isTTY) {
      this.output.write(`${progress.subject}: ${speed(progress, seconds)}\n`)
      return
    }
    const line = `${bar(progress)}  ${progress.subject}: ${speed(progress, seconds)}`
    this.output.write(`\r${line.padEnd(this.width)}`)
    this.width = line.length
  }

  /** Leaves the line, so that further output starts below it. */
  end(): void {
    if (this.output.isTTY && this.width > 0) this.output.write('\n')
    this.width = 0
  }
}

function speed({ done, total }: Progress, seconds: number): string {
  const perSecond = seconds > 0 ? done / seconds : 0
  const remaining = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined
  const left = remaining === undefined || done >= total ? '' : `, ${remaining} s left`
  return `${done} of ${total}, ${Math.round(perSecond)} per second${left}`
}

function bar({ done, total }: Progress): string {
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const full = Math.floor(part * BAR_WIDTH)
  return `[${'#'.repeat(full).padEnd(BAR_WIDTH, '.')}] ${String(Math.floor(part * 100)).padStart(3)} %`
}

/** Shows the progress of work with several steps, each in a separate line with its own speed. */
export class ProgressSteps {
  private current: { step: string; line: ProgressLine } | undefined

  constructor(private readonly output: ProgressOutput) {}

  show(step: string, progress: Progress): void {
    if (this.current?.step !== step) {
      this.end()
      this.current = { step, line: new ProgressLine(this.output) }
    }
    this.current.line.show(progress)
  }

  /** As {@link ProgressLine.end}. */
  end(): void {
    this.current?.line.end()
  }
}
