/** How long a work waits for its turn. */
export interface TurnOptions {
  /** whether to wait for the turn as long as it takes, within the limit of every statement */
  patient?: boolean | undefined
}

/** How long an impatient work waits for its turn. */
export const IMPATIENT_MS = 2_000
