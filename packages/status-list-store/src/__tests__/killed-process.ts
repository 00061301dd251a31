/** Takes indices until it is killed; those acknowledged are on the standard output. */
import type { StatusListLocation } from '@vidimus/core-types'
import { openStore, takeFree } from './open-store.js'

const [folder = '', list = ''] = process.argv.slice(2)
const { store } = await openStore(folder)
const location = JSON.parse(list) as StatusListLocation
const client = async () => {
  for (;;) {
    const index = await takeFree(store, location, 1024)
    process.stdout.write(`${index}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, client))
