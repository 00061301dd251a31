/** How long a work waits for its lock. */
export interface TurnOptions {
  /** whether to wait as long as others ahead of it may need: on PostgreSQL 5 seconds */
  patient?: boolean | undefined
}

/** How long an impatient work waits for its lock. */
export const IMPATIENT_MS = 2_000
