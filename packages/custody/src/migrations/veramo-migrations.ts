import type { LaterEntities, MigrationClass } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Veramo's stores, with TypeORM behind them, are a fifth of what a start loads: only their migrations need them. */
const load = () => import('@veramo/data-store')

/** The names of Veramo's migrations, in the order in which they are applied. */
const NAMES = [
  'CreateDatabase1447159020001',
  'SimplifyRelations1447159020002',
  'CreatePrivateKeyStorage1629293428674',
  'AllowNullIssuanceDateForPresentations1637237492913',
]

/** The tables of keys and DIDs as Veramo makes them; its own code is loaded when one of them is applied. */
export const veramoMigrations: readonly MigrationClass[] = NAMES.map(
  (name) =>
    class implements MigrationInterface {
      readonly name = name

      async up(queryRunner: QueryRunner): Promise<void> {
        await (await veramoMigration(name)).up(queryRunner)
      }

      async down(queryRunner: QueryRunner): Promise<void> {
        await (await veramoMigration(name)).down(queryRunner)
      }
    },
)

/** What Veramo's migrations ask for; nothing else uses them. */
export const entities: LaterEntities = { load: async () => (await load()).Entities }

async function veramoMigration(name: string): Promise<MigrationInterface> {
  const { migrations } = await load()
  const found = migrations.map((Migration) => new Migration()).find((migration) => migration.name === name)
  if (!found) throw new Error(`Veramo has no migration ${name}`)
  return found
}
