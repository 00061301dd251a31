import assert from 'node:assert/strict'
import type { Rotated } from './behaviour/rotation.js'
import { createDid, freshName } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { OutsideVerifier } from './support/outside-verifier.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const LISTS = 30
const TYPE = 'BitstringStatusListCredential'

for (const place of PLACES) {
  it(`every list verifies at any time on ${place} while processes that rotate the key are killed`, async function () {
    // as many processes are started as rounds are made
    const environment = { DATABASE_URL: await emptyInstallation(place), KMS_SECRET_KEY: 'a5'.repeat(32) }
    const reader = await Service.start({ environment })
    const client = await Client.of(reader.url, reader.apiKey)
    const did = await createDid(client)
    const names = Array.from({ length: LISTS }, () => freshName('rotated'))
    await Promise.all(names.map((statusListName) => createNamed(client, did, statusListName)))
    const verifier = new OutsideVerifier(reader.url)
    let over = false
    const watched = watch(verifier, did, names, () => over)
    // whoever waits for the end is told
    watched.catch(() => undefined)

    const rotations: Rotated[] = []
    for (let round = 0; round < 2; round += 1) {
      const victim = await Service.start({ environment })
      const other = await Client.of(victim.url, reader.apiKey)
      const asked = other
        .post('/did/rotate-key', { json: { did, gracePeriod: 'PT0S' } })
        .catch(() => undefined)
      await until(async () => {
        const { status, body } = await client.get(`/did/rotations/${did}`)
        const { key, signedLists } = body as Rotated
        return status === 200 && signedLists > 0 && key !== rotations.at(-1)?.key
      })
      await victim.kill()
      await asked
      await until(async () => {
        const rotation = (await client.ok('GET', `/did/rotations/${did}`)) as Rotated
        if (rotation.endedAt === undefined) return false
        rotations.push(rotation)
        return true
      })
    }
    over = true
    assert.ok((await watched) > names.length)
    assert.ok(
      rotations.every(({ state }) => state === 'done'),
      JSON.stringify(rotations),
    )
    const { key = '' } = rotations.at(-1) ?? {}
    const { keys } = (await client.ok('GET', `/did/read/${did}`)) as { keys: { kid: string }[] }
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      [key],
    )
    for (const name of names) await verifier.accepts(did, name, TYPE)
    await reader.stop()
  })
}

/** @returns how often a list was verified; throws where one was not */
async function watch(verifier: OutsideVerifier, did: string, names: string[], isOver: () => boolean) {
  let verified = 0
  while (!isOver()) {
    for (const name of names) {
      // The document may change between the two requests of a verifier, which then retries.
      await verifier.accepts(did, name, TYPE).catch(() => verifier.accepts(did, name, TYPE))
      verified += 1
    }
  }
  return verified
}

const createNamed = (client: Client, did: string, statusListName: string) =>
  client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: { did, statusListName },
  })
