import type { DidDocWithMetadata, ResourceMetadata } from '@vidimus/ledger'

/** A resource with all that the chain keeps of it. */
export interface ChainResource {
  data: Uint8Array
  metadata: ResourceMetadata
}

export interface Account {
  address: string
  accountNumber: number
  sequence: number
  /** compressed secp256k1 key, known from the first transaction on */
  publicKey?: Uint8Array
}

/** What a chain knows, by table and key. Values are never changed in place. */
export interface Tables {
  /** by address */
  account: Account
  /** key `''` */
  accountCount: number
  /** in ncheq, by address */
  balance: bigint
  /** of DIDs; key `''` */
  didCount: number
  /** of versions of resources; key `''` */
  resourceCount: number
  /** version ids by DID, oldest first */
  didVersions: readonly string[]
  /** by {@link versionKey} */
  didDoc: DidDocWithMetadata
  /** resource ids by collection id, oldest first */
  collection: readonly string[]
  /** by {@link resourceKey} */
  resource: ChainResource
  /** resource id by {@link lineKey} */
  latestResource: string
}

export interface StateReader {
  get<T extends keyof Tables>(table: T, key: string): Tables[T] | undefined
}

export const versionKey = (did: string, versionId: string): string => `${did} ${versionId}`
export const resourceKey = (collectionId: string, id: string): string => `${collectionId} ${id}`
export const lineKey = (collectionId: string, name: string, resourceType: string): string =>
  JSON.stringify([collectionId, name, resourceType])

const place = (table: keyof Tables, key: string): string => `${table} ${key}`

/** Writes over a state that stays as it is until they are applied: one per message, transaction and block. */
export class StateOverlay implements StateReader {
  private readonly writes = new Map<string, Tables[keyof Tables]>()

  constructor(private readonly below: StateReader) {}

  get<T extends keyof Tables>(table: T, key: string): Tables[T] | undefined {
    const written = this.writes.get(place(table, key)) as Tables[T] | undefined
    return written ?? this.below.get(table, key)
  }

  set<T extends keyof Tables>(table: T, key: string, value: Tables[T]): void {
    this.writes.set(place(table, key), value)
  }

  applyTo(target: StateOverlay): void {
    for (const [at, value] of this.writes) target.writes.set(at, value)
  }

  entries(): Iterable<[string, Tables[keyof Tables]]> {
    return this.writes
  }
}

/** The committed state at every height: each value with the height that wrote it. */
export class StateHistory {
  private readonly values = new Map<string, { height: number; value: Tables[keyof Tables] }[]>()

  commit(height: number, overlay: StateOverlay): void {
    for (const [at, value] of overlay.entries()) {
      const versions = this.values.get(at)
      if (versions) versions.push({ height, value })
      else this.values.set(at, [{ height, value }])
    }
  }

  at(height: number): StateReader {
    return {
      get: <T extends keyof Tables>(table: T, key: string) =>
        this.values.get(place(table, key))?.findLast((version) => version.height <= height)?.value as
          Tables[T] | undefined,
    }
  }
}
