import type { KeyMetadata } from '@veramo/core-types'
import { insertAuditEvent } from '@vidimus/accounts'
import { changedOnce, currentActor, asKid, type ListedKey } from '@vidimus/core-types'
import { homeOf, isUniqueViolation, sql, inAccount } from '@vidimus/database'
import { readHeldKeys } from './held-keys.js'
import { aliasTaken, keyNotFound, selectKey } from './key-rows.js'
import { demandNetworksOfKey } from './networks-of-keys.js'
import type { UnitOfWork } from './unit-of-work.js'

/**
 * Changes the label of a key; its id, by which everything finds it, stays.
 *
 * @param request - `alias`: empty for none
 * @throws AgentError `key_not_found`; `alias_taken` if another key of the account has the label; `forbidden` as in {@link
 *   demandNetworksOfKey}
 */
export async function renameKey(
  unit: UnitOfWork,
  account: string,
  { kid: named, alias: wanted }: { kid: string; alias: string },
): Promise<ListedKey> {
  const kid = asKid(named)
  await demandNetworksOfKey(unit, account, kid)
  const actor = currentActor()
  const alias = wanted === '' ? null : wanted
  try {
    await changedOnce<void>(unit.database, ['label', kid, alias], (record) =>
      unit.transaction(async ({ connection }) => {
        await record(connection)
        const key = await selectKey(connection, account, kid)
        if (!key) throw keyNotFound(kid)
        if (key.alias === alias) return
        const home = homeOf(account)
        await connection.run(
          sql`UPDATE account_key SET alias = ${alias} WHERE ${inAccount(account)} AND kid = ${kid}`.changing(
            home,
          ),
        )
        await connection.run(
          sql`UPDATE "key" SET meta = ${labelled(key.meta, alias)} WHERE home = ${home} AND kid =
          (SELECT stored_kid FROM account_key WHERE ${inAccount(account)} AND kid = ${kid})`.changing(home),
        )
        await insertAuditEvent(connection, { event: 'key-updated', subject: kid, detail: 'label' }, actor)
      }),
    )
  } catch (error) {
    if (!isUniqueViolation(error, 'account_key')) throw error
    throw aliasTaken('alias', `the account already uses "${wanted}" for another key`)
  }
  const { keys } = await readHeldKeys(unit, account, { kid })
  if (!keys[0]) throw keyNotFound(kid)
  const { alias: _now, ...key } = keys[0]
  return { ...key, ...(alias !== null && { alias }) }
}

/** Callers of Veramo's methods read the label in the metadata. */
function labelled(meta: string | null, alias: string | null): string | null {
  const { alias: _before, ...rest } = (meta === null ? {} : JSON.parse(meta)) as KeyMetadata
  const next = alias === null ? rest : { ...rest, alias }
  return Object.keys(next).length === 0 ? null : JSON.stringify(next)
}
