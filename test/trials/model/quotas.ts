import { told, type Caller } from './caller.js'
import { CREATE } from './lives.js'
import type { Client } from '../../support/client.js'
import type { Facts } from './facts.js'

const AT_ONCE = 6

/** An account that is asked for more DIDs and lists than it may have, all at once, of all processes. */
export async function liveAtQuota(caller: Caller): Promise<void> {
  const { random, facts, world } = caller
  const quotas = { dids: random.between(1, 4), statusLists: random.between(1, 4) }
  const name = `quota-${random.uuid()}`
  const json = { name, quotas, firstKey: {} }
  const created = await caller.ask('POST', '/operator/accounts', { json, account: world.operatorKey })
  if (created.kind === 'refused') facts.find(`an account was refused: ${told(created)}`)
  if (created.kind !== 'done') return
  const account = (created.body as { firstKey: { apiKey: string } }).firstKey.apiKey
  const made = (await atOnce(caller, account, () => ['/did/create', { json: { network: 'testnet' } }])) as {
    did: string
  }[]
  const [first] = made
  if (!first) return
  const lists = await atOnce(caller, account, (n) => [
    CREATE,
    {
      query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
      json: { did: (made[n % made.length] ?? first).did, statusListName: `list-${n}` },
    },
  ])
  facts.quotas.push({
    account,
    name,
    dids: { made: made.length, most: quotas.dids },
    // What a network stores costs fees in place of a quota.
    ...(!world.onNetwork && {
      // One more for each that is under way beside the one that reaches the limit.
      statusLists: { made: lists.length, most: quotas.statusLists + AT_ONCE - 1 },
    }),
  })
}

/** @returns the answers to those that were not refused because of a quota, each of which is asked for until it is answered */
async function atOnce(
  caller: Caller,
  account: string,
  request: (n: number) => [path: string, { json: object; query?: Record<string, string> }],
): Promise<unknown[]> {
  const { random, facts } = caller
  const said = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, n) => {
      const [path, asking] = request(n)
      const headers = { 'idempotency-key': random.uuid() }
      return caller.insist('POST', path, { ...asking, account, headers, fragile: random.chance(0.2) })
    }),
  )
  return said.flatMap((one) => {
    if (one?.kind === 'done') return [one.body]
    if (one && one.code !== 'quota_exceeded') facts.find(`refused, not by its quota: ${told(one)}`)
    return []
  })
}

/** No account has more than its quota, and the counts are those of what was answered. */
export async function readQuotas(client: Client, facts: Facts): Promise<void> {
  for (const { account, name, ...quotas } of facts.quotas) {
    const usage = (await client.as(account).ok('GET', '/account/usage')) as Record<string, { used: number }>
    for (const [kind, { made, most }] of Object.entries(quotas)) {
      const used = usage[kind]?.used
      facts.hold(
        used === made && made <= most,
        () => `exact: ${name} has ${used} ${kind}, ${made} were answered, and it may have ${most}`,
      )
      facts.acknowledge()
    }
  }
}
