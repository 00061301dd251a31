import type { Configuration } from '@vidimus/agent-config/loading'
import type { KeyEnvelope } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/**
 * Makes the database refuse to start empty if there already is a secret created here: it is created after the tables,
 * so its database is lost, or searched in the wrong place.
 *
 * @param again - opens the same configuration again: the secret is only searched if there are no tables, which is
 *   known when the objects of the first are being started
 */
export async function expectDatabase(
  configuration: Configuration,
  again: () => Promise<Configuration>,
): Promise<void> {
  if (!configuration.has('/database') || !configuration.has('/envelope')) return
  const [database] = (await configuration.build('/database')) as [Database]
  database.refuseEmpty(async () => whyItIsThere(await again()))
}

/** Why there must be a database already; `undefined` if starting without one is fine. */
export async function whyItIsThere(configuration: Configuration): Promise<string | undefined> {
  const envelope = await findEnvelope(configuration)
  if (!envelope?.makesSecrets || envelope.keyIds.length === 0) return undefined
  return (
    `but ${envelope.origin} has a secret, so a database existed here. Restore it from a backup, or correct ` +
    'its location (DATABASE_URL, VIDIMUS_DATA_DIR). For a new one: vidimus start --new-database'
  )
}

/** Commands that need no secret work without it; a start reports its problems. */
async function findEnvelope(configuration: Configuration): Promise<KeyEnvelope | undefined> {
  try {
    const [envelope] = (await configuration.build('/envelope')) as [KeyEnvelope]
    return envelope
  } catch (error) {
    const { ConfigurationError } = await import('@vidimus/agent-config/loading')
    if (error instanceof ConfigurationError) return undefined
    throw error
  }
}
