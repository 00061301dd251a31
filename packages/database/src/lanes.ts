/** Works that wait for each other. */
export interface Lane {
  name: string
  /** see `WriteOptions.guarded` */
  isGuarded: boolean
}

/** The lane of what an account holds: whatever changes that runs in it, and may depend on it (see `WriteOptions`). */
export const laneOfAccount = (account: string): string => `account ${account}`

/** The lane of a DID's rows on a ledger. */
export const laneOfDid = (did: string): string => `did ${did}`

export const toLane = (name: string | undefined, guarded: string | undefined): Lane | undefined =>
  name === undefined ? undefined : { name, isGuarded: guarded !== undefined }
