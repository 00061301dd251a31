import type { StatusListLocation, StatusListRestoreResult } from '@vidimus/core-types'
import { harmless } from '../harmless.js'
import { table } from '../table.js'

/** What became of one list, or would. */
export interface RestoredList extends StatusListLocation, StatusListRestoreResult {}

/** What `vidimus restored` did, or would do. */
export interface RestoreReport {
  done: boolean
  /** what is ahead of the database, each as the beginning of a sentence */
  ahead: readonly string[]
  lists: readonly RestoredList[]
  revokedKeys: readonly string[]
  /** lists that the publication has, and the database does not */
  lost: readonly string[]
  /** DIDs that the publication has and no account: nobody can sign for them any more */
  lostDids: readonly string[]
  /** what nobody can know */
  unknown: readonly string[]
}

/** What no backup and no copy tells, however it was restored. */
export const UNKNOWN: readonly string[] = [
  'DIDs and keys created since the backup are gone, also those that are not published; keys of DIDs that were rotated since may be as well',
  'indices that callers chose themselves since, and those of lists that were used together, may be allocated again',
  'entries that were set since are set again only as far as a copy has them',
  'accounts, API keys, webhooks and quotas are those of the backup: revoke keys again with --revoke-key',
  'registered credentials, receipts and results for idempotency keys since are forgotten',
  'fees that were paid since are forgotten: callers may be asked again',
]

/** For people. */
export function restoreText(report: RestoreReport): string {
  const { done, ahead, lists, revokedKeys, lost, lostDids, unknown } = report
  const problems = lists.flatMap(({ statusListName, problems }) =>
    problems.map((problem) => `${statusListName}: ${problem}`),
  )
  return [
    ...(ahead.length > 0 ? section('Ahead of the database:', ahead) : []),
    ...(lists.length > 0 ? [listTable(lists)] : ['There are no status lists.']),
    ...section('Problems:', problems),
    ...section('Not in the database:', lost),
    ...section('Published, but nobody can sign for them any more:', lostDids),
    ...section(done ? 'Revoked API keys:' : 'API keys to be revoked:', revokedKeys),
    ...section('Nobody can know:', unknown),
    done ? 'Done. Start the service.' : 'Nothing was changed. Repeat it with --yes.',
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${harmless(line)}`)]

const listTable = (lists: readonly RestoredList[]): string =>
  table(
    ['DID', 'LIST', 'TAKEN OVER', 'SKIPPED', 'LEFT'],
    lists.map((list) => [
      list.did,
      list.statusListName,
      list.takenOver ? `${list.takenOver.entries} from ${list.takenOver.source}` : '-',
      list.skipped ? String(list.skipped.to - list.skipped.from) : '-',
      leftText(list),
    ]),
  )

const leftText = ({ entries, skipped }: RestoredList): string => {
  if (entries === undefined || !skipped) return '-'
  return skipped.to >= entries ? 'none' : String(entries - skipped.to)
}
