import assert from 'node:assert/strict'
import { createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { OutsideVerifier } from './support/outside-verifier.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const SPAN_MS = 15_000
const LISTS = [
  { listType: 'BitstringStatusList', type: 'BitstringStatusListCredential' },
  { listType: 'TokenStatusList', type: 'TokenStatusList' },
]

// All of them concurrently, as each mostly waits.
it('lists do not expire, even if the process that created them was killed', async () => {
  await Promise.all(
    PLACES.map(async (place) => {
      const environment = { DATABASE_URL: await emptyInstallation(place), KMS_SECRET_KEY: 'a5'.repeat(32) }
      const first = await Service.start({ environment })
      const other = await Service.start({ environment })
      const client = await Client.of(first.url, first.apiKey)
      const verifier = new OutsideVerifier(other.url)
      const lists = await Promise.all(
        LISTS.map(async ({ listType, type }) => {
          const body = { validUntil: new Date(Date.now() + SPAN_MS).toISOString() }
          const { did, statusListName } = await createList(client, { listType, body })
          return [did, statusListName, type] as const
        }),
      )
      const end = Date.now() + SPAN_MS + 1000
      await first.kill()
      const signings = new Set<unknown>()
      await until(async () => {
        for (const [did, name, type] of lists) {
          const { iat } = await verifier.accepts(did, name, type)
          signings.add(`${did} ${iat}`)
        }
        return Date.now() > end
      })
      assert.ok(signings.size >= 2 * lists.length, `${place}: ${[...signings].join()}`)
      await other.stop()
    }),
  )
})
