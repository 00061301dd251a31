import assert from 'node:assert/strict'
import { createDid, freshName } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { YearlySeries } from './support/series-of-client.js'
import { until } from './support/until.js'

/** A DID and three lists, but not four: of the budget, a tenth is for changes. */
const BUDGET = 64
const THREE_LISTS = 57.2

interface Usage {
  networks: { testnet: { spendToday: { used: number } } }
}

for (const place of PLACES) {
  describe(`series on a network that costs (${place})`, () => {
    let networks: CheqdSetup
    let service: ServiceHere
    let client: Client

    before(async () => {
      networks = await CheqdSetup.start({ maxSpendPerDayCheq: BUDGET })
      service = await ServiceHere.start({
        url: await emptyInstallation(place),
        listen: true,
        environment: networks.environment,
        configure: networks.configure,
      })
      client = await service.clientOf('issuer')
    })
    after(async () => {
      await service.stop()
      await networks.stop()
    })

    it('publish members within the budget of the day, and say when it does not suffice', async () => {
      const series = new YearlySeries(client, await createDid(client), freshName('series'))
      await series.create()
      const years = [2100, 2101, 2102]
      for (const [n, year] of years.entries()) {
        await until(async () => (await series.members()).length === n + 1)
        const { list } = await series.issue(year)
        assert.match(list, new RegExp(`\\.${n + 1}&`))
      }
      await until(async () => (await series.blocked()).length > 0)
      const [blocked, ...more] = await series.blocked()
      assert.deepEqual([blocked?.code, more], ['budget_exceeded', []])
      const { status, body } = await series.tryIssue(2103)
      const { code, error } = body as { code: string; error: string }
      assert.deepEqual([status, code], [400, 'budget_exceeded'], error)
      assert.match(error, /needs another member, which cannot be created: maxSpendPerDayCheq/)
      assert.equal(await spent(), THREE_LISTS)
      // What is there goes on, and its tenth of the budget is for revocations.
      const { statusListName } = await series.revoke(await series.issue(2101))
      assert.equal(statusListName, `${series.statusListName}.2`)
      assert.ok((await spent()) > THREE_LISTS)
      assert.equal((await series.members()).length, years.length)
    })

    const spent = async () =>
      ((await client.ok('GET', '/account/usage')) as Usage).networks.testnet.spendToday.used
  })
}
