import { AgentError, type SealedStore } from '@vidimus/core-types'
import { whyUnfit } from '@vidimus/database'
import { SCHEMA, type ArchivedTable, type ArchiveHead } from './archive-format.js'
import type { ArchivedRows } from './archive-reader.js'
import type { DatabaseTable } from './database-tables.js'

/**
 * Whether the same migrations created the tables of the archive.
 *
 * @param migrations - names of those of this version
 * @throws AgentError `invalid_input` naming the difference
 */
export function demandSameMigrations(head: ArchiveHead, migrations: readonly string[]): void {
  const missing = head.migrations.filter((name) => !migrations.includes(name))
  const unfit = whyUnfit(head.migrations, missing, migrations)
  if (unfit !== undefined) throw new AgentError('invalid_input', `the archive ${unfit}`)
  const further = migrations.filter((name) => !head.migrations.includes(name))
  if (missing.length + further.length === 0 && head.schema === SCHEMA) return
  const parts = [
    ...(head.schema === SCHEMA
      ? []
      : [`its schema is ${head.schema}, and that of this version is ${SCHEMA}`]),
    ...(missing.length > 0
      ? [`the archive has the migration ${missing.join(', ')}, and this version does not`]
      : []),
    ...(further.length > 0
      ? [`this version has the migration ${further.join(', ')}, and the archive does not`]
      : []),
  ]
  throw new AgentError(
    'invalid_input',
    `the archive comes from another version: ${parts.join('; ')}. Import it with the version that wrote it, or export ` +
      'it again with this one',
  )
}

/** @throws AgentError `invalid_input` naming the first table that differs */
export function demandSameTables(archived: readonly ArchivedTable[], tables: readonly DatabaseTable[]): void {
  const names = new Set([...archived, ...tables].map(({ name }) => name))
  for (const name of names) {
    const [one, other] = [archived, tables].map((list) =>
      tableShape(list.find((table) => table.name === name)),
    )
    if (one === other) continue
    const difference = !one ? 'the archive lacks it' : !other ? 'the database lacks it' : 'its columns differ'
    throw new AgentError(
      'invalid_input',
      `the table ${name} is not the same in the archive and in the database: ${difference}`,
    )
  }
}

function tableShape(table: Pick<ArchivedTable, 'columns' | 'key'> | undefined): string | undefined {
  return table && JSON.stringify([table.columns.map(({ name, type }) => [name, type]), table.key])
}

/** Checks that the secrets that sealed the archive's content are available. */
export class SecretCheck {
  private readonly unknown = new Map<SealedStore, Set<string>>()

  constructor(private readonly stores: readonly SealedStore[]) {}

  look({ table, lines }: ArchivedRows): void {
    for (const store of this.stores) {
      for (const place of store.places.filter((one) => one.table === table.name)) {
        const position = table.columns.findIndex(({ name }) => name === place.column)
        if (position >= 0) this.lookAt(store, lines, position)
      }
    }
  }

  /** @throws AgentError `wrong_secret` */
  demandSecrets(): void {
    const [first] = this.unknown
    if (!first) return
    const [{ envelope, name }] = first
    const needed = quotedIds([...new Set([...this.unknown.values()].flatMap((ids) => [...ids]))])
    const holds = envelope.keyIds.length > 0 ? `holds ${quotedIds(envelope.keyIds)}` : 'holds none'
    throw new AgentError(
      'wrong_secret',
      `the encryption secret does not fit the archive: ${name} in it are sealed with the secret ${needed}, but ` +
        `${envelope.origin} ${holds}. The secret is never in an archive: put the one of the installation that was ` +
        'exported there, or set KMS_SECRET_KEY to it',
    )
  }

  private lookAt(store: SealedStore, lines: readonly string[], position: number): void {
    const ids = this.unknown.get(store) ?? new Set()
    for (const line of lines) {
      const value = (JSON.parse(line) as unknown[])[position]
      const id = typeof value === 'string' ? store.envelope.keyIdOf(value) : undefined
      if (id !== undefined && !ids.has(id) && !store.envelope.knows(id)) ids.add(id)
    }
    if (ids.size > 0) this.unknown.set(store, ids)
  }
}

const quotedIds = (ids: readonly string[]) => ids.map((id) => `"${id}"`).join(' and ')
