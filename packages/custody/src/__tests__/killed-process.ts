/** Creates DIDs until it is killed: those on the ledger are in its file, those acknowledged on the standard output. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Ledger, LedgerLikeProvider } from './ledger-like-provider.js'
import { accountNamed, as, install } from './set-up.js'

const folder = process.argv[2] ?? ''
const ledger = new Ledger()
const file = await open(join(folder, 'ledger'), 'a')
const provider = new LedgerLikeProvider(ledger, async (did, publicKeyHex) => {
  ledger.dids.set(did, publicKeyHex)
  await file.appendFile(`${did} ${publicKeyHex}.\n`)
})
const here = await install(folder, { providers: { 'did:test': provider }, resolvers: ledger.resolver })
const account = await accountNamed(here, 'one')
const client = async () => {
  for (;;) {
    const { did } = await as(account)(() => here.agent.didManagerCreate({ provider: 'did:test' }))
    process.stdout.write(`${did}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, client))
