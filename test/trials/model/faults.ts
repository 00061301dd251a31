import { setTimeout } from 'node:timers/promises'
import type { CheqdNode } from '../../support/cheqd-node/cheqd-node.js'
import type { FaultProxy } from '../../support/fault-proxy.js'
import type { SmallDisk } from '../../support/small-disk.js'
import type { Fleet, Member } from '../fleet.js'
import type { PublishedFolder } from './published.js'
import type { Random } from './random.js'

export interface FaultTimes {
  /** between two faults, at most */
  pauseMs: number
  /** how long a process is frozen, at most */
  frozenMs: number
}

interface FaultyDatabase {
  proxy: FaultProxy
  /** ends sessions of the service */
  terminate(): Promise<void>
  restart(awayMs: number): Promise<void>
}

/** What the processes stand on, as faults see it. */
export interface FaultyGround {
  /** of a server */
  database?: FaultyDatabase
  /** of a file */
  disk?: SmallDisk
  /** of the network */
  node?: CheqdNode
  published: PublishedFolder
  /** by how many milliseconds a process is wrong from then on, once it looks */
  setClock(offset: number): Promise<void>
}

type Kind = readonly [number, { what: string; make: (member: Member) => Promise<void> }]

/** Far enough to be seen everywhere, and less than what makes a signature one of the future. */
const MOST_SKEW_MS = 4000

const NODE_FAULTS = [
  'dropRequest',
  'loseResponse',
  'deliverTwice',
  'stallResponse',
  'unavailable',
  'answerHtml',
  'truncateAnswer',
  'refuseSequence',
  'refuseAsFull',
  'runOutOfGas',
  'forgetTransaction',
  'holdTransaction',
] as const

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
    private readonly ground: FaultyGround,
    private readonly tell: (finding: string) => void,
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
    this.ground.database?.proxy.restore()
    await this.ground.disk?.clear()
    await this.ground.setClock(MOST_SKEW_MS)
    await this.startAgain()
  }

  get summary(): string {
    return [...this.made].map(([what, count]) => `${count} × ${what}`).join(', ')
  }

  private async run(): Promise<void> {
    const kinds = this.random.mixed(this.kinds())
    while (!this.stopping) {
      await this.pause()
      if (this.stopping) return
      await this.startAgain()
      const { what, make } = this.random.weighted(kinds)
      this.made.set(what, (this.made.get(what) ?? 0) + 1)
      await make(this.random.pick(this.fleet.members))
    }
  }

  /** What has ended without a fault of ours. */
  private async startAgain(): Promise<void> {
    for (const member of this.fleet.members) {
      const { running, log } = member.service
      if (running) continue
      this.tell(`a process ended by itself: ${log.slice(-500)}`)
      await this.fleet.restart(member)
    }
  }

  private async pause(): Promise<void> {
    const asked = new Promise<void>((resolve) => (this.struck = resolve))
    await Promise.race([asked, setTimeout(this.random.between(100, this.times.pauseMs))])
  }

  /** Every kind of fault on this ground, how often it is made, and whether a moment may be chosen for it. */
  private kinds(): Kind[] {
    const { database, disk, node, published } = this.ground
    const kinds: Kind[] = [
      [4, { what: 'kill -9', make: (member) => this.killAndRestart(member) }],
      [1, { what: 'SIGTERM', make: (member) => this.stopAndRestart(member) }],
      [2, { what: 'freeze', make: (member) => this.freeze(member) }],
      [1, { what: 'freeze, then kill -9', make: (member) => this.freeze(member, true) }],
      [1, { what: 'clock set', make: (member) => this.skew(member) }],
      [1, { what: 'publication refused', make: () => published.block(this.frozenMs()) }],
    ]
    if (disk) kinds.push([1, { what: 'disk full', make: () => this.fill(disk) }])
    if (node)
      kinds.push(
        ...NODE_FAULTS.map((kind): Kind => [
          0.7,
          { what: `node: ${kind}`, make: () => this.spoil(node, kind) },
        ]),
      )
    if (!database) return kinds
    return [
      ...kinds,
      [3, { what: 'cut before a COMMIT', make: () => this.cutCommits(database, 'COMMIT') }],
      [3, { what: 'cut before the answer to a COMMIT', make: () => this.cutCommits(database, 'its answer') }],
      [2, { what: 'connections cut', make: () => Promise.resolve(void database.proxy.cut()) }],
      [2, { what: 'pg_terminate_backend', make: () => database.terminate() }],
      [0.5, { what: 'database restarted', make: () => database.restart(this.frozenMs()) }],
    ]
  }

  private frozenMs(): number {
    return this.random.between(50, this.times.frozenMs)
  }

  private async killAndRestart(member: Member): Promise<void> {
    await this.fleet.kill(member)
    await this.fleet.restart(member)
  }

  private async stopAndRestart(member: Member): Promise<void> {
    await member.service.stop()
    await this.fleet.restart(member)
  }

  private async freeze(member: Member, isKilled = false): Promise<void> {
    process.kill(member.service.pid, 'SIGSTOP')
    await setTimeout(this.frozenMs())
    if (isKilled) await this.killAndRestart(member)
    else process.kill(member.service.pid, 'SIGCONT')
  }

  /** Of one process; the other ones go on by their own until they start again. */
  private async skew({ service }: Member): Promise<void> {
    await this.ground.setClock(this.random.between(-MOST_SKEW_MS, MOST_SKEW_MS))
    process.kill(service.pid, 'SIGUSR2')
  }

  /** Of some requests, or all for a while. */
  private async spoil(node: CheqdNode, kind: (typeof NODE_FAULTS)[number]): Promise<void> {
    const fault = node.misbehave(kind, { times: this.random.between(1, 20) })
    await setTimeout(this.frozenMs())
    fault.stop()
  }

  private async fill(disk: SmallDisk): Promise<void> {
    await disk.fill()
    await setTimeout(this.frozenMs())
    await disk.clear()
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
