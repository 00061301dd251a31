// node make-keys.mjs COUNT: makes so many keys of each type, imports and signs with some of them, and writes a line for every
// thousand; the last line is a JSON text with the microseconds of processor time that a key of each type took.
import { NodeKeyManagementSystem } from '@vidimus/kms-node'

const TYPES = ['Ed25519', 'X25519', 'Secp256r1', 'Secp256k1']
const count = Number(process.argv[2])

/** Keeps the last key alone. */
class OneKey {
  async importKey(key) {
    this.key = key
    return key
  }
  async getKey() {
    return this.key
  }
}

const store = new OneKey()
const kms = new NodeKeyManagementSystem(store)
const figures = {}
for (const type of TYPES) figures[type] = await make(type)
console.log(JSON.stringify(figures))

async function make(type) {
  const before = process.cpuUsage()
  for (let n = 1; n <= count; n += 1) {
    const key = await kms.createKey({ type })
    if (n % 100 === 0) await use(key)
    if (n % 1000 === 0) console.log(`${n} of ${type}`)
  }
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / count)
}

async function use({ type, publicKeyHex }) {
  const { publicKeyHex: imported } = await kms.importKey(store.key)
  if (imported !== publicKeyHex) throw new Error(`${type}: another public key after the import`)
  if (type !== 'X25519') await kms.sign({ keyRef: { kid: publicKeyHex }, data: Buffer.from('data') })
}
