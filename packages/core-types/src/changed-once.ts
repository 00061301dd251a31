import { currentCaller } from './account.js'
import type { OpenTransaction } from './open-transaction.js'

/** Records the result of a change; part of the transaction of the change. */
export type RecordResult<T> = (transaction: OpenTransaction, result: T) => Promise<void>

/**
 * Makes a change once for all runs of the request in scope. A run after a crash gets the result of the first one and changes
 * nothing, since others may have changed the same in the meantime.
 *
 * @param database - whose transactions the change is part of
 * @param what - distinguishes the changes of one request, as JSON
 * @param change - must call what it is given in its transaction; the result must survive JSON
 * @throws AgentError `version_conflict` if another process has taken over the request, whose transaction is undone then
 */
export async function changedOnce<T>(
  database: object,
  what: readonly unknown[],
  change: (record: RecordResult<T>) => Promise<T>,
): Promise<T> {
  const { run } = currentCaller() ?? {}
  const { changes } = run ?? {}
  if (!run || !changes) return change(() => Promise.resolve())
  const mark = run.nextVersionId(JSON.stringify(what))
  const made = run.before && (await changes.find(mark))
  if (made !== undefined) return (JSON.parse(made) as { result: T }).result
  return change(async (transaction, result) => {
    const record = changes.record(mark, () => JSON.stringify({ result }))
    if (record.database === database) await record.made(transaction)
  })
}
