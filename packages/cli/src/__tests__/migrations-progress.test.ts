import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { BegunMigration } from '@vidimus/database'
import { tellingMigrations } from '../migrations-progress.js'

describe('progress of migrations', () => {
  const told = async (durations: readonly number[]) => {
    const lines: string[] = []
    let tell: (begun: BegunMigration) => void = () => undefined
    const database = {
      appliedMigrations: [] as string[],
      watchMigrations: (listener: typeof tell) => (tell = listener),
    }
    const total = durations.length
    await tellingMigrations(
      database,
      async () => {
        for (const [done, duration] of durations.entries()) {
          tell({ name: `M${done}`, done, total })
          if (duration > 0) await setTimeout(duration)
        }
        database.appliedMigrations = durations.map((_, n) => `M${n}`)
        await setTimeout(20)
      },
      (line) => lines.push(line),
      5,
    )
    return lines
  }

  it('shows migrations that take long', async () => {
    assert.deepEqual(await told([0, 50, 0]), ['migration 2 of 3: M1\n'])
  })

  it('is silent for quick migrations, whatever takes long afterwards', async () => {
    assert.deepEqual(await told([0, 0]), [])
    assert.deepEqual(await told([]), [])
  })
})
