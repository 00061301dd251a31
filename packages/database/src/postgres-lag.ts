import { RepeatedPasses } from '@vidimus/core-types'
import { sql, type Sql } from './sql.js'

/** A standby's report about its progress. */
interface Replay {
  standby: string
  /** whether it is connected to its primary and has replayed everything received; `null` if nothing was received */
  level: string | null
  /** the age of the last replayed transaction's commit, in seconds; `null` if there was none */
  since: string | null
}

const REPLAY = sql`SELECT CAST(pg_is_in_recovery() AS TEXT) AS standby,
  CAST(EXISTS (SELECT 1 FROM pg_stat_wal_receiver)
    AND pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() AS TEXT) AS level,
  CAST(EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp()) AS TEXT) AS since`

const LOOK_EVERY_MS = 1_000

/**
 * How far a standby is behind its primary. One that has replayed everything received is not behind, however long ago
 * that was: its primary may be idle. So it is checked continually. The server detects a silently broken connection
 * (`wal_receiver_timeout`).
 */
export class ReplicationLag {
  private readonly looks = new RepeatedPasses({ work: 'replication lag', pauseMs: LOOK_EVERY_MS })
  private readonly beganAt = performance.now()
  private levelAt: number | undefined

  constructor(private readonly query: (statement: Sql) => Promise<Replay[]>) {}

  begin(): void {
    this.looks.begin(() => this.seconds(), 'now')
  }

  stop(): Promise<void> {
    return this.looks.stop()
  }

  /**
   * @returns `undefined` if the server is not a standby
   * @throws what the query throws
   */
  async seconds(): Promise<number | undefined> {
    const [replay] = await this.query(REPLAY)
    const now = performance.now()
    const isStandby = replay?.standby === 'true'
    if (!isStandby || replay.level === 'true') {
      this.levelAt = now
      return isStandby ? 0 : undefined
    }
    const since = replay.since === null ? undefined : Number(replay.since)
    if (this.levelAt === undefined) return since ?? (now - this.beganAt) / 1000
    const sinceLevel = (now - this.levelAt) / 1000
    return Math.min(since ?? sinceLevel, sinceLevel)
  }
}
