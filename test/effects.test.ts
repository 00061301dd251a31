import assert from 'node:assert/strict'
import { EFFECTS, type Effect } from '@vidimus/core-types'
import { NAMED_RIGHTS, effectsOf } from '../packages/remote-server/src/admission/scope-table.js'
import { createDid, createList } from './behaviour/suite.js'
import type { Answer, Client } from './support/client.js'
import { doorsToEffects, type EffectDoor, type ListsOfDoors } from './support/effect-doors.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

const UNREACHABLE = ['keyManagerImport']

for (const place of PLACES) {
  describe(`rights for effects (${place})`, () => {
    let service: ServiceHere
    let owner: Client
    let lists: ListsOfDoors

    before(async () => {
      service = await ServiceHere.start({
        url: await freshDatabase(place),
        listen: true,
        configure: (text) => text.replace('maxOpenJobs: 10', 'maxOpenJobs: 1000'),
      })
      owner = await service.clientOf('issuer')
      const did = await createDid(owner)
      const { statusListName: plain } = await createList(owner, { did })
      const encrypted = 'closed'
      await owner.ok('POST', '/credential-status/create/encrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName: encrypted, paymentConditions: [] },
      })
      lists = { did, plain, encrypted }
    })
    after(() => service.stop())

    const withScopes = async (scopes: readonly string[]) =>
      owner.as((await service.accounts.createApiKey({ account: 'issuer', scopes: [...scopes] })).apiKey)
    const knock = (client: Client, { method, path, request }: EffectDoor) =>
      client.call(method ?? 'POST', path, request)
    const isShut = ({ status, body }: Answer) =>
      status === 403 && /lacks a required scope/.test((body as { error: string }).error)

    it('are the same at every door to an effect, for keys that have everything else and for each right', async () => {
      const doors = doorsToEffects(lists)
      const groups = [...new Set(Object.values(EFFECTS).flat())].filter((scope) => scope !== 'operator')
      for (const [effect, list = []] of Object.entries(doors) as [Effect, EffectDoor[]][]) {
        const rights: readonly string[] = EFFECTS[effect]
        // The ids of the doors to jobs open them, but allow no row.
        const ids = list.map(({ id }) => id).filter((id) => /job/i.test(id))
        const without = await withScopes([
          ...new Set([...groups.filter((scope) => !rights.includes(scope)), ...ids]),
        ])
        await Promise.all(
          list.map(async (door) => {
            const answer = await knock(without, door)
            const text = `${effect}: ${door.title}: ${answer.status} ${JSON.stringify(answer.body)}`
            assert.ok(isShut(answer), text)
            for (const scope of rights) assert.ok(text.includes(scope), text)
          }),
        )
        for (const scope of rights.filter((one) => !UNREACHABLE.includes(one))) {
          const client = await withScopes([scope])
          await Promise.all(
            list.map(async (door) => {
              const answer = await knock(client, door)
              assert.ok(!isShut(answer), `${scope}: ${door.title}: ${JSON.stringify(answer.body)}`)
            }),
          )
        }
      }
    })

    it('are tried at every door to an effect that has several', () => {
      const doors = doorsToEffects(lists)
      for (const effect of Object.keys(EFFECTS) as Effect[]) {
        const hasIds = EFFECTS[effect].some((scope) => NAMED_RIGHTS.includes(scope))
        if (!hasIds || effect === 'list-dids') continue
        const tried = new Set((doors[effect] ?? []).map(({ id }) => id))
        const ids = NAMED_RIGHTS.filter((id) => effectsOf(id).includes(effect))
        // Reading, pausing and resuming need the rights of the job at hand.
        const own = ids.filter(
          (id) => !/status-job-(read|report|pause|resume)|Job(Get|Report|Pause|Resume)/.test(id),
        )
        assert.deepEqual(
          own.filter((id) => !tried.has(id)),
          [],
          effect,
        )
      }
    })
  })
}
