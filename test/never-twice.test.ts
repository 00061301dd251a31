import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { homeOf, sql } from '@vidimus/database'
import { createDid, freshName } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import type { Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import type { Interlude } from './support/interrupted-ledger.js'
import { putJobBack } from './support/jobs-put-back.js'
import { outsideKey } from './support/outside-key.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

interface Job {
  id: string
  state: string
  applied: number
  refused: number
}

/** A change that somebody else undoes before it is repeated. */
interface Repeated {
  /** default `POST` */
  method?: string
  path: string
  json?: object
  by?: Client
  /** the statement with whose COMMIT the process dies */
  effect: RegExp
  undo: () => Promise<unknown>
  /** whether the change is in effect */
  state: () => Promise<boolean>
  /** waits for what the repetition may have begun */
  settled?: (body: unknown) => Promise<unknown>
}

const module = join(import.meta.dirname, 'support/interrupted-ledger.ts')

const BITSTRING = { listType: 'BitstringStatusList' }

const SET_UPS = PLACES.flatMap((place) =>
  [false, true].map((onNetwork) => ({
    place,
    onNetwork,
    title: `${place}${onNetwork ? ', on a network' : ''}`,
  })),
)

for (const { place, onNetwork, title } of SET_UPS) {
  describe(`what was done before an interruption is not done again over others' changes (${title})`, () => {
    let networks: CheqdSetup | undefined
    let url: string
    const configured = () => ({
      ...(networks && { environment: networks.environment }),
      configure: (text: string) =>
        (networks?.configure(text) ?? text)
          .replaceAll("'@vidimus/ledger-cheqd#CheqdLedger'", `'${module}#InterruptedCheqdLedger'`)
          .replaceAll("'@vidimus/ledger-local#EmbeddedLedger'", `'${module}#PausedEmbeddedLedger'`),
    })
    let service: ServiceHere
    let client: Client
    let did: string
    let account: string
    before(async () => {
      networks = onNetwork ? await CheqdSetup.start() : undefined
      url = await emptyInstallation(place)
      service = await ServiceHere.start({ url, listen: true, ...configured() })
      client = await service.clientOf('issuer')
      did = await createDid(client)
      account = (await service.accounts.get('issuer')).id
    })
    after(async () => {
      await service.stop()
      await networks?.stop()
    })

    const create = async (further: object = {}) => {
      const statusListName = freshName('once')
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { ...BITSTRING, statusPurpose: ['suspension', 'revocation'] },
        json: { did, statusListName, ...further },
      })
      return statusListName
    }
    const update = (statusListName: string, statusAction: string, headers: Record<string, string> = {}) =>
      client.post('/credential-status/update/unencrypted', {
        query: { ...BITSTRING, statusAction },
        json: { did, statusListName, indices: [5] },
        headers,
      })
    const isSuspended = async (statusListName: string, index = 5) => {
      const { suspended } = (await client.ok('POST', '/credential-status/check', {
        query: { ...BITSTRING, statusPurpose: 'suspension' },
        json: { did, statusListName, index, state: 'stored' },
      })) as { suspended: boolean }
      return suspended
    }
    const order = async (rows: string[]) => {
      const { status, body } = await client.post('/credential-status/jobs', {
        body: ['list,index,action', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
      })
      assert.equal(status, 202, JSON.stringify(body))
      return (body as Job).id
    }
    const ended = async (id: string) => {
      const read = async () => (await client.ok('GET', `/credential-status/jobs/${id}`)) as Job
      await until(async () => (await read()).state === 'done')
      return read()
    }
    /** Everything from then on fails, as if the process had died with the COMMIT of a version. */
    const diesWith = async (statement: RegExp, work: () => Promise<unknown>) => {
      service.database.interrupt({ at: statement, when: 'after', forGood: true })
      await work()
      await until(() => Promise.resolve(service.database.interrupted))
      service.database.restore()
    }

    const KINDS: Record<string, [further: object, effect: RegExp]> = {
      'a list': [{}, onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_resource"/],
      'a list that publishes at intervals': [{ publishEvery: 'PT1H' }, /INSERT INTO "status_list_change"/],
    }
    for (const [kind, [further, effect]] of Object.entries(KINDS)) {
      for (const [action, undoing] of [
        ['suspend', 'reinstate'],
        ['reinstate', 'suspend'],
      ] as const) {
        it(`by a job that would ${action} again, of ${kind}`, async () => {
          const name = await create(further)
          if (action === 'reinstate') await update(name, 'suspend')
          const address = `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
          let job = ''
          await diesWith(
            effect,
            async () => (job = await order([`${address},5,${action}`, `${address},4,revoke`])),
          )
          await until(async () => (await isSuspended(name)) === (action === 'suspend'))
          const { status, body } = await update(name, undoing)
          assert.equal(status, 200, JSON.stringify(body))
          assert.deepEqual((body as { changed: number[] }).changed, [5])
          // It would try again by itself, but later.
          for (const act of ['pause', 'resume'])
            await client.ok('POST', `/credential-status/jobs/${job}/${act}`)
          const { applied, refused } = await ended(job)
          assert.deepEqual([applied, refused], [2, 0])
          assert.equal(await isSuspended(name), undoing === 'suspend')
        })
      }
    }

    for (const [kind, [further, effect]] of Object.entries(KINDS)) {
      it(`by a request that is repeated with its idempotency key, of ${kind}`, async () => {
        const name = await create(further)
        const headers = { 'idempotency-key': randomUUID() }
        await diesWith(effect, async () => {
          const { status } = await update(name, 'suspend', headers)
          assert.equal(status, 503)
        })
        await until(() => isSuspended(name))
        const other = await update(name, 'reinstate')
        assert.deepEqual((other.body as { changed: number[] }).changed, [5])
        const repeated = await update(name, 'suspend', headers)
        assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
        const { updated, suspended, changed } = repeated.body as Record<string, unknown>
        assert.deepEqual([updated, suspended, changed], [true, true, [5]])
        assert.equal(await isSuspended(name), false)
        const again = await update(name, 'suspend', headers)
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.deepEqual(again.body, repeated.body)
      })
    }

    it('by a request that changes a DID and is repeated with its idempotency key', async () => {
      const own = await createDid(client)
      const replace = (idFragment: string, headers: Record<string, string> = {}) =>
        client.post('/did/update', {
          json: {
            did: own,
            service: [{ idFragment, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] }],
          },
          headers,
        })
      const services = async () => {
        const { didDocument } = (await client.ok('GET', `/1.0/identifiers/${own}`)) as {
          didDocument: { service?: { id: string }[] }
        }
        return (didDocument.service ?? []).map(({ id }) => id)
      }
      const headers = { 'idempotency-key': randomUUID() }
      const effect = onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_did_version"/
      await diesWith(effect, () => replace('first', headers))
      await until(async () => (await services()).includes(`${own}#first`))
      assert.equal((await replace('other')).status, 200)
      const repeated = await replace('first', headers)
      assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
      assert.deepEqual(await services(), [`${own}#other`])
    })

    const FROZEN: Record<string, (name: string) => [path: string, options: object]> = {
      'an update of a list': (statusListName) => [
        '/credential-status/update/unencrypted',
        { query: { ...BITSTRING, statusAction: 'suspend' }, json: { did, statusListName, indices: [5] } },
      ],
      'a service of a DID': (idFragment) => [
        '/did/update',
        { json: { did, service: [{ idFragment, type: 'A', serviceEndpoint: ['https://a.example'] }] } },
      ],
    }
    for (const [what, request] of Object.entries(FROZEN)) {
      // A list of the embedded ledger changes in one transaction with what is recorded of it.
      if (what.includes('list') && !onNetwork) continue
      it(`by a process that was frozen before its ledger got ${what}, and wakes after another has taken the request over`, async () => {
        const name = what.includes('list') ? await create() : 'frozen'
        const [path, options] = request(name)
        const headers = { 'idempotency-key': randomUUID() }
        const of = ({ ledger }: ServiceHere) => (ledger as { interlude: Interlude }).interlude
        const isMade = async () => {
          if (what.includes('list')) return isSuspended(name)
          const { didDocument } = (await client.ok('GET', `/1.0/identifiers/${did}`)) as {
            didDocument: object
          }
          return JSON.stringify(didDocument).includes(`#${name}`)
        }
        const another = await ServiceHere.start({ url, listen: true, ...configured() })
        another.database.alone = true
        try {
          let wake: () => void = assert.fail
          const asleep = new Promise<void>((frozen) =>
            of(service).plan('before', () => {
              frozen()
              return new Promise<void>((resolve) => (wake = resolve))
            }),
          )
          const late = client.post(path, { ...options, headers })
          await asleep
          let refused: unknown
          let isMadeLate = true
          of(another).plan('before', async () => {
            of(service).last = undefined
            wake()
            await until(() => Promise.resolve(of(service).last !== undefined))
            refused = await of(service).last?.catch((error: unknown) => error)
            isMadeLate = await isMade()
          })
          const others = await another.clientOf('issuer', false)
          const answer = await others.post(path, { ...options, headers })
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
          assert.deepEqual([(refused as { code?: string }).code, isMadeLate], ['version_conflict', false])
          assert.deepEqual((await late).body, answer.body)
          assert.equal(await isMade(), true)
        } finally {
          await another.stop()
        }
      })
    }

    const CHANGES: Record<string, () => Promise<Repeated>> = {
      'adds a service to a did:web': async () => ofServices(await webDid(), 'didManagerAddService'),
      'removes a service of a did:web': async () => ofServices(await webDid(), 'didManagerRemoveService'),
      'adds a service to a did:cheqd': async () =>
        ofServices(await createDid(client), 'didManagerAddService'),
      'adds a service to a did:cheqd whose ledger has it': async () => {
        const own = await createDid(client)
        const { state, ...repeated } = await ofServices(own, 'didManagerAddService')
        const published = async () => {
          const { didDocument } = (await client.ok('GET', `/1.0/identifiers/${own}`)) as {
            didDocument: object
          }
          return JSON.stringify(didDocument).includes('hub.example')
        }
        return {
          ...repeated,
          effect: onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_did_version"/,
          state: async () => (await published()) || (await state()),
        }
      },
      'adds a key to a did:web': async () => {
        const own = await webDid()
        const { kid, kms, type, publicKeyHex } = await newKey()
        return {
          path: '/agent/didManagerAddKey',
          json: { did: own, key: { kid, kms, type, publicKeyHex } },
          effect: /INSERT INTO account_did_key/,
          undo: () => client.ok('POST', '/agent/didManagerRemoveKey', { json: { did: own, kid } }),
          state: async () => (await identifier(own)).keys.some((key) => key.kid === kid),
        }
      },
      'names a DID': async () => {
        const own = await webDid()
        const alias = freshName('alias')
        const named = (name: string) => ({ json: { did: own, alias: name } })
        return {
          path: '/agent/didManagerSetAlias',
          ...named(alias),
          effect: /UPDATE account_did SET/,
          undo: () => client.ok('POST', '/agent/didManagerSetAlias', named(freshName('other'))),
          state: async () => (await identifier(own)).alias === alias,
        }
      },
      'removes a DID from the account': async () => {
        const own = await webDid()
        const imported = await identifier(own)
        const agent = service.as(await service.accounts.get('issuer'))
        return {
          path: '/agent/didManagerDelete',
          json: { did: own },
          effect: /DELETE FROM account_did WHERE/,
          undo: () => agent('didManagerImport', { ...imported, keys: [] }),
          state: async () =>
            (await client.post('/agent/didManagerGet', { json: { did: own } })).status !== 200,
        }
      },
      'imports a DID': async () => {
        const { jwk, privateKeyHex } = outsideKey()
        const own = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
        return {
          path: '/did/import',
          json: { did: own, keys: [{ type: 'Ed25519', privateKeyHex }] },
          effect: /INSERT INTO account_did\b/,
          undo: () => client.ok('POST', '/agent/didManagerDelete', { json: { did: own } }),
          state: async () =>
            (await client.post('/agent/didManagerGet', { json: { did: own } })).status === 200,
        }
      },
      'imports a key': async () => {
        const { privateKeyHex, publicKeyHex: kid } = outsideKey()
        return {
          path: '/key/import',
          json: { type: 'Ed25519', privateKeyHex },
          effect: /INSERT INTO account_key\b/,
          undo: () => client.ok('DELETE', `/key/${kid}`),
          state: async () => (await client.get(`/key/read/${kid}`)).status === 200,
        }
      },
      'deletes a key': async () => {
        const { privateKeyHex, publicKeyHex: kid } = outsideKey()
        const json = { type: 'Ed25519', privateKeyHex }
        await client.ok('POST', '/key/import', { json })
        return {
          path: '/agent/keyManagerDelete',
          json: { kid },
          effect: /DELETE FROM account_key\b/,
          undo: () => client.ok('POST', '/key/import', { json }),
          state: async () => (await client.get(`/key/read/${kid}`)).status !== 200,
        }
      },
      'labels a key': async () => {
        const { kid } = await newKey()
        const alias = freshName('label')
        return {
          path: '/key/update',
          json: { kid, alias },
          effect: /UPDATE account_key SET alias/,
          undo: () => client.ok('POST', '/key/update', { json: { kid, alias: freshName('other') } }),
          state: async () =>
            ((await client.ok('GET', `/key/read/${kid}`)) as { alias?: string }).alias === alias,
        }
      },
      'removes the certificates of a key': async () => {
        const { kid = '' } = await newKey()
        const certify = () =>
          service.database.write((connection) =>
            connection.run(
              sql`UPDATE account_key SET certificate_chain = ${'["AA=="]'} WHERE kid = ${kid}`.changing(
                homeOf(account),
              ),
            ),
          )
        await certify()
        return {
          path: '/key/certificate',
          json: { kid, certificateChain: [] },
          effect: /UPDATE account_key SET certificate_chain/,
          undo: certify,
          state: async () => {
            const [row] = await service.database.query<{ chain: string | null }>(
              sql`SELECT certificate_chain AS chain FROM account_key WHERE kid = ${kid}`,
            )
            return row?.chain === null
          },
        }
      },
      'rotates the key of a DID': async () => {
        const own = await createDid(client)
        const json = { did: own, gracePeriod: 'PT0S' }
        const rotation = async () =>
          (await client.ok('GET', `/did/rotations/${own}`)) as { state: string; startedAt: string }
        const isDone = async () => {
          await service.agent.execute('didRotationContinue', {})
          return (await rotation()).state === 'done'
        }
        let others: string | undefined
        return {
          path: '/did/rotate-key',
          json,
          effect: /INSERT INTO did_rotation/,
          undo: async () => {
            await client.ok('POST', '/did/rotate-key', { json })
            await until(isDone)
            others = (await rotation()).startedAt
          },
          state: async () => (others === undefined ? isDone() : (await rotation()).startedAt !== others),
        }
      },
      'publishes a resource as an agent': async () => {
        const own = await createDid(client)
        const resource = (text: string) => ({
          json: {
            did: own,
            resourceName: 'once',
            resourceType: 'Text',
            data: Buffer.from(text).toString('base64url'),
          },
        })
        return {
          path: '/agent/linkedResourceCreate',
          ...resource('first'),
          effect: onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_resource"/,
          undo: () => client.ok('POST', '/agent/linkedResourceCreate', resource('other')),
          state: async () => {
            const json = { did: own, resourceName: 'once', resourceType: 'Text' }
            const { body } = await client.post('/agent/linkedResourceGetLatest', { json })
            return (
              Buffer.from((body as { data?: string } | null)?.data ?? '', 'base64url').toString() === 'first'
            )
          },
        }
      },
      'disables an account as an operator': async () => ofAccountState('disable'),
      'enables an account as an operator': async () => ofAccountState('enable'),
      'deletes an account as an operator': async () => {
        const name = freshName('tenant')
        const { id } = await service.accounts.create(name)
        return {
          method: 'DELETE',
          path: `/operator/accounts/${name}`,
          by: await operator(),
          effect: /DELETE FROM account WHERE/,
          undo: () => service.accounts.create(name),
          state: async () => (await service.accounts.states.find(name))?.id !== id && !(await exists(name)),
        }
      },
      'orders a job': async () => {
        const list = { did, statusListName: await create() }
        const entry = { ...list, listType: 'BitstringStatusList', statusPurpose: 'suspension' }
        const issuedFrom = new Date().toISOString()
        const issued = (await client.ok('POST', '/credential/issue', {
          json: { issuerDid: did, attributes: { a: 1 }, credentialStatus: entry },
        })) as { credentialStatus: { statusListIndex: string } }
        const indices = [Number(issued.credentialStatus.statusListIndex)]
        const query = { ...BITSTRING, statusAction: 'reinstate' }
        return {
          path: '/credential-status/jobs',
          json: { action: 'suspend', issuedFrom, issuedUntil: '2999-01-01T00:00:00Z' },
          effect: /UPDATE "status_list_job" SET "id"/,
          undo: () =>
            client.ok('POST', '/credential-status/update/unencrypted', { query, json: { ...list, indices } }),
          state: async () => {
            await service.agent.execute('statusListJobsContinue', {})
            return isSuspended(list.statusListName, indices[0])
          },
          settled: async (body) => ended((body as Job).id),
        }
      },
      'pauses a job': async () => ofJob('pause'),
      'resumes a job': async () => ofJob('resume'),
      'cancels a job': async () => ofJob('cancel'),
    }
    for (const [title, prepare] of Object.entries(CHANGES)) {
      if (onNetwork && !/cheqd|resource/.test(title)) continue
      it(`by a request that ${title} and is repeated with its idempotency key`, async () => {
        const { method = 'POST', path, json, effect, by = client, ...others } = await prepare()
        const { undo, state, settled } = others
        const call = () =>
          by.call(method, path, { ...(json && { json }), headers: { 'idempotency-key': key } })
        const key = randomUUID()
        await diesWith(effect, async () => assert.ok((await call()).status >= 500))
        await until(state)
        await undo()
        assert.equal(await state(), false)
        const { status, body } = await call()
        assert.ok(status === 200 || status === 202, JSON.stringify(body))
        await settled?.(body)
        assert.equal(await state(), false)
      })
    }

    if (!onNetwork)
      it('in the audit trail, whose rows are written later, when a COMMIT is not confirmed', async () => {
        const issued = async () => {
          const { entries } = (await client.ok('GET', '/account/audit', { query: { limit: '1000' } })) as {
            entries: { event: string }[]
          }
          return entries.filter(({ event }) => event === 'credential-issued').length
        }
        const json = { issuerDid: did, attributes: { name: 'Bob' } }
        const before = await issued()
        service.database.interrupt({ at: /INSERT INTO audit_event/, when: 'after', forGood: false })
        await Promise.all(Array.from({ length: 10 }, () => client.ok('POST', '/credential/issue', { json })))
        assert.ok(service.database.interrupted)
        assert.equal(await issued(), before + 10)
      })

    const webDid = async () => {
      const didDocument = { id: `did:web:${freshName('host')}.example` }
      const json = { providerId: 'did:web', didDocument, options: { keyType: 'Ed25519' } }
      return ((await client.ok('POST', '/did/create', { json })) as { did: string }).did
    }
    const newKey = async () =>
      (await client.ok('POST', '/key/create', { json: {} })) as Record<string, string>
    const identifier = async (own: string) =>
      (await client.ok('POST', '/agent/didManagerGet', { json: { did: own } })) as {
        alias?: string
        keys: { kid: string }[]
        services: { id: string }[]
      }
    const ofServices = async (
      own: string,
      method: 'didManagerAddService' | 'didManagerRemoveService',
    ): Promise<Repeated> => {
      const id = `${own}#hub`
      const addition = {
        json: { did: own, service: { id, type: 'Hub', serviceEndpoint: 'https://hub.example' } },
      }
      const removal = { json: { did: own, id } }
      const adds = method === 'didManagerAddService'
      if (!adds) await client.ok('POST', '/agent/didManagerAddService', addition)
      return {
        path: `/agent/${method}`,
        json: (adds ? addition : removal).json,
        effect: adds ? /INSERT INTO service\b/ : /DELETE FROM account_service\b/,
        undo: () =>
          client.ok(
            'POST',
            adds ? '/agent/didManagerRemoveService' : '/agent/didManagerAddService',
            adds ? removal : addition,
          ),
        state: async () => (await identifier(own)).services.some((one) => one.id === id) === adds,
      }
    }
    const operator = async () =>
      client.as((await service.accounts.createApiKey({ account: 'issuer', scopes: ['operator'] })).apiKey)
    const exists = async (name: string) => (await service.accounts.states.find(name)) !== undefined
    const ofAccountState = async (act: 'disable' | 'enable'): Promise<Repeated> => {
      const name = freshName('tenant')
      await service.accounts.create(name)
      if (act === 'enable') await service.accounts.states.disable(name)
      const { states } = service.accounts
      return {
        path: `/operator/accounts/${name}/${act}`,
        by: await operator(),
        effect: /UPDATE account SET disabled_at/,
        undo: () => (act === 'enable' ? states.disable(name) : states.enable(name)),
        state: async () => ((await states.get(name)).disabledAt !== undefined) === (act === 'disable'),
      }
    }
    const ofJob = async (act: 'pause' | 'resume' | 'cancel'): Promise<Repeated> => {
      const address = `${did}?resourceName=${await create()}&resourceType=BitstringStatusListCredential`
      const id = await order([`${address},5,suspend`])
      const path = `/credential-status/jobs/${id}`
      await ended(id)
      // As if it were not done: nobody continues it by itself.
      const put = (state: 'paused' | 'running') => putJobBack(service.database, id, state)
      const before = act === 'pause' ? 'running' : 'paused'
      const after = act === 'pause' ? 'paused' : 'cancelled'
      await put(before)
      return {
        path: `${path}/${act}`,
        effect: /UPDATE "status_list_job" SET "state"/,
        undo: () => put(before),
        state: async () => {
          const { state } = (await client.ok('GET', path)) as Job
          return act === 'resume' ? state !== before : state === after
        },
      }
    }

    if (onNetwork)
      it('by a job whose version the network never got, which goes on', async () => {
        const name = await create()
        const address = `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
        let job = ''
        await diesWith(
          /INSERT INTO work_item .*,ledger-change,/s,
          async () => (job = await order([`${address},5,suspend`])),
        )
        for (const act of ['pause', 'resume'])
          await client.ok('POST', `/credential-status/jobs/${job}/${act}`)
        const { applied, refused } = await ended(job)
        assert.deepEqual([applied, refused], [1, 0])
        assert.equal(await isSuspended(name), true)
      })
  })
}
