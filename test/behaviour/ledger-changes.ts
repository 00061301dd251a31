import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DIDDocument, IIdentifier, IKey } from '@veramo/core-types'
import type { DIDCreationRecovery } from '@vidimus/custody'
import type { Account, AnyAgent, DIDRotation, NamedVersion, Webhook } from '@vidimus/core-types'
import { homeOfDid, sql } from '@vidimus/database'
import { CheqdSetup } from '../support/cheqd-setup.js'
import { emptyInstallation, type Place } from '../support/fresh-database.js'
import type { Interlude, Moment } from '../support/interrupted-ledger.js'
import { ServiceHere } from '../support/service-here.js'
import { until } from '../support/until.js'

const DAY = 24 * 60 * 60 * 1000
const module = join(import.meta.dirname, '../support/interrupted-ledger.ts')

interface Ledgers {
  configure: (text: string) => string
  environment?: Record<string, string>
  stop: () => Promise<void>
}

export const embedded = (): Promise<Ledgers> =>
  Promise.resolve({
    configure: (text) =>
      text.replaceAll("'@vidimus/ledger-local#EmbeddedLedger'", `'${module}#InterruptedEmbeddedLedger'`),
    stop: () => Promise.resolve(),
  })

export async function cheqd(): Promise<Ledgers> {
  const setup = await CheqdSetup.start()
  const ledger = "'@vidimus/ledger-cheqd#CheqdLedger'"
  return {
    environment: setup.environment,
    configure: (text) => setup.configure(text).replaceAll(ledger, `'${module}#InterruptedCheqdLedger'`),
    stop: setup.stop,
  }
}

type Call = (method: string, args?: object) => Promise<unknown>

interface Subject {
  did: string
  /** of the account, and not in the document */
  key: IKey
  /** in the document */
  second: IKey
}

/** A change of a DID, and the records of it. */
interface Change {
  make: (call: Call, subject: Subject) => Promise<unknown>
  audited: string
  event?: string
  /** whether the account's rows follow it */
  isHeld?: (identifier: IIdentifier, subject: Subject) => boolean
}

const service = (did: string, name: string) => ({
  id: `${did}#${name}`,
  type: 'Files',
  serviceEndpoint: 'https://a.example',
})
const has = ({ keys }: IIdentifier, { kid }: IKey) => keys.some((key) => key.kid === kid)
/** What others do once the agent has resolved a DID the next time. */
function resolvedThen(agent: AnyAgent, others: () => Promise<unknown>): void {
  const execute = agent.execute.bind(agent)
  agent.execute = async <Args, Result>(method: string, args: Args) => {
    const result = await execute<Args, Result>(method, args)
    if (method === 'resolveDid' && !(args as { didUrl: string }).didUrl.includes('versionId')) {
      agent.execute = execute
      await others()
    }
    return result
  }
}

const updated = { audited: 'did-updated', event: 'did.updated' }

const CHANGES: Record<string, Change> = {
  'a key added': {
    ...updated,
    make: (call, { did, key }) => call('didManagerAddKey', { did, key }),
    isHeld: (identifier, { key }) => has(identifier, key),
  },
  'a key removed': {
    ...updated,
    make: (call, { did, second }) => call('didManagerRemoveKey', { did, kid: second.kid }),
    isHeld: (identifier, { second }) => !has(identifier, second),
  },
  'a service added': {
    ...updated,
    make: (call, { did }) => call('didManagerAddService', { did, service: service(did, 'second') }),
    isHeld: ({ services }) => services.length === 2,
  },
  'a service removed': {
    ...updated,
    make: (call, { did }) => call('didManagerRemoveService', { did, id: `${did}#first` }),
    isHeld: ({ services }) => services.length === 0,
  },
  'another document, with a controller': {
    ...updated,
    make: async (call, { did }) => {
      const { didDocument } = (await call('resolveDid', { didUrl: did })) as { didDocument: object }
      return call('didManagerUpdate', { did, document: { ...didDocument, controller: [did], service: [] } })
    },
    isHeld: ({ services }) => services.length === 0,
  },
  'a resource': {
    audited: 'resource-created',
    make: (call, { did }) =>
      call('linkedResourceCreate', { did, resourceName: 'n', resourceType: 'T', data: 'AAAA' }),
  },
  'a deactivation': {
    audited: 'did-deactivated',
    event: 'did.deactivated',
    make: (call, { did }) => call('cheqdDeactivate', { did }),
  },
}
const HOW_MANY = Object.keys(CHANGES).length

/** What a ledger accepted appears in the audit trail, the events and the rows, whatever happens between ledger and database. */
export function describeLedgerChanges(title: string, place: Place, setUp: () => Promise<Ledgers>): void {
  describe(`changes of a ledger (${title}, ${place})`, () => {
    let ledgers: Ledgers
    let url: string
    let here: ServiceHere
    let account: Account
    let other: Account

    before(async () => {
      ;[ledgers, url] = await Promise.all([setUp(), emptyInstallation(place)])
      here = await ServiceHere.start({ ...ledgers, url })
      account = await here.accounts.create('one')
      other = await here.accounts.create('other')
    })
    after(async () => {
      await here.stop()
      await ledgers.stop()
    })

    const call: Call = (method, args) => here.as(account)(method, args)
    const callOfOther: Call = (method, args) => here.as(other)(method, args)
    const interlude = () => (here.ledger as { interlude: Interlude }).interlude
    const newKey = () => call('keyManagerCreate', { kms: 'local', type: 'Ed25519' }) as Promise<IKey>
    const identifierOf = (did: string) => call('didManagerGet', { did }) as Promise<IIdentifier>
    const recover = (): Promise<DIDCreationRecovery> => here.agent.execute('didCreationRecover', {})

    /** A DID with two keys and a service, which both accounts have. */
    async function newSubject(): Promise<Subject> {
      const [key, second] = await Promise.all([newKey(), newKey()])
      const { did } = (await call('didManagerCreate', { options: { network: 'testnet' } })) as IIdentifier
      await call('didManagerAddKey', { did, key: second })
      await call('didManagerAddService', { did, service: service(did, 'first') })
      await callOfOther('didManagerImport', { did, provider: 'did:cheqd', keys: [], services: [] })
      return { did, key, second }
    }

    const auditedOf = async (did: string) =>
      (await here.audit.list({ limit: 10_000 }))
        .filter(({ subject }) => subject?.startsWith(did))
        .map(({ event, apiKeyId, requestId, accountId }) => ({ event, apiKeyId, requestId, accountId }))
    const row = (event: string) => ({ event, apiKeyId: 'k1', requestId: 'r1', accountId: account.id })
    const toldOf = async (of: Account, did: string) =>
      (await here.eventsOf(of)).filter((event) => event.subject === did).map(({ type }) => type)
    const noted = () => here.database.query(sql`SELECT key FROM work_item WHERE kind = 'ledger-change'`)
    const makeDue = () =>
      here.database.write((connection) =>
        connection.run(
          sql`UPDATE work_item SET due_at = ${new Date().toISOString()} WHERE kind = 'ledger-change'`,
        ),
      )

    async function assertWrittenDown(name: string, subject: Subject, rows: number): Promise<void> {
      const { audited, event, isHeld } = CHANGES[name] ?? assert.fail(name)
      const { did } = subject
      assert.deepEqual((await auditedOf(did)).slice(rows), [row(audited)], name)
      const changed = event ? [event] : []
      const before = ['did.created', 'did.updated', 'did.updated']
      assert.deepEqual(await toldOf(account, did), [...before, ...changed], name)
      assert.deepEqual(await toldOf(other, did), ['did.imported', ...changed], name)
      if (isHeld) assert.ok(isHeld(await identifierOf(did), subject), name)
    }

    /** Each change of a DID of its own, in a process that dies with all of them under way. */
    async function dieWith(moment: Moment): Promise<Map<string, { subject: Subject; audited: unknown[] }>> {
      const subjects = new Map<string, { subject: Subject; audited: unknown[] }>()
      for (const [name, { make }] of Object.entries(CHANGES)) {
        const subject = await newSubject()
        subjects.set(name, { subject, audited: await auditedOf(subject.did) })
        const died = interlude().dies(moment)
        void make(call, subject)
        await died
      }
      await here.stop()
      here = await ServiceHere.start({ ...ledgers, url })
      return subjects
    }

    it('are recorded once by the process that follows a crashed one', async () => {
      const subjects = await dieWith('after')
      assert.deepEqual(await recover(), { completed: HOW_MANY, undone: 0, left: 0 })
      assert.deepEqual(await recover(), { completed: 0, undone: 0, left: 0 })
      // As a process does every ten seconds.
      await here.events.tellUnconfirmed()
      for (const [name, { subject, audited }] of subjects) {
        await assertWrittenDown(name, subject, audited.length)
      }
      assert.deepEqual(await noted(), [])
    })

    it('include the actions of a status list version on its entries, for its audit row', async () => {
      const { did } = (await call('didManagerCreate', { options: { network: 'testnet' } })) as IIdentifier
      const list = { did, listType: 'BitstringStatusList', statusListName: 'list' }
      await call('statusListCreate', { ...list, statusPurpose: 'revocation' })
      let ofNote: { payload: string }[] = []
      interlude().plan('after', async () => {
        ofNote = await here.database.query(
          sql`SELECT payload FROM work_item WHERE kind = 'ledger-change' AND owner = ${account.id}`,
        )
      })
      await call('statusListUpdate', { ...list, statusAction: 'revoke', indices: [7] })
      assert.deepEqual(
        ofNote.map(({ payload }) => (JSON.parse(payload) as { actions: string[] }).actions),
        [['revoke']],
      )
      const last = (await here.audit.list({ limit: 10_000 })).findLast((one) => one.subject?.startsWith(did))
      assert.equal(last?.event, 'resource-updated')
      assert.deepEqual((JSON.parse(last.detail ?? '') as { actions: unknown }).actions, ['revoke'])
    })

    it('leave no trace if the ledger never received them, and are looked up for a day', async () => {
      const subjects = await dieWith('before')
      assert.deepEqual(await recover(), { completed: 0, undone: 0, left: 0 })
      here.database.later = 2 * DAY
      await makeDue()
      assert.deepEqual(await recover(), { completed: 0, undone: HOW_MANY, left: 0 })
      here.database.later = 0
      for (const [name, { subject, audited }] of subjects) {
        assert.deepEqual(await auditedOf(subject.did), audited, name)
      }
      assert.deepEqual(await noted(), [])
    })

    it('are recorded even if the database fails right after the ledger accepted them', async () => {
      for (const [name, { make }] of Object.entries(CHANGES)) {
        const subject = await newSubject()
        const { length } = await auditedOf(subject.did)
        interlude().plan('after', async () =>
          here.database.interrupt({ at: 1, when: 'before', forGood: false }),
        )
        await make(call, subject).catch(() => undefined)
        assert.ok(here.database.interrupted, name)
        here.database.restore()
        await recover()
        await here.events.tellUnconfirmed()
        await assertWrittenDown(name, subject, length)
      }
      assert.deepEqual(await noted(), [])
    })

    it('are not made by a process that was frozen while another found them not made', async () => {
      const another = await ServiceHere.start({ ...ledgers, url })
      another.database.alone = true
      const fate = async () => {
        const [noted] = await here.database.query<{ payload: string }>(
          sql`SELECT payload FROM work_item WHERE kind = 'ledger-change'`,
        )
        const { kind, did, versionId } = JSON.parse(noted?.payload ?? '') as NamedVersion
        return another.as(account)('ledgerChangeFate', { kind, did, versionId })
      }
      try {
        for (const name of ['a resource', 'a deactivation']) {
          const subject = await newSubject()
          const audited = await auditedOf(subject.did)
          interlude().plan('before', async () => {
            assert.deepEqual(await fate(), { fate: 'did not happen' }, name)
            assert.deepEqual(await fate(), { fate: 'did not happen' }, name)
          })
          const { make } = CHANGES[name] ?? assert.fail(name)
          await assert.rejects(make(call, subject), { code: 'version_conflict' }, name)
          assert.deepEqual(await auditedOf(subject.did), audited, name)
          await make(call, subject)
        }
        assert.deepEqual(await noted(), [])
        const before = await call('didManagerFind', { limit: 1000 })
        const { agent } = another
        interlude().plan('before', () => agent.execute('didCreationRecover', {}))
        const created = call('didManagerCreate', { options: { network: 'testnet' } })
        await assert.rejects(created, { code: 'version_conflict' })
        assert.deepEqual(await call('didManagerFind', { limit: 1000 }), before)
      } finally {
        await another.stop()
      }
    })

    it('are followed by the rows of the account, whichever process writes them last', async () => {
      const { did, second } = await newSubject()
      const another = await ServiceHere.start({ ...ledgers, url })
      const meanwhile = another.as(account)
      const documentOf = async () =>
        ((await meanwhile('resolveDid', { didUrl: did })) as { didDocument: DIDDocument }).didDocument
      const assertInLine = async () => {
        await recover()
        await until(async () => (await noted()).length === 0)
        const { keys, services } = await identifierOf(did)
        const document = await documentOf()
        assert.equal(keys.length, document.verificationMethod?.length)
        assert.deepEqual(
          services.map(({ id }) => id).sort(),
          (document.service ?? []).map(({ id }) => id).sort(),
        )
      }
      try {
        const original = await documentOf()
        interlude().plan('after', () => meanwhile('didManagerUpdate', { did, document: original }))
        await call('didManagerRemoveKey', { did, kid: second.kid })
        assert.equal((await documentOf()).verificationMethod?.length, 2)
        await assertInLine()

        // Whichever of them makes the rows follow has read the document, which the other one then changes.
        await call('didManagerRemoveService', { did, id: `${did}#first` })
        let isChanged = false
        const change = (by: Call) => async () => {
          if (isChanged) return
          isChanged = true
          await by('didManagerUpdate', { did, document: original })
        }
        resolvedThen(here.agent, change(meanwhile))
        resolvedThen(another.agent, change(call))
        const item = { kind: 'document', did, versionId: '', kids: [], actions: [], actor: {}, isTold: true }
        await here.database.write((connection) =>
          connection.run(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts, payload)
            VALUES (${homeOfDid(did)}, ${'ledger-change'}, ${JSON.stringify([did, '', account.id])}, ${account.id},
              ${new Date().toISOString()}, ${1}, ${1}, ${0}, ${JSON.stringify(item)})`),
        )
        await assertInLine()
        assert.equal((await identifierOf(did)).services.length, 1)
      } finally {
        await another.stop()
      }
    })

    it('are not made by a step of a rotation that another process has taken over', async () => {
      const another = await ServiceHere.start({ ...ledgers, url })
      const meanwhile = another.as(account)
      const rotate = (of: Call, args: object) => of('didRotateKey', args) as Promise<DIDRotation>
      const everything = async (did: string) => ({
        document: await meanwhile('resolveDid', { didUrl: did }),
        keys: (await identifierOf(did)).keys.map(({ kid }) => kid).sort(),
        rotation: await meanwhile('didRotationGet', { did }),
        audited: await auditedOf(did),
        told: await toldOf(account, did),
      })
      const now = { gracePeriod: 'PT0S' }
      const steps: Record<string, (did: string, formerKey: string) => Promise<DIDRotation>> = {
        'brings back a key': (did) => rotate(meanwhile, { did, ...now }),
        'removes the key in use': (did, key) => rotate(meanwhile, { did, key }),
      }
      try {
        for (const [step, next] of Object.entries(steps)) {
          const { did } = (await call('didManagerCreate', { options: { network: 'testnet' } })) as IIdentifier
          let before: unknown
          const takeOver = async () => {
            await here.database.write((connection) =>
              connection.run(sql`UPDATE work_item SET holder = ${randomUUID()} WHERE kind = 'rotation'`),
            )
            const { state, formerKey } = await rotate(meanwhile, { did })
            assert.equal(state, 'done', step)
            await next(did, formerKey)
            before = await everything(did)
          }
          const isFirst = step === 'brings back a key'
          interlude().plan('before', async () =>
            isFirst ? takeOver() : interlude().plan('before', takeOver),
          )
          const shown = await rotate(call, { did, ...now })
          assert.ok(before, step)
          assert.deepEqual(await everything(did), before, step)
          assert.deepEqual(shown, await call('didRotationGet', { did }), step)
        }
        await until(async () => (await noted()).length === 0)
      } finally {
        await another.stop()
      }
    })

    it('reach each account that holds the DID, and its webhooks', async () => {
      const subject = await newSubject()
      const { did, key } = subject
      const types = ['did.updated', 'did.deactivated']
      const { id } = (await callOfOther('webhookCreate', { url: 'https://hook.invalid/', types })) as Webhook
      const before = (await here.eventsOf(other)).length
      await call('didManagerSetAlias', { did, alias: 'mine alone' })
      await call('didManagerAddKey', { did, key })
      await call('didManagerRemoveKey', { did, kid: key.kid })
      await call('cheqdDeactivate', { did })
      const told = (await here.eventsOf(other)).slice(before)
      assert.deepEqual(
        told.map(({ id: _, time: __, ...event }) => event),
        ['did.updated', 'did.updated', 'did.deactivated'].map((type) => ({ type, subject: did })),
      )
      const { webhooks } = (await callOfOther('webhookList')) as { webhooks: Webhook[] }
      const hook = webhooks.find((webhook) => webhook.id === id)
      assert.equal(hook?.waiting, 3)
      await callOfOther('webhookRevoke', { id })
    })

    it('are not refused because of a concurrent change of the DID in another process', async () => {
      const another = await ServiceHere.start({ ...ledgers, url })
      const meanwhile = another.as(account)
      try {
        const { did, key, second } = await newSubject()
        const third = await newKey()
        interlude().plan('before', async () => {
          await meanwhile('didManagerSetAlias', { did, alias: 'another' })
          await meanwhile('didManagerAddKey', { did, key: third })
          await meanwhile('didManagerRemoveKey', { did, kid: second.kid })
          await assert.rejects(meanwhile('keyManagerDelete', { kid: key.kid }), { code: 'invalid_input' })
        })
        await call('didManagerAddKey', { did, key })
        const identifier = await identifierOf(did)
        assert.equal(identifier.alias, 'another')
        assert.deepEqual(
          [has(identifier, key), has(identifier, second), has(identifier, third)],
          [true, false, true],
        )
        const { didDocument } = (await call('resolveDid', { didUrl: did })) as {
          didDocument: { verificationMethod: unknown[] }
        }
        assert.equal(didDocument.verificationMethod.length, 3)
        interlude().plan('after', () => meanwhile('didManagerDelete', { did }))
        await call('didManagerRemoveKey', { did, kid: third.kid })
        await assert.rejects(identifierOf(did), { code: 'did_not_found' })
        const audited = (await auditedOf(did)).map(({ event }) => event)
        assert.deepEqual(audited.slice(-2), ['did-deleted', 'did-updated'])
      } finally {
        await another.stop()
      }
    })
  })
}
