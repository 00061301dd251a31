import { homeOf, sql, type Database } from '@vidimus/database'

/** As if a job were not done, whatever has become of it. @param dueAt - by default nobody continues it by itself */
export async function putJobBack(
  database: Database,
  id: string,
  state: 'paused' | 'queued' | 'running',
  dueAt = state === 'paused' ? '9999-12-31T23:59:59.999Z' : '9999-01-01T00:00:00.000Z',
): Promise<void> {
  const [job] = await database.query<{ account_id: string; uid: string }>(
    sql`SELECT account_id, uid FROM status_list_job WHERE id = ${id}`,
  )
  if (!job) throw new Error(`there is no job ${id}`)
  const { account_id: owner, uid } = job
  await database.write(async (connection) => {
    await connection.run(
      sql`DELETE FROM work_item WHERE home = ${homeOf(owner)} AND kind = ${'job'} AND key = ${uid}`,
    )
    await connection.run(
      sql`UPDATE status_list_job SET state = ${state}, ended_at = NULL WHERE account_id = ${owner} AND uid = ${uid}`,
    )
    await connection.run(
      sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, payload)
          VALUES (${homeOf(owner)}, ${'job'}, ${uid}, ${owner}, ${dueAt}, 1, ${Date.now()}, 0, ${JSON.stringify([id])})`,
    )
  })
}
