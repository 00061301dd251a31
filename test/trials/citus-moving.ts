import assert from 'node:assert/strict'
import { ArchiveCommands } from '../support/archive-commands.js'
import { CitusDatabases, obstacleWithoutCitus, URL_OF } from '../support/citus-databases.js'
import { Examination } from '../support/doctor.js'
import { freshDatabase } from '../support/fresh-database.js'
import { startsOver } from '../support/interrupted-import.js'
import { filled, moved, type Resting } from '../support/moved-installation.js'
import { runVidimus } from '../support/service.js'
import { trialOf, type Figures } from './trial.js'

const RULE =
  'An installation is exported from SQLite into a database of Citus that is distributed already, and from PostgreSQL into one that is ' +
  'distributed afterwards; from there it goes back to SQLite and to PostgreSQL. After each move every table has the same rows, the ' +
  'service answers as before, and goes on: keys sign, lists change, indices and numbers continue. An import that is killed ' +
  '(`kill -9`) starts over.'

async function run(): Promise<Figures> {
  const archives = await ArchiveCommands.inFolder()
  const figures: Figures = {}
  const databases = await CitusDatabases.beside(process.env[URL_OF] ?? assert.fail(`${URL_OF} is not set`))
  const move = async (name: string, ...[before, url, settle]: [Resting, string, (() => Promise<void>)?]) => {
    const startedAt = performance.now()
    const after = await moved(archives, before, url, { name, ...(settle && { settle }) })
    const rows = (await archives.contentOf(`${name}.age`)).reduce((sum, table) => sum + table.rows, 0)
    figures[name] = `${rows} rows, ${Math.round((performance.now() - startedAt) / 1000)} s`
    return after
  }
  try {
    const first = await filled(archives, await freshDatabase('SQLite'))
    const before = await databases.create()
    await distribute(first.dataDirectory, before)
    const there = await move('SQLite to Citus', first, before)
    await move('Citus to SQLite', there, await freshDatabase('SQLite'))
    const back = await move('Citus to PostgreSQL', there, await freshDatabase('PostgreSQL'))
    const after = await databases.create()
    const again = await move('PostgreSQL to Citus', back, after, () => distribute(back.dataDirectory, after))
    await move('Citus to SQLite again', again, await freshDatabase('SQLite'))
    const interrupted = await databases.create()
    await distribute(first.dataDirectory, interrupted)
    await startsOver(archives, interrupted)
    return figures
  } finally {
    await databases.drop()
    await archives.remove()
  }
}

async function distribute(dataDirectory: string, url: string): Promise<void> {
  const installation = { dataDirectory, environment: { DATABASE_URL: url } }
  await runVidimus(['migrate', '--new-database'], installation)
  await runVidimus(['database', 'distribute', '--yes'], installation)
  assert.match((await Examination.of(installation)).of('distribution'), /^ok: Citus/)
}

export const citusMoving = trialOf('citus-moving', RULE, { full: {}, short: {} }, run, () =>
  obstacleWithoutCitus(URL_OF),
)
