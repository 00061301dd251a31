import type { Client } from '../../support/client.js'
import { createList } from '../../behaviour/suite.js'
import { asked } from './changes.js'
import { ModelList, type Facts } from './facts.js'
import { untilSettled } from './settled.js'

/** Several renewals in the shortest run. */
const SPAN_MS = 8000
const REVOKED = [3, 70_000]

/** Lists that only the service itself signs again, and that must not lose what was revoked at their beginning. */
export async function beginRenewals(client: Client): Promise<ModelList[]> {
  const lists: ModelList[] = []
  for (const listType of ['BitstringStatusList', 'TokenStatusList']) {
    const body = { validUntil: new Date(Date.now() + SPAN_MS).toISOString() }
    const name = await createList(client, { listType, body })
    const list = new ModelList({
      ...name,
      listType,
      statusPurpose: 'revocation',
      actions: ['revoke'],
      values: { revoke: 1, suspend: 1, reinstate: 0 },
    })
    await client.ok('POST', list.updates, asked(list, 'revoke', REVOKED))
    list.settle(REVOKED, 1)
    lists.push(list)
  }
  return lists
}

/** None has expired for good. */
export async function readRenewals(client: Client, facts: Facts, lists: readonly ModelList[]): Promise<void> {
  for (const list of lists) {
    const leftMs = await untilSettled(
      async () => (await expiryOf(client, list)) - Date.now(),
      (left) => left > 0,
    )
    facts.hold(leftMs > 0, () => `deadline: ${list.address} expired ${-leftMs} ms ago`)
    facts.acknowledge()
  }
}

async function expiryOf(client: Client, { address }: ModelList): Promise<number> {
  const jwt = await (await fetch(`${client.url}/1.0/identifiers/${address}`)).text()
  const { exp, validUntil } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as {
    exp?: number
    validUntil?: string
  }
  return validUntil === undefined ? (exp ?? 0) * 1000 : Date.parse(validUntil)
}
