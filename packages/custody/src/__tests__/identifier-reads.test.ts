import assert from 'node:assert/strict'
import type { Account } from '@vidimus/core-types'
import type { Sql } from '@vidimus/database'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { HoldingsPlugin } from '../index.js'
import { readIdentifiers } from '../identifier-rows.js'
import { as, emptyDatabase, install, type Installation, removeFolder, temporaryFolder } from './set-up.js'

const DID = 'did:web:read.example'

for (const place of PLACES) {
  describe(`a DID and its keys, which have different homes (${place})`, () => {
    let folder: string
    let here: Installation
    let account: Account
    let kids: string[]
    beforeEach(async () => {
      folder = await temporaryFolder()
      here = await install(folder, { url: await emptyDatabase(place) })
      account = await here.accounts.create('acme')
      kids = []
      for (let n = 0; n < 2; n += 1) {
        const { kid } = await as(account)(() =>
          here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }),
        )
        kids.push(kid)
      }
      await store(kids.slice(0, 1))
    })
    afterEach(async () => {
      await here.stop()
      await removeFolder(folder)
    })
    const store = (linked: readonly string[]) =>
      as(account)(() =>
        here.didStore.importDID({
          did: DID,
          provider: 'did:web',
          keys: linked.map((kid) => ({ kid, kms: 'local', type: 'Ed25519', publicKeyHex: kid })),
          services: [],
        }),
      )

    it('are read with the version from before the keys, so that what changes in between is not undone', async () => {
      let statements = 0
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        statements += 1
        if (statements === 2) await store(kids)
        return here.database.query<Row>(statement)
      }
      const [found] = await readIdentifiers({ query }, account.id, [DID])
      assert.deepEqual([found?.version, found?.identifier.keys.length], [1, 2])
    })

    it('show a new label of a key, and a key that is linked, at once', async () => {
      const { methods } = new HoldingsPlugin(here.unit)
      const read = () => as(account)(() => here.agent.didManagerGet({ did: DID }))
      assert.equal((await read()).keys[0]?.meta?.alias, undefined)
      await as(account)(() => methods.accountKeyUpdate({ kid: kids[0] ?? '', alias: 'first' }))
      assert.equal((await read()).keys[0]?.meta?.alias, 'first')
      await store(kids)
      assert.equal((await read()).keys.length, 2)
    })
  })
}
