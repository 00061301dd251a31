import { problemsError, QUOTAS, type Problem, type QuotaName } from '@vidimus/core-types'
import { sql, type Connection } from '@vidimus/database'

/** Quotas of an account in place of the defaults; `null` restores the default. */
export type QuotaChanges = Readonly<Partial<Record<QuotaName, number | null>>>

/** The account's quotas set by an operator, otherwise `usual`. */
export async function readLimit(
  reader: Pick<Connection, 'query'>,
  account: string,
  quota: QuotaName,
  usual: number,
): Promise<number> {
  const [row] = await reader.query<{ most: number | string }>(
    sql`SELECT most FROM account_quota WHERE account_id = ${account} AND quota = ${quota}`,
  )
  return row ? Number(row.most) : usual
}

/** @throws AgentError `invalid_input` with every problem */
export function checkedQuotas(changes: QuotaChanges): [QuotaName, number | null][] {
  const problems: Problem[] = []
  const checked = Object.entries(changes) as [QuotaName, number | null][]
  for (const [quota, most] of checked) {
    const path = `quota.${quota}`
    if (!Object.hasOwn(QUOTAS, quota)) {
      problems.push({ path, message: `is not a quota; expected one of: ${Object.keys(QUOTAS).join(', ')}` })
    } else if (most !== null && (!Number.isSafeInteger(most) || most < 0)) {
      problems.push({ path, message: 'must be a whole number, 0 or greater' })
    }
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  return checked
}

/** Lets an account have more or less than is usual; nothing that it has is taken away. */
export async function writeQuotas(
  connection: Connection,
  account: string,
  changes: readonly (readonly [QuotaName, number | null])[],
): Promise<void> {
  for (const [quota, most] of changes) {
    await (most === null
      ? connection.run(sql`DELETE FROM account_quota WHERE account_id = ${account} AND quota = ${quota}`)
      : connection.run(
          sql`INSERT INTO account_quota (account_id, quota, most) VALUES (${account}, ${quota}, ${most})
            ON CONFLICT (account_id, quota) DO UPDATE SET most = excluded.most`,
        ))
  }
}
