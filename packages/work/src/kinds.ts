import {
  JOB_EFFECTS,
  LISTS_PATH,
  listUrl,
  asDid,
  asListName,
  type Effect,
  type WorkKindName,
} from '@vidimus/core-types'
import type { WorkItem } from './work-rows.js'

/** What accounts and operators see of a kind of work, and who may do something with it. */
export interface KindRow {
  /**
   * What an item is about: a list, a DID, a job, a webhook. Never the id of a credential, nor what a row contains.
   *
   * @param parts - of its key, which is a JSON array of texts, or a text as it is
   */
  subject(parts: readonly string[], item: Pick<WorkItem, 'payload' | 'owner'>): string
  /** rights of an account, of which each allows to do something with an item; an operator may in any case */
  effects: readonly Effect[]
  /** an item can be paused and resumed with nothing beside it; of other kinds as their owner says: {@link WorkActs} */
  pauses?: true
  /** it can be cancelled where nothing in this installation does such work; elsewhere as its owner says: {@link WorkActs} */
  cancelledUnlessOwned?: true
}

const first = ([text = '']: readonly string[]): string => text

const ofList = ([did = '', name = '', type = '']: readonly string[]): string =>
  listUrl({ did: asDid(did), statusListName: asListName(name), resourceType: type })

const AGGREGATION = `${LISTS_PATH}/aggregation`

/** The kinds of work. An item belongs to its owner: an account, or whoever holds a DID; without one to the operators. */
export const KIND_ROWS: Readonly<Record<WorkKindName, KindRow>> = {
  'account-deletion': { subject: first, effects: ['operate'] },
  delivery: { subject: first, effects: ['manage-webhooks'], pauses: true },
  'did-creation': { subject: first, effects: ['manage-dids'] },
  event: {
    subject: (_, { payload = '{}' }) => String((JSON.parse(payload) as { subject?: string }).subject),
    effects: ['manage-webhooks'],
  },
  job: { subject: (_, { payload = '[]' }) => first(JSON.parse(payload) as string[]), effects: JOB_EFFECTS },
  'key-erasure': { subject: first, effects: ['delete-key'] },
  'ledger-change': { subject: first, effects: ['manage-dids'] },
  publication: {
    subject: ([kind, did = '', name, type]) =>
      kind === 'list' ? ofList([did, name ?? '', type ?? '']) : did || AGGREGATION,
    effects: ['publish', 'manage-dids'],
    pauses: true,
    cancelledUnlessOwned: true,
  },
  renewal: { subject: ofList, effects: ['publish'] },
  rotation: { subject: first, effects: ['manage-dids'] },
  series: { subject: ofList, effects: ['publish'] },
  slot: { subject: ofList, effects: ['publish'] },
}

/** The parts of a key. */
export function keyParts(key: string): readonly string[] {
  if (!key.startsWith('[')) return [key]
  return (JSON.parse(key) as unknown[]).map(String)
}
