import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { referencePages } from './pages.js'

const root = resolve(import.meta.dirname, '../..')

for (const [path, text] of Object.entries(await referencePages())) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
