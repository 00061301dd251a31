/** Takes indices until it is killed; those acknowledged are on the standard output. */
import type { StatusListLocation } from '@vidimus/core-types'
import { openStore } from './open-store.js'

const [folder = '', list = ''] = process.argv.slice(2)
const { store } = await openStore(folder)
const location = JSON.parse(list) as StatusListLocation
const client = async () => {
  for (;;) {
    const index = await store.indices.take(location, 4096, () => false)
    process.stdout.write(`${index}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, client))
