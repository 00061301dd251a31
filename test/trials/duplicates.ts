import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { Client } from '../support/client.js'
import { FaultProxy } from '../support/fault-proxy.js'
import { assertLinear, statesOf, versionsOf } from '../support/list-history.js'
import { Calls } from './calls.js'
import { withAnyFleet } from './fleet.js'
import { createLists, type Action, type TrialList } from './list-kinds.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  lists: number
  /** of each list, one after the other */
  changes: number
}

const RULE =
  'Every update is sent two to five times, at the same time and later, to several processes, some over ' +
  'connections that break before the response arrives. Each creates exactly one version of its list, at ' +
  'most one response reports a change, and the list has the state of the updates sent once.'

async function run({ processes, lists: count, changes }: Size): Promise<Figures> {
  return withAnyFleet(processes, async (fleet) => {
    const lists = await createLists(fleet.client(), count)
    const calls = new Calls()
    const proxies = await Promise.all(fleet.members.map(({ port }) => FaultProxy.inFrontOf(port)))
    try {
      const unreliable = await Promise.all(
        proxies.map(({ port }) => Client.of(`http://127.0.0.1:${port}`, fleet.apiKey)),
      )
      for (const proxy of proxies) proxy.impose({ lost: 'to the client' })
      const cutting = setInterval(() => proxies.map((proxy) => proxy.cut()), 150)
      const clients = fleet.members.map(({ client }) => client)
      try {
        await Promise.all(
          lists.map((list) => changeRepeatedly(list, changes, { clients, unreliable, calls })),
        )
      } finally {
        clearInterval(cutting)
      }
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    }
    assert.ok(calls.of('cut') > 0, 'every answer has arrived')
    return { changes: count * changes, requests: calls.of('200') + calls.of('cut'), answers: calls.summary }
  })
}

interface Ways {
  clients: readonly Client[]
  /** the request arrives, the answer does not */
  unreliable: readonly Client[]
  calls: Calls
}

async function changeRepeatedly(list: TrialList, changes: number, ways: Ways): Promise<void> {
  const expected = new Map<number, number>()
  for (let n = 0; n < changes; n++) {
    const action = list.actions[0] ?? assert.fail()
    const index = n * 7
    await changeOnce(list, { index, action }, ways)
    expected.set(index, list.values[action])
    const versions = await versionsOf(ways.clients[0] ?? assert.fail(), list)
    assert.equal(versions.length, n + 2, `${versions.length} versions after ${n + 1} changes`)
  }
  const [client = assert.fail()] = ways.clients
  assert.deepEqual(await statesOf(client, list, list.statusPurpose, list.listType), expected)
  assertLinear(await versionsOf(client, list))
}

/** The same request again and again, and at least once so that its answer arrives. */
async function changeOnce(
  list: TrialList,
  { index, action }: { index: number; action: Action },
  { clients, unreliable, calls }: Ways,
): Promise<void> {
  const { did, statusListName, listType } = list
  const send = async (client: Client) => {
    const outcome = await calls.make(client, 'POST', '/credential-status/update/unencrypted', {
      query: { listType, statusAction: action },
      json: { did, statusListName, indices: [index] },
    })
    if (outcome.kind === 'cut') return []
    if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome))
    const { changed, updated } = outcome.body as { changed: number[]; updated: boolean }
    assert.equal(updated, true)
    return changed
  }
  const all = [...clients, ...unreliable].sort(() => Math.random() - 0.5)
  const atOnce = all.slice(0, 1 + Math.floor(Math.random() * 3)).map((client) => send(client))
  const changed = (await Promise.all(atOnce)).flat()
  await setTimeout(Math.random() * 10)
  changed.push(...(await send(pick(clients))), ...(await send(pick(all))))
  assert.ok(changed.length <= 1, `${changed.length} answers say that ${index} was changed`)
}

const pick = (clients: readonly Client[]): Client =>
  clients[Math.floor(Math.random() * clients.length)] ?? assert.fail()

export const duplicates = trialOf(
  'duplicates',
  RULE,
  {
    full: { processes: 4, lists: 6, changes: 60 },
    short: { processes: 2, lists: 2, changes: 4 },
  },
  run,
)
