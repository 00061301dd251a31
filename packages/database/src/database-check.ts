import type { CheckResult } from '@vidimus/core-types'
import type { Behind, DatabaseEngine } from './database-engine.js'
import { DISK_IS_FULL } from './errors.js'

const name = 'database'

/**
 * Whether the service can work with the database now.
 *
 * @param state - `probe`: executes a statement; `diskIsFull`: according to the last write that could tell
 */
export async function checkDatabase(
  engine: DatabaseEngine,
  { probe, diskIsFull, readsOnly }: { probe: () => Promise<void>; diskIsFull: boolean; readsOnly: boolean },
): Promise<CheckResult> {
  try {
    await probe()
    const behind = readsOnly ? await engine.behind?.() : undefined
    if (behind) return lagCheck(behind)
  } catch {
    return { name, ok: false, message: 'the database does not answer' }
  }
  if (engine.isLost) return { name, ok: false, message: 'the database file was deleted or replaced' }
  // Still ready: reads work.
  if (!diskIsFull) return { name, ok: true }
  return { name, ok: true, message: `${DISK_IS_FULL}: changes are refused, reads still work` }
}

function lagCheck({ seconds, most }: Behind): CheckResult {
  const message = `the standby is ${seconds.toFixed(1)} s behind its primary`
  const ok = seconds <= most
  return { name, ok, message: ok ? message : `${message}, and may be ${most} s` }
}
