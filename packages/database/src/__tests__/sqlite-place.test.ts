import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePlace } from '../sqlite-place.js'

describe('the place of a SQLite database', () => {
  it('is no obstacle while another process makes and removes files beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-place-'))
    const file = join(folder, 'a.sqlite')
    let isOver = false
    const other = (async () => {
      while (!isOver) {
        await writeFile(`${file}-wal`, '')
        await rm(`${file}-wal`)
      }
    })()
    const obstacles = new Set<string | undefined>()
    for (let n = 0; n < 300; n += 1) obstacles.add(await makePlace(file))
    isOver = true
    await other
    assert.deepEqual([...obstacles], [undefined])
    await rm(folder, { recursive: true })
  })
})
