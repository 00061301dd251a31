/** `warn`: it works, but needs attention; `fail`: something does not work, or will be lost. */
export type FindingLevel = 'ok' | 'warn' | 'fail'

/** One thing that `vidimus doctor` looked at. */
export interface Finding {
  /** short and stable, for example `database` or `ledger:testnet` */
  name: string
  level: FindingLevel
  /** the finding, in one sentence for the operator, without secrets */
  message: string
  /** what to do about it, beside `warn` and `fail` */
  advice?: string
}
