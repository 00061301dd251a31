import type { Finding } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { readCitus } from '../distribution/citus-tables.js'
import { planned } from '../distribution/distribute.js'
import { configurationArgument } from '../installation.js'

/** Checks whether a Citus database is distributed, and whether an upgrade has added tables that are not. */
export async function distributionFindings(
  database: Pick<Database, 'dialect' | 'query'>,
  file: string,
): Promise<Finding[]> {
  const citus = await readCitus(database)
  if (!citus) return []
  const name = 'distribution'
  const { version, workers, tables } = citus
  const command = `vidimus database distribute${configurationArgument(file)}`
  if (tables.every(({ kept }) => kept === 'plain')) {
    const message = `Citus ${version}, not distributed: all tables are on this server alone`
    return [{ name, level: 'ok', message }]
  }
  const left = planned(tables)
  if (left.length > 0) {
    const names = left.map(({ table }) => table).join(', ')
    const message = `Citus ${version}: not distributed as this version has it: ${names}`
    return [
      { name, level: 'warn', message, advice: `stop the service, make a backup, then: ${command} --yes` },
    ]
  }
  const count = (wanted: string) => tables.filter(({ kept }) => kept === wanted).length
  const message =
    `Citus ${version}, ${workers} ${workers === 1 ? 'worker' : 'workers'}: ${count('distributed')} tables distributed by ` +
    `home, ${count('reference')} on every server, ${count('coordinator')} on the coordinator`
  return [{ name, level: 'ok', message }]
}
