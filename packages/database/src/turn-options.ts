/** How long a work waits for its turn. */
export interface TurnOptions {
  /** whether to wait for the turn as long as others may need that are there: on PostgreSQL 5 seconds */
  patient?: boolean | undefined
}

/** How long an impatient work waits for its turn. */
export const IMPATIENT_MS = 2_000
