import type { TrialList } from '../list-kinds.js'

/** What is known of an entry: the values that it may have, more than one while an answer is missing. */
export type Possible = ReadonlySet<number>

const UNCHANGED: Possible = new Set([0])

/** Of lists that are not of one purpose each. */
const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  BitstringStatusList: 'BitstringStatusListCredential',
  TokenStatusList: 'TokenStatusList',
}

const MOST_NOTES = 12

/** A list and what its entries must be. */
export class ModelList {
  private readonly entries = new Map<number, Possible>()
  private readonly notes = new Map<number, readonly string[]>()
  /** ids of versions that answers named */
  readonly versions = new Set<string>()
  /** whether everything that it must be is in a version; what waits for a beat far away is not */
  mustBePublished: boolean
  /** whose account is deleted, or who has no account to read it */
  isOfStranger = false
  /** whether entries that nobody has named are unchanged */
  isKnownWhole = true

  constructor(
    readonly list: TrialList,
    /** its changes wait for a beat */
    readonly publishEvery?: string,
    readonly form: 'encrypted' | 'unencrypted' = 'unencrypted',
  ) {
    this.mustBePublished = publishEvery !== 'PT1H'
  }

  get isPaced(): boolean {
    return this.publishEvery !== undefined
  }

  get name(): { did: string; statusListName: string } {
    const { did, statusListName } = this.list
    return { did, statusListName }
  }

  /** Where it is changed. */
  get updates(): string {
    return `/credential-status/update/${this.form}`
  }

  get address(): string {
    const { did, statusListName, listType, statusPurpose } = this.list
    const type =
      RESOURCE_TYPES[listType] ?? `${listType}${statusPurpose === 'revocation' ? 'Revocation' : 'Suspension'}`
    return `${did}?resourceName=${statusListName}&resourceType=${type}`
  }

  possible(index: number): Possible {
    return this.entries.get(index) ?? UNCHANGED
  }

  /** `undefined` while it is not known. */
  value(index: number): number | undefined {
    const [value, ...others] = this.possible(index)
    return others.length > 0 ? undefined : value
  }

  /** An answer said so. */
  settle(indices: readonly number[], value: number): void {
    for (const index of indices) this.entries.set(index, new Set([value]))
    this.note(indices, `it is ${value}`)
  }

  /** It may become so at any time, or never. */
  doubt(indices: readonly number[], value: number): void {
    for (const index of indices) this.entries.set(index, new Set([...this.possible(index), value]))
    this.note(indices, `it may become ${value}`)
  }

  /** For whoever must find out why an entry is wrong. */
  note(indices: readonly number[], what: string): void {
    const time = new Date().toISOString()
    for (const index of indices)
      this.notes.set(index, [...(this.notes.get(index) ?? []), `${time} ${what}`].slice(-MOST_NOTES))
  }

  noted(index: number): readonly string[] {
    return this.notes.get(index) ?? []
  }

  get known(): ReadonlyMap<number, Possible> {
    return this.entries
  }
}

/** A DID of an account, and what must become of it. */
export interface ModelDid {
  did: string
  state: 'there' | 'deactivated' | 'removed' | 'in doubt'
  /** fragment of its service; `undefined`: not known, `null`: none */
  service: string | null | undefined
}

export interface ModelJob {
  id: string
  rows: number
}

/** An account and what was made of it, up to its quotas. */
export interface ModelQuotas {
  account: string
  name: string
  dids: { made: number; most: number }
  statusLists?: { made: number; most: number }
}

/** What was acknowledged, and what was found to be otherwise. */
export class Facts {
  acknowledged = 0
  readonly findings: string[] = []
  readonly lists: ModelList[] = []
  readonly dids: ModelDid[] = []
  readonly jobs: ModelJob[] = []
  readonly receipts: { receipt: string; resourceId: string }[] = []
  /** keys that a rotation has announced, by DID */
  readonly rotations: { did: string; key: string }[] = []
  readonly keys: string[] = []
  readonly quotas: ModelQuotas[] = []
  /** requests that were answered, and the event that each of them has in the audit trail, once */
  readonly audited: { requestId: string; event: string }[] = []
  private readonly entriesGiven = new Set<string>()
  private readonly startedAt = performance.now()

  constructor(readonly tell: (line: string) => void) {}

  /** Of another database. */
  add({ acknowledged, findings }: Facts): void {
    this.acknowledged += acknowledged
    this.findings.push(...findings)
  }

  /** A fact that must hold from now on. */
  acknowledge(): void {
    this.acknowledged += 1
  }

  /** An index was handed out. */
  give(list: string, index: number): void {
    const entry = `${list} ${index}`
    if (this.entriesGiven.has(entry)) this.find(`exactly once: the index ${entry} was given twice`)
    this.entriesGiven.add(entry)
    this.acknowledge()
  }

  /** Something is not as it was acknowledged. */
  find(what: string): void {
    const seconds = ((performance.now() - this.startedAt) / 1000).toFixed(1)
    this.findings.push(what)
    this.tell(`  finding ${this.findings.length}, after ${seconds} s: ${what}`)
  }

  /** A finding for each that does not hold. */
  hold(isSo: boolean, what: () => string): void {
    if (!isSo) this.find(what())
  }
}
