import { queueName, type Did, type QueueName } from '@vidimus/core-types'

/** Works that wait for each other. */
export interface Lane {
  name: QueueName
  /** see `WriteOptions.guarded` */
  isGuarded: boolean
}

/** The lane of what an account holds: whatever changes that runs in it, and may depend on it (see `WriteOptions`). */
export const laneOfAccount = (account: string): QueueName => queueName('account', account)

/** The lane of a DID's rows on a ledger. */
export const laneOfDid = (did: Did): QueueName => queueName('did', did)

export const toLane = (name: QueueName | undefined, guarded: string | undefined): Lane | undefined =>
  name === undefined ? undefined : { name, isGuarded: guarded !== undefined }
