import type { Configuration } from '@vidimus/agent-config/loading'
import { AFTER_RESTORE, AgentError, noticesRestore } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/** What is outside of the database and ahead of it, each as the beginning of a sentence. */
export async function aheadOfDatabase({ objects }: Configuration): Promise<string[]> {
  const noticed = await Promise.all(objects.filter(noticesRestore).map((object) => object.noticeRestore()))
  return noticed.filter((one) => one !== undefined)
}

/**
 * For a start, right after the database was opened: a database that has forgotten what is outside must not serve.
 *
 * @throws AgentError `invalid_configuration`
 */
export async function refuseForgetful(configuration: Configuration, database: Database): Promise<void> {
  // Shown before the look: `vidimus restored` begins first, and then looks whether anyone is present.
  await database.presence()
  const [ahead] = await aheadOfDatabase(configuration)
  if (ahead !== undefined) throw new AgentError('invalid_configuration', `${ahead}: ${AFTER_RESTORE}`)
  for (const object of configuration.objects.filter(noticesRestore)) await object.serveRestored?.()
}
