import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { createDid, freshName } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const MODULE = join(import.meta.dirname, 'support/freezing-ledger.mjs')
const PAYEE = 'cheqd1qs0nhyk868c246defezhz5eymlt0dmajna2csg'
const QUERY = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }

const isStopped = async (pid: number) =>
  /^\d+ \(.*\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))

for (const place of PLACES) {
  describe(`a fee whose process freezes before it hands its payment over (${place})`, () => {
    let networks: CheqdSetup
    let url: string
    let frozen: Service | undefined
    let going: ServiceHere
    before(async () => {
      networks = await CheqdSetup.start()
      url = await emptyInstallation(place)
      const configure = (text: string) =>
        networks
          .configure(text)
          .replaceAll("'@vidimus/ledger-cheqd#CheqdLedger'", `'${MODULE}#FreezingCheqdLedger'`)
      const environment = { ...networks.environment, KMS_SECRET_KEY: 'a5'.repeat(32) }
      going = await ServiceHere.start({ url, listen: true, configure, environment })
      const more = { DATABASE_URL: url, FREEZE_PAYMENTS: 'once' }
      frozen = await Service.start({ environment: { ...environment, ...more }, configure })
    })
    after(async () => {
      await frozen?.kill()
      await going?.stop()
      await networks?.stop()
    })

    it('is paid once, by the process that has taken it over', async () => {
      const { pid = 0, url: elsewhere = '' } = frozen ?? {}
      const publisher = await going.clientOf('publisher')
      const reader = await going.clientOf('reader')
      const there = await Client.of(
        elsewhere,
        (await going.accounts.createApiKey({ account: 'reader' })).apiKey,
      )
      const list = { did: await createDid(publisher), statusListName: freshName('list') }
      const condition = { feePaymentAddress: PAYEE, feePaymentAmount: 3, feePaymentWindow: 10 }
      await publisher.ok('POST', '/credential-status/create/encrypted', {
        query: QUERY,
        json: { ...list, paymentConditions: [condition] },
      })
      const check = (by: Client) =>
        by.post('/credential-status/check', { query: QUERY, json: { ...list, index: 5 } })
      const late = check(there)
      await until(() => isStopped(pid))
      await going.database.write((connection) =>
        connection.run(
          sql`UPDATE status_list_payment SET begun_at = ${new Date(Date.now() - 61_000).toISOString()}`,
        ),
      )
      const { status, body } = await check(reader)
      assert.equal(status, 200, JSON.stringify(body))
      process.kill(pid, 'SIGCONT')
      const answer = await late
      assert.ok([200, 400, 503].includes(answer.status), JSON.stringify(answer.body))
      assert.equal((await check(there)).status, 200)
      assert.equal(await networks.balanceOf('testnet', PAYEE), 3_000_000_000n)
      assert.equal((await going.audit.list({ event: 'payment-made' })).length, 1)
    })
  })
}
