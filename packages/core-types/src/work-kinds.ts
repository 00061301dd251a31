/** The kinds of work that waits in the background. */
export const WORK_KINDS = [
  'account-deletion',
  'delivery',
  'did-creation',
  'event',
  'job',
  'key-erasure',
  'ledger-change',
  'publication',
  'renewal',
  'rotation',
  'series',
  'slot',
] as const

export type WorkKindName = (typeof WORK_KINDS)[number]

/** How an item of work is; what has ended is deleted. `failed`: its last attempt has, and it is repeated. */
export const WORK_STATES = ['due', 'running', 'waiting', 'paused', 'failed'] as const

export type WorkState = (typeof WORK_STATES)[number]

/** What somebody may do with an item. */
export const WORK_ACTIONS = ['retry', 'pause', 'resume', 'cancel'] as const

export type WorkAction = (typeof WORK_ACTIONS)[number]
