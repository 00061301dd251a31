import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AgentError, fileObstacle, systemCodeOf } from '@vidimus/core-types'
import { isDefaultFile } from './installation.js'
import { startingConfiguration, type Choices } from './starting-configuration.js'

/** What `vidimus init` writes if nobody chooses, and the first start in an empty folder. */
export const USUAL_CHOICES: Choices = { database: 'sqlite', cheqd: [], kms: 'local', publish: 'none' }

/**
 * Writes a configuration file.
 *
 * @param config - as it was given, for messages
 * @throws AgentError `invalid_configuration` if the file exists, unless `force` is set, or cannot be written
 */
export async function writeConfiguration(
  config: string,
  choices: Choices,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<void> {
  const file = resolve(config)
  try {
    await writeFile(file, startingConfiguration(choices), { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    const message =
      code === 'EEXIST'
        ? `${config} already exists; --force overwrites it`
        : fileObstacle(file, code, 'written')
    throw new AgentError('invalid_configuration', message)
  }
}

/**
 * Makes the first start in a folder a start. A file that somebody named must exist: a misspelt path must not begin a new
 * installation.
 *
 * @returns whether it was written
 */
export async function writeFirstConfiguration(config: string): Promise<boolean> {
  if (!isDefaultFile(config) || existsSync(resolve(config))) return false
  await writeConfiguration(config, USUAL_CHOICES)
  return true
}
