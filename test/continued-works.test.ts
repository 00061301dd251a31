import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JOB_EFFECTS, type Effect } from '@vidimus/core-types'
import { operations } from '@vidimus/remote-server'
import { AGENT_METHODS, effectsOf } from '../packages/remote-server/src/admission/scope-table.js'
import { createDid, createList, freshName } from './behaviour/suite.js'
import type { Answer, Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { root } from './support/repository.js'
import { YearlySeries } from './support/series-of-client.js'
import { ServiceHere } from './support/service-here.js'
import { sources } from './support/sources.js'
import { until } from './support/until.js'

/** Work that goes on after its request, or that a later request repeats or goes on with. */
interface Work {
  /** of its background passes, as they name themselves */
  passes?: readonly string[]
  /** ids of the operations and methods that repeat it or go on with it */
  doors: readonly string[]
  /** what each of these needs, one of */
  needs: readonly Effect[]
  /** why passes need no right of their own, or a narrower door does no harm */
  because?: string
  /** a narrower key tries it, or it is shown to be harmless */
  test: readonly [file: string, title: string]
}

const HERE = 'test/continued-works.test.ts'

const WORKS: Readonly<Record<string, Work>> = {
  'mass changes': {
    passes: [],
    doors: [
      ...['status-job-create', 'status-job-pause', 'status-job-resume', 'status-job-cancel'],
      ...['statusListJobCreate', 'statusListJobPause', 'statusListJobResume', 'statusListJobCancel'],
    ],
    needs: JOB_EFFECTS,
    test: [
      'test/effects.test.ts',
      'are needed again by whoever repeats, pauses, resumes or cancels one: nobody narrower can',
    ],
  },
  'rotations of keys': {
    passes: ['rotation of keys'],
    doors: ['did-rotate-key', 'didRotateKey'],
    needs: ['manage-dids'],
    because: 'a rotation was allowed as a whole when it began, and half of one would be worse',
    test: [HERE, 'a rotation, which a narrower key neither repeats nor hurries'],
  },
  'members of series made ahead': {
    doors: ['credential-issue', 'credentialIssue', 'statusListAllocate', 'statusListAllocateTogether'],
    needs: ['issue', 'publish'],
    because: 'whoever created the series ordered all its members; a member is empty',
    test: [HERE, 'a series, whose members nobody publishes on a network that is closed to them'],
  },
  'waiting changes of lists': {
    passes: [],
    doors: ['sign-status-list', 'statusListSign'],
    needs: ['publish'],
    because: 'each change was allowed when it was stored, and its publication was promised',
    test: [HERE, 'changes that wait, which a narrower key neither adds to nor publishes'],
  },
  'deliveries to webhooks': {
    passes: ['order of events'],
    doors: ['webhook-resume'],
    needs: ['read-all-events'],
    test: [
      'test/effects.test.ts',
      'are those of now: a webhook waits visibly when its key is revoked, and the next key with the right resumes it',
    ],
  },
  'deliveries that failed': {
    doors: ['webhook-replay'],
    needs: ['manage-webhooks'],
    because: 'they go where the owner of the webhook sent them, with the rights that the owner has now',
    test: [HERE, 'a webhook, which a key for replays can neither resume nor send elsewhere'],
  },
  'creations and changes of DIDs, and their undoing': {
    passes: [],
    doors: [
      ...['did-create', 'did-update', 'did-deactivate', 'didManagerCreate', 'didManagerGetOrCreate'],
      ...['registrar-create', 'registrar-update', 'registrar-deactivate'],
    ],
    needs: ['manage-dids'],
    because: 'the ledger has accepted the message or not; only the records follow',
    test: [
      'packages/custody/src/__tests__/limited-callers.test.ts',
      'does not get a new DID in place of a forbidden one',
    ],
  },
  'static publication': {
    passes: [],
    doors: [],
    needs: [],
    because: 'it copies what is public',
    test: [HERE, 'what runs in the background, for which there is no door'],
  },
  'keys that are erased elsewhere': {
    passes: [],
    doors: [],
    needs: [],
    because: 'the deletion was allowed when it was stored, and whoever deletes a key has it no more',
    test: [HERE, 'what runs in the background, for which there is no door'],
  },
  'renewals of lists': {
    passes: [],
    doors: [],
    needs: [],
    because: 'the content stays, and only its time changes',
    test: [HERE, 'what runs in the background, for which there is no door'],
  },
  'deletions of accounts': {
    doors: ['operator-account-delete'],
    needs: ['operate'],
    test: [
      'test/behaviour/scopes.ts',
      'close every operation to API keys that have all scopes but the required ones',
    ],
  },
  'successors of API keys': {
    doors: ['api-key-rotate'],
    needs: ['outlive'],
    test: [
      'packages/accounts/src/__tests__/api-keys.test.ts',
      'cannot revoke or rotate a key with more rights than their own',
    ],
  },
  'work of any kind': {
    doors: ['work-pause', 'work-resume'],
    needs: ['publish', 'manage-dids', 'manage-webhooks', 'delete-key', ...JOB_EFFECTS],
    test: [
      'test/work.test.ts',
      'is changed by those who have the right of its kind; for others it does not exist',
    ],
  },
  'work of any account': {
    doors: ['operator-work-pause', 'operator-work-resume'],
    needs: ['operate'],
    test: [
      'test/work.test.ts',
      'is paused, resumed and retried, each in the audit trail, and refused in other states',
    ],
  },
  'requests with an idempotency key': {
    passes: ['release of requests with an idempotency key'],
    doors: [],
    needs: [],
    because: 'the door of each was passed again before it is repeated, and its content includes the rights',
    test: [
      'test/behaviour/idempotency.ts',
      'shows an API key again to callers that may repeat the request, and to no key with other rights',
    ],
  },
}

/** Passes that go on with the work of no caller. */
const HOUSEKEEPING = [
  ...['deletion of old events', 'deletion of kept answers', 'closing of members of series'],
  ...['deletion of expired credentials and of ended jobs', 'replication lag'],
  ...['renew the token of the key service', 'waiting work'],
]

/** Doors that say so only because a second request changes nothing, or because of what they end. */
const NOT_WORK = [
  ...['did-import', 'key-import', 'api-key-revoke', 'webhook-revoke'],
  ...['operator-account-disable', 'operator-account-enable'],
]

const GOES_ON = /resum|repeat|again|continu|replay|schedul|rotat|background|paus|jobs?\b/i
const METHOD_GOES_ON =
  /Resume|Pause|Job(?!Get|List|Report)|Rotate|OrCreate|ListSign|Continue|Recover|Renew|Replay/

describe('work that goes on', () => {
  const works = Object.entries(WORKS)
  const doors = new Set(works.flatMap(([, work]) => work.doors))

  it('is in the table, with each door and with each pass', () => {
    const passes = sources
      .filter(({ text }) => text.includes('RepeatedPasses'))
      .flatMap(({ text }) => [...text.matchAll(/\bwork: '([^']+)'/g)].map(([, name = '']) => name))
    const known = [...works.flatMap(([, work]) => work.passes ?? []), ...HOUSEKEEPING]
    assert.deepEqual([...new Set(passes)].sort(), known.sort())
    const found = [
      ...operations
        .filter(({ changes, isUnderWay, ...operation }) => {
          const { id, summary, description } = operation
          return isUnderWay !== undefined || (changes && GOES_ON.test(`${id} ${summary} ${description}`))
        })
        .map(({ id }) => id),
      ...AGENT_METHODS.filter((name) => METHOD_GOES_ON.test(name)),
    ]
    assert.deepEqual(
      found.filter((id) => !doors.has(id) && !NOT_WORK.includes(id)),
      [],
    )
    assert.deepEqual(
      NOT_WORK.filter((id) => !found.includes(id)),
      [],
    )
  })

  it('needs the same at each of its doors, and has a test', () => {
    for (const [
      name,
      {
        doors: own,
        needs,
        test: [file, title],
      },
    ] of works) {
      for (const id of own) {
        assert.ok(effectsOf(id).length > 0, `${name}: ${id}`)
        for (const effect of effectsOf(id)) assert.ok(needs.includes(effect), `${name}: ${id}: ${effect}`)
      }
      assert.ok(existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(title), title)
    }
  })
})

for (const place of PLACES) {
  describe(`nobody narrower goes on with the work of another (${place}):`, () => {
    let service: ServiceHere
    let owner: Client
    let did: string
    before(async () => {
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true })
      owner = await service.clientOf('issuer')
      did = await createDid(owner)
    })
    after(() => service.stop())

    const keyOf = async (rights: { scopes?: string[]; networks?: ('testnet' | 'mainnet')[] }) =>
      owner.as((await service.accounts.createApiKey({ account: 'issuer', ...rights })).apiKey)
    const elsewhere = () => keyOf({ networks: ['mainnet'] })
    const assertForbidden = (answers: readonly Answer[]) =>
      answers.forEach(({ status, body }, n) => assert.equal(status, 403, `${n}: ${JSON.stringify(body)}`))

    it('a rotation, which a narrower key neither repeats nor hurries', async () => {
      const rotated = await createDid(owner)
      const rotation = async () => (await owner.get(`/did/rotations/${rotated}`)).body as { state: string }
      await owner.post('/did/rotate-key', { json: { did: rotated } })
      await until(async () => (await rotation()).state === 'waiting')
      const before = await rotation()
      const others = [await elsewhere(), await keyOf({ scopes: ['keys', 'certificates', 'credentials'] })]
      const json = { did: rotated, gracePeriod: 'PT0S' }
      const tried = others.flatMap((other) => [
        other.post('/did/rotate-key', { json }),
        other.post('/agent/didRotateKey', { json }),
      ])
      assertForbidden(await Promise.all(tried))
      assert.deepEqual(await rotation(), before)
    })

    it('a series, whose members nobody publishes on a network that is closed to them', async () => {
      const series = new YearlySeries(owner, did, freshName('series'))
      await series.create()
      const before = await series.members()
      const allocation = { json: { did, statusListName: series.statusListName } }
      const others = [await elsewhere(), await keyOf({ scopes: ['dids', 'keys', 'revocation'] })]
      const tried = others.flatMap((other) => [
        series.tryIssue(2101, other),
        other.post('/agent/statusListAllocate', allocation),
      ])
      assertForbidden(await Promise.all(tried))
      assert.deepEqual(await series.members(), before)
    })

    it('changes that wait, which a narrower key neither adds to nor publishes', async () => {
      const list = await createList(owner, { did, body: { publishEvery: 'PT1H' } })
      const query = { listType: 'BitstringStatusList' }
      const update = (by: Client, index: number) =>
        by.post('/credential-status/update/unencrypted', {
          query: { ...query, statusAction: 'revoke' },
          json: { ...list, indices: [index] },
        })
      const waiting = async () =>
        (
          (await owner.ok('GET', '/credential-status/search', { query: { ...list, ...query } })) as {
            waiting: number
          }
        ).waiting
      assert.equal((await update(owner, 1)).status, 200)
      const others = [await elsewhere(), await keyOf({ scopes: ['credentials', 'revocation'] })]
      const tried = others.flatMap((other) => [
        update(other, 2),
        other.post('/credential-status/sign', { query, json: list }),
      ])
      assertForbidden(await Promise.all(tried))
      assert.equal(await waiting(), 1)
    })

    it('a webhook, which a key for replays can neither resume nor send elsewhere', async () => {
      const url = 'https://receiver.example/'
      const { id } = (await owner.ok('POST', '/account/webhooks', { json: { url } })) as { id: string }
      const [replayer, narrow] = [
        await keyOf({ scopes: ['webhook-replay'] }),
        await keyOf({ scopes: ['read', 'credentials', 'webhook-list'] }),
      ]
      const at = `/account/webhooks/${id}`
      assert.deepEqual((await replayer.post(`${at}/replay`, { json: {} })).body, { replayed: 0 })
      assertForbidden([
        await replayer.post(`${at}/resume`),
        await replayer.post('/account/webhooks', { json: { url } }),
        await narrow.post(`${at}/replay`, { json: {} }),
      ])
    })

    it('what runs in the background, for which there is no door', async () => {
      const names = service.agent.availableMethods().filter((name) => /(Continue|Recover|Renew)$/.test(name))
      assert.ok(names.length >= 4, names.join())
      for (const name of names)
        assert.equal((await owner.post(`/agent/${name}`, { json: {} })).status, 404, name)
    })
  })
}
