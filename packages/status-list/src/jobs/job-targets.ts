import {
  AgentError,
  effectByCredential,
  networkOf,
  requireEffect,
  type JobEffect,
  type JobOrder,
  type RegisteredEntry,
  type StatusListLocation,
  type StatusListStore,
  type StatusListType,
  type CredentialAction,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { entryToApply, notRegistered } from '../register/registered-credential.js'
import { OwnLists } from '../register/own-lists.js'
import type { PublishedLists } from '../versions/published-lists.js'
import type { FileRow } from './job-file.js'
import { refusedRow, type JobRow, type RefusedRow } from './job-parts.js'

type Row = Extract<FileRow, { row: unknown }>

const CREDENTIAL_ACTIONS: readonly string[] = ['revoke', 'suspend', 'reinstate'] satisfies CredentialAction[]

/** What finding the entries of rows needs. */
export interface TargetSources {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  store: StatusListStore
  context: WritingContext
}

/** Finds the entries that rows refer to, in lists of the account in scope. */
export class JobTargets {
  private readonly own: OwnLists
  private readonly effects = new Set<JobEffect>()
  private readonly networks = new Set<string>()

  constructor(private readonly sources: TargetSources) {
    this.own = new OwnLists(sources)
  }

  /**
   * A row needs what it would need alone, whatever becomes of it.
   *
   * @returns in the order of the rows
   * @throws AgentError `forbidden` for a row that the caller's API key must not send
   */
  async find(rows: readonly FileRow[]): Promise<(JobRow | RefusedRow)[]> {
    const ids = rows.flatMap((one) => ('row' in one ? (one.row.credentialId ?? []) : []))
    const found = await this.sources.store.register.entriesOf({ ids })
    const entries = new Map(ids.map((id, n) => [id, found[n] ?? []]))
    const results: (JobRow | RefusedRow)[] = []
    for (const one of rows) results.push(await this.findOne(one, entries))
    return results
  }

  /** What the rows so far do, apart from refused ones. */
  order(form: JobOrder['form']): JobOrder {
    return { form, effects: [...this.effects], networks: [...this.networks] }
  }

  private needing(effect: JobEffect | undefined, row: JobRow): JobRow {
    if (effect) this.effects.add(effect)
    const network = networkOf(row.list.did)
    if (network !== undefined) this.networks.add(network)
    return row
  }

  private async findOne(
    one: FileRow,
    entries: ReadonlyMap<string, readonly RegisteredEntry[]>,
  ): Promise<JobRow | RefusedRow> {
    const { line } = one
    if ('problem' in one) return { line, reason: 'invalid_input', message: one.problem }
    const { credentialId, action } = one.row
    if (credentialId === undefined) return this.indexRow(one)
    requireEffect(...effectsByCredential(action))
    try {
      const entry = await this.credentialEntry(entries.get(credentialId) ?? [], action)
      return this.needing(effectByCredential(action), { line, ...entry, action })
    } catch (error) {
      return refusedRow(line, error)
    }
  }

  private async indexRow({ line, row: { list = '', index = 0, action } }: Row): Promise<JobRow | RefusedRow> {
    requireEffect('revoke-by-index', 'revoke-encrypted')
    let found: Awaited<ReturnType<OwnLists['demandIndex']>>
    try {
      found = await this.own.demandIndex(list, index)
    } catch (error) {
      return refusedRow(line, error)
    }
    const effect = found.encrypted ? 'revoke-encrypted' : 'revoke-by-index'
    requireEffect(effect)
    return this.needing(effect, { line, list: found.location, index, action })
  }

  /** @throws AgentError as `statusListUpdateCredential` does for a credential of the register */
  async credentialEntry(
    entries: readonly RegisteredEntry[],
    action: string,
  ): Promise<{ list: StatusListLocation; index: number }> {
    if (!CREDENTIAL_ACTIONS.includes(action)) {
      throw new AgentError('unknown_action', `action must be ${CREDENTIAL_ACTIONS.join(', ')}`)
    }
    if (entries.length === 0) throw notRegistered()
    const { types } = this.sources
    const meant = await entryToApply(entries, { action: action as CredentialAction }, types, (location) =>
      this.own.open(location),
    )
    return { list: meant.location, index: meant.index }
  }
}

/** With an unknown action the row is refused, but whoever may act on no credential must not send it at all. */
function effectsByCredential(action: string): JobEffect[] {
  const effect = effectByCredential(action)
  return effect ? [effect] : CREDENTIAL_ACTIONS.flatMap((known) => effectByCredential(known) ?? [])
}
