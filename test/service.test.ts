import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { rateLimitSuite } from './behaviour/rate-limits.js'
import { BEHAVIOURS, everySuite } from './behaviour/service-suites.js'
import { describeService } from './behaviour/set-ups.js'

describeService('SQLite', (setup) => everySuite(setup))

describe('the service with low limits', rateLimitSuite)

it('every suite of behaviour is in the table of what runs on which set-up', async () => {
  const folder = join(import.meta.dirname, 'behaviour')
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const suites = texts.flatMap((text) =>
    [...text.matchAll(/^export function (\w+Suite)\([^)]*: Setup\)/gm)].map(([, name = '']) => name),
  )
  assert.deepEqual(BEHAVIOURS.map(({ suite }) => suite.name).sort(), suites.sort())
})
