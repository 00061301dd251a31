import assert from 'node:assert/strict'
import { LedgerError, type Ledger, type LedgerMessage, type SubmitOptions } from '@vidimus/ledger'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { openTestBed, type TestAgent, type TestBed } from './agent-on-ledger.js'
import { refused } from './assertions.js'

/** A ledger with blocks: versions that name their predecessor are written anyway, and refused afterwards. */
class LateLedger {
  /** what another writer does immediately before the next version */
  meanwhile: (() => Promise<unknown>) | undefined
  readonly written: string[] = []

  over(ledger: Ledger): Ledger {
    return new Proxy(ledger, {
      get: (target, name: keyof Ledger) => {
        if (name === 'submit') return this.submit.bind(this, target)
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
  }

  private async submit(ledger: Ledger, message: LedgerMessage, options?: SubmitOptions) {
    const { meanwhile } = this
    this.written.push(message.type)
    if (!meanwhile) return ledger.submit(message, options)
    this.meanwhile = undefined
    await meanwhile()
    await ledger.submit(message)
    throw new LedgerError('written after another one', { codespace: 'vidimus', code: 1, phase: 'conflict' })
  }
}

describe('changes of DID documents by several writers', () => {
  let bed: TestBed
  let late: LateLedger
  let one: TestAgent
  let other: TestAgent
  let did: string

  beforeEach(async () => {
    bed = await openTestBed()
    late = new LateLedger()
    const ledgers = [late.over(bed.testnet), bed.mainnet]
    one = bed.agentWith({ ledgers })
    other = bed.agentWith()
    const key = { kms: 'local', type: 'Ed25519' as const, privateKeyHex: outsideKey().privateKeyHex }
    const { publicKeyHex } = await one.keyManagerImport(key)
    const created = await one.didManagerCreate({ options: { network: 'testnet', publicKeyHex } })
    did = created.did
    await other.didManagerImport({ did, provider: 'did:cheqd', keys: [key] })
  })
  afterEach(() => bed.close())

  const service = (name: string) => ({
    id: `${did}#${name}`,
    type: 'Files',
    serviceEndpoint: 'https://a.example',
  })
  const add = (agent: TestAgent, name: string) => agent.didManagerAddService({ did, service: service(name) })
  const resolved = async () => {
    const { didDocument, didDocumentMetadata } = await other.resolveDid({ didUrl: did })
    assert.ok(didDocument)
    return { didDocument, versionId: didDocumentMetadata.versionId ?? '' }
  }
  const services = async () =>
    (await resolved()).didDocument.service?.map(({ id }) => id.split('#')[1]).sort() ?? []
  const versions = async () => (await bed.testnet.listDidDocVersions(did, { limit: 1000 })).length
  const replace = (agent: TestAgent, document: object, expectedPrevious?: string) =>
    agent.didManagerUpdate({ did, document, ...(expectedPrevious && { options: { expectedPrevious } }) })

  it('lose no change of either', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`)
    await Promise.all(names.map((name, n) => add(n % 2 ? one : other, name)))
    assert.deepEqual(await services(), names.sort())
    assert.equal(await versions(), 13)
  })

  it('replace only the version that they are based on', async () => {
    const { didDocument, versionId } = await resolved()
    const having = (name: string) => ({ ...didDocument, service: [service(name)] })
    const outcomes = await Promise.allSettled([
      replace(one, having('a'), versionId),
      replace(other, having('b'), versionId),
    ])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal(await versions(), 2)
    await refused(replace(one, having('c'), versionId), 'version_conflict')
    await replace(one, having('c'), (await resolved()).versionId)
    await replace(other, having('d'))
    assert.deepEqual(await services(), ['d'])
    await refused(replace(one, having('e'), 'the first'), 'invalid_input', 'options.expectedPrevious')
  })

  describe('on a ledger that detects conflicts afterwards', () => {
    it('are repeated on top of what they overwrote', async () => {
      late.meanwhile = () => add(other, 'theirs')
      await add(one, 'ours')
      assert.deepEqual(await services(), ['ours', 'theirs'])
      assert.equal(await versions(), 4)
    })

    it('restore what they overwrote if they require a certain version', async () => {
      const { didDocument, versionId } = await resolved()
      late.meanwhile = () => add(other, 'theirs')
      const ours = { ...didDocument, service: [service('ours')] }
      await refused(replace(one, ours, versionId), 'version_conflict')
      assert.deepEqual(await services(), ['theirs'])
      assert.deepEqual((await one.didManagerGet({ did })).services, [])
    })

    it('stay if they replace any version', async () => {
      const { didDocument } = await resolved()
      late.meanwhile = () => add(other, 'theirs')
      await replace(one, { ...didDocument, service: [service('ours')] })
      assert.deepEqual(await services(), ['ours'])
      assert.equal(await versions(), 3)
    })
  })
})
