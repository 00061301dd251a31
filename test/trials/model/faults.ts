import { setTimeout } from 'node:timers/promises'
import type { FaultProxy } from '../../support/fault-proxy.js'
import type { Fleet, Member } from '../fleet.js'
import type { Random } from './random.js'

export interface FaultTimes {
  /** between two faults, at most */
  pauseMs: number
  /** how long a process is frozen, at most */
  frozenMs: number
}

/** A database, as faults see it; SQLite has none of these. */
export interface FaultyDatabase {
  proxy: FaultProxy
  /** ends sessions of the service */
  terminate(): Promise<void>
  restart(awayMs: number): Promise<void>
}

/** Faults of every kind, one after the other, and those that a caller asks for at a moment of its own. */
export class Faults {
  readonly made = new Map<string, number>()
  private stopping = false
  private struck: (() => void) | undefined
  private running: Promise<void> = Promise.resolve()

  constructor(
    private readonly fleet: Fleet,
    private readonly random: Random,
    private readonly times: FaultTimes,
    private readonly database: FaultyDatabase | undefined,
  ) {}

  start(): void {
    this.running = this.run()
  }

  /** A fault now, as what was just seen is not yet written down everywhere. */
  strike(): void {
    this.struck?.()
  }

  /** Ends the faults; every process runs then. */
  async stop(): Promise<void> {
    this.stopping = true
    this.strike()
    await this.running
    this.database?.proxy.restore()
    for (const member of this.fleet.members) if (!member.service.running) await this.fleet.restart(member)
  }

  get summary(): string {
    return [...this.made].map(([what, count]) => `${count} × ${what}`).join(', ')
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const isAsked = await this.pause()
      if (this.stopping) return
      const member = this.random.pick(this.fleet.members)
      const [what, fault] = this.random.weighted(this.choice(member, isAsked))
      this.made.set(what, (this.made.get(what) ?? 0) + 1)
      await fault()
    }
  }

  /** @returns whether a caller has asked for one */
  private async pause(): Promise<boolean> {
    const asked = new Promise<boolean>((resolve) => (this.struck = () => resolve(true)))
    return Promise.race([asked, setTimeout(this.random.between(100, this.times.pauseMs), false)])
  }

  private choice(
    member: Member,
    isAsked: boolean,
  ): (readonly [number, readonly [string, () => Promise<void>]])[] {
    const { database, times, random } = this
    const ofProcesses = [
      [4, ['kill -9', () => this.killAndRestart(member)]],
      [isAsked ? 0 : 1, ['SIGTERM', () => this.stopAndRestart(member)]],
      [2, ['freeze', () => this.freeze(member, random.between(50, times.frozenMs))]],
      [
        1,
        [
          'freeze, then kill -9',
          async () => {
            await this.freeze(member, random.between(50, times.frozenMs), true)
            await this.fleet.restart(member)
          },
        ],
      ],
    ] as const
    if (!database) return [...ofProcesses]
    const cut = (at: 'COMMIT' | 'its answer') => this.cutCommits(database, at)
    return [
      ...ofProcesses,
      [3, ['cut before a COMMIT', () => cut('COMMIT')]],
      [3, ['cut before the answer to a COMMIT', () => cut('its answer')]],
      [2, ['connections cut', () => Promise.resolve(void database.proxy.cut())]],
      [2, ['pg_terminate_backend', () => database.terminate()]],
      [isAsked ? 0 : 0.5, ['database restarted', () => database.restart(random.between(50, times.frozenMs))]],
    ]
  }

  private async killAndRestart(member: Member): Promise<void> {
    await this.fleet.kill(member)
    await this.fleet.restart(member)
  }

  private async stopAndRestart(member: Member): Promise<void> {
    await member.service.stop()
    await this.fleet.restart(member)
  }

  private async freeze({ service }: Member, ms: number, isKilled = false): Promise<void> {
    process.kill(service.pid, 'SIGSTOP')
    await setTimeout(ms)
    if (isKilled) await service.kill()
    else process.kill(service.pid, 'SIGCONT')
  }

  /** Several of them, as each is one transaction of many. */
  private async cutCommits({ proxy }: FaultyDatabase, at: 'COMMIT' | 'its answer'): Promise<void> {
    for (let left = this.random.between(1, 4); left > 0; left -= 1) {
      const before = proxy.cutCommits
      proxy.impose({ cutting: { at, skip: this.random.between(0, 6) } })
      for (let waits = 0; proxy.cutCommits === before && waits < 50; waits += 1) await setTimeout(10)
    }
    proxy.restore()
  }
}
