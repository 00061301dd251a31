import assert from 'node:assert/strict'
import pg from 'pg'
import type { Client } from './support/client.js'
import { emptyInstallation } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'

type Query = (this: unknown, query: unknown, ...others: unknown[]) => unknown

/** The numbers of the advisory locks that transactions of this process wait for, shared ones included. */
class WaitedFor {
  private readonly locks = new Set<string>()
  private readonly own = (pg.Client.prototype as unknown as { query: Query }).query

  constructor() {
    const { own, locks } = this
    const query: Query = function (query, ...others) {
      const { text = '', values = [] } = query as { text?: string; values?: unknown[] }
      for (const [, n] of text.matchAll(/pg_advisory_lock(?:_shared)?\(CAST\(\$(\d+) AS BIGINT\)\)/g))
        locks.add(String(values[Number(n) - 1]))
      return own.call(this, query, ...others)
    }
    Object.assign(pg.Client.prototype, { query })
  }

  /** From here on. @returns what there was until now */
  take(): Set<string> {
    const taken = new Set(this.locks)
    this.locks.clear()
    return taken
  }

  end(): void {
    Object.assign(pg.Client.prototype, { query: this.own })
  }
}

describe('changes of two DIDs of an account (PostgreSQL)', function () {
  let service: ServiceHere
  let client: Client
  let waitedFor: WaitedFor
  let dids: string[]

  before(async () => {
    service = await ServiceHere.start({ url: await emptyInstallation('PostgreSQL'), listen: true })
    client = await service.clientOf('owner')
    dids = [await newDid(), await newDid()]
    waitedFor = new WaitedFor()
    for (const did of dids) await operations['a new list']?.(did)
  })
  after(async () => {
    waitedFor.end()
    await service.stop()
  })

  const newDid = async () => {
    const made = await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
    return (made as { did: string }).did
  }
  const list = { listType: 'BitstringStatusList' }
  let n = 0
  const operations: Record<string, (did: string) => Promise<unknown>> = {
    'a new list': (did) =>
      client.ok('POST', '/credential-status/create/unencrypted', {
        query: { ...list, statusPurpose: 'revocation' },
        json: { did, statusListName: n++ < 2 ? 'list' : `list ${n}` },
      }),
    'an update of a list': (did) =>
      client.ok('POST', '/credential-status/update/unencrypted', {
        query: { ...list, statusAction: 'revoke' },
        json: { did, statusListName: 'list', indices: [n++] },
      }),
    'a credential with an entry': (did) =>
      client.ok('POST', '/credential/issue', {
        json: {
          issuerDid: did,
          subjectDid: did,
          attributes: { degree: 'Master' },
          credentialStatus: { statusListName: 'list', statusPurpose: 'revocation' },
        },
      }),
    'a new resource': (did) =>
      client.post(`/resource/create/${did}`, {
        json: { data: 'eA', encoding: 'base64url', name: `resource ${n++}`, type: 'Thing' },
      }),
  }

  for (const [name, operation] of Object.entries(operations)) {
    it(`wait for no lock in common: ${name}`, async () => {
      const [one, other] = dids as [string, string]
      // The first use of something by an account may have work of its own.
      for (const did of dids) await operation(did)
      waitedFor.take()
      await operation(one)
      const locks = waitedFor.take()
      await operation(other)
      const ofOther = waitedFor.take()
      assert.ok(locks.size > 0 && ofOther.size > 0)
      assert.deepEqual(
        [...locks].filter((lock) => ofOther.has(lock)),
        [],
      )
    })
  }
})
