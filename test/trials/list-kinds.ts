import assert from 'node:assert/strict'
import { createList } from '../behaviour/suite.js'
import type { Client } from '../support/client.js'
import type { ListName } from '../support/list-history.js'

export type Action = 'revoke' | 'suspend' | 'reinstate'

/** A status list, and what its entries can say. */
export interface TrialList extends ListName {
  listType: string
  /** purposes that are asked for in checks */
  statusPurpose: string
  actions: readonly Action[]
  /** the value of an entry after an action */
  values: Readonly<Record<Action, number>>
}

type Kind = Omit<TrialList, keyof ListName> & { purposes: string | string[]; body?: Record<string, unknown> }

const revocation = { statusPurpose: 'revocation', purposes: 'revocation', actions: ['revoke'] as const }
const suspension = {
  statusPurpose: 'suspension',
  purposes: 'suspension',
  actions: ['suspend', 'reinstate'] as const,
}
const values = { revoke: 1, suspend: 1, reinstate: 0 }
const both = ['revoke', 'suspend', 'reinstate'] as const

/** Every type of list, with one purpose and with several. */
const KINDS: readonly Kind[] = [
  {
    listType: 'BitstringStatusList',
    statusPurpose: 'suspension',
    purposes: ['revocation', 'suspension'],
    actions: both,
    values: { ...values, suspend: 2 },
  },
  { listType: 'StatusList2021', ...suspension, values },
  {
    listType: 'TokenStatusList',
    statusPurpose: 'revocation',
    purposes: 'revocation',
    body: { statusSize: 2 },
    actions: both,
    values: { ...values, suspend: 2 },
  },
  { listType: 'BitstringStatusList', ...revocation, values },
  { listType: 'BitstringStatusList', ...suspension, values },
  { listType: 'StatusList2021', ...revocation, values },
]

/** Lists of all kinds in turn, each of a DID of its own. */
export async function createLists(client: Client, count: number): Promise<TrialList[]> {
  const lists: TrialList[] = []
  for (let n = 0; n < count; n++) {
    const { purposes, body = {}, ...kind } = KINDS[n % KINDS.length] ?? assert.fail('there are kinds')
    const { listType } = kind
    const name = await createList(client, { listType, statusPurpose: purposes, body })
    lists.push({ ...kind, ...name })
  }
  return lists
}
