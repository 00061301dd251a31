import type { MigrationInterface, QueryRunner } from 'typeorm'
import { HOME_VERSION_MIGRATIONS } from '../home-versions.js'
import { migrationNames } from '../migrate.js'

/** Those of a database with notes: the table, and what every database has. */
export const ALL = ['CreateNote1700000000000', migrationNames({ migrations: [HOME_VERSION_MIGRATIONS] })[0]]

/** A table for the tests of this package. */
export class CreateNote1700000000000 implements MigrationInterface {
  static readonly remembered = ['note', 'later']

  readonly name = 'CreateNote1700000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE note (id TEXT PRIMARY KEY, body TEXT NOT NULL)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE note')
  }
}

/** One that comes later. */
export class DoNothing1700000000001 implements MigrationInterface {
  readonly name = 'DoNothing1700000000001'
  readonly up = () => Promise.resolve()
  readonly down = () => Promise.resolve()
}
