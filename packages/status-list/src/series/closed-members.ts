import {
  Counter,
  memberName,
  RepeatedPasses,
  runInAccountScope,
  tellAccount,
  type AccountEventSink,
  type StatusListSeriesStore,
  type StoredMember,
} from '@vidimus/core-types'
import { CLOSED_MEMBERS } from '../measurements.js'
import { listUrl } from '../types/list-url.js'

const PASSES = { work: 'closing of members of series', pauseMs: 600_000 }
/** Members that are looked at in one go. */
const TOGETHER = 100

/**
 * Closes members of series whose credentials have all expired. No index of them is handed out any more; they stay
 * published, signed and renewed like every list, because a list that once answered must not begin to fail.
 */
export class ClosedMembers {
  readonly closed = new Counter(CLOSED_MEMBERS)
  private readonly passes = new RepeatedPasses(PASSES)

  constructor(
    private readonly kept: StatusListSeriesStore,
    private readonly events: AccountEventSink | undefined,
    private readonly clock: () => Date,
  ) {}

  begin(): void {
    this.passes.begin(() => this.pass(), 'now')
  }

  stop(): Promise<void> {
    return this.passes.stop()
  }

  /** @returns how many were closed */
  async pass(): Promise<number> {
    let closed = 0
    for (let found = TOGETHER; found === TOGETHER;) {
      const by = this.clock()
      const expired = await this.kept.expired(by, TOGETHER)
      found = 0
      for (const member of expired) {
        if (!(await this.kept.close(member, by))) continue
        found += 1
        await this.tell(member)
      }
      closed += found
    }
    this.closed.add(closed)
    return closed
  }

  private async tell({ series, n }: StoredMember): Promise<void> {
    const location = { ...series, statusListName: memberName(series.statusListName, n) }
    const event = {
      type: 'list.closed' as const,
      subject: listUrl(location),
      data: { did: series.did, statusListName: location.statusListName, series: series.statusListName },
    }
    const holders = this.events ? await this.kept.holders(series.did) : []
    for (const account of holders) {
      const tell = () => tellAccount(this.events, event, 'that a member of a series was closed')
      await runInAccountScope(account, tell)
    }
  }
}
