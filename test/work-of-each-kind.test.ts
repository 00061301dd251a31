import assert from 'node:assert/strict'
import { WORK_KINDS } from '@vidimus/core-types'
import { FAILING_KINDS } from './support/failing-kinds.js'
import { FailingWork } from './support/failing-work.js'
import { PLACES } from './support/fresh-database.js'

for (const place of PLACES) {
  describe(`work whose outside is away (${place})`, () => {
    let work: FailingWork
    before(async () => {
      work = await FailingWork.start(place)
    })
    afterEach(() => work.mend())
    after(() => work?.stop())

    for (const [n, kind] of WORK_KINDS.entries())
      it(`of the kind ${kind} is found at each door with its failure, and tried again once that is back`, async () => {
        const failing = FAILING_KINDS[kind]
        const account = `of-${kind}`
        const client = await work.service.clientOf(account)
        const doors = work.doors(kind, account, failing.byOperators ? undefined : client)
        const [first = assert.fail()] = doors
        // They try the same again, so each kind needs one of them.
        const door = doors[n % doors.length] ?? assert.fail()
        const hadEffect = await failing.fail(work, client, account)
        const { id, subject } = await work.failed(kind, door)
        const find = async ({ list } = door) => (await list()).find((item) => item.id === id)
        for (const each of doors) {
          const item = (await find(each)) ?? assert.fail()
          assert.deepEqual([item.state, item.can.includes('retry')], ['failed', true])
          assert.match(item.failure ?? '', failing.failure)
        }
        await work.mend()
        assert.equal((await find())?.state, 'failed')
        await door.retry(id)
        await work.over(first, id)
        await hadEffect(subject)
      })
  })
}
