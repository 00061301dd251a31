import assert from 'node:assert/strict'
import type { IAgentPlugin } from '@veramo/core-types'
import {
  AgentError,
  problemsError,
  type CredentialIssueArgs,
  type StatusListAllocateArgs,
  type StatusListAllocateTogetherArgs,
  type StatusListAllocation,
} from '@vidimus/core-types'
import { decodeJWT } from 'did-jwt'
import { createKeyDid, createTestAgent, recordCalls } from './test-agent.js'

const NOW = new Date('2026-03-01T12:00:00Z')

/** Allocates indices from 0 on, like a status list plugin, and records the requests. */
function listPlugin(change: (allocation: StatusListAllocation) => StatusListAllocation = (same) => same) {
  const asked: StatusListAllocateArgs[] = []
  const adopted: Record<string, unknown>[][] = []
  const allocate = (args: StatusListAllocateArgs): StatusListAllocation => {
    const index = asked.push(args) - 1
    const entries = [args.statusPurpose ?? 'revocation']
      .flat()
      .map((statusPurpose) => ({ type: 'TestEntry', statusPurpose, statusListIndex: String(index) }))
    return change({
      listType: 'Test',
      statusListName: 'test',
      index,
      entryMember: 'credentialStatus',
      entries,
      contexts: ['urn:test'],
    })
  }
  const plugin: IAgentPlugin = {
    methods: {
      statusListAllocateTogether: ({ requests, entries }: StatusListAllocateTogetherArgs) => {
        const problems = [
          ...entries.flatMap(({ type }, n) =>
            type === 'Broken' ? [{ path: `entries[${n}]`, message: 'cannot be read' }] : [],
          ),
          ...requests.flatMap(({ statusListName }, n) =>
            statusListName === 'nowhere'
              ? [{ path: `requests[${n}].statusListName`, message: 'there is none' }]
              : [],
          ),
        ]
        if (problems.length > 0) throw problemsError('list_not_found', problems)
        if (requests.some(({ statusListName }) => statusListName === 'lost'))
          throw new AgentError('unavailable', 'gone')
        adopted.push(entries)
        const answered = requests.filter(({ statusListName }) => statusListName !== 'forgotten')
        const contexts = entries.length > 0 ? ['urn:ready'] : []
        return Promise.resolve({ allocations: answered.map(allocate), contexts })
      },
    },
  }
  return { plugin, asked, adopted }
}

const setUp = async (lists = listPlugin()) => {
  const { agent } = createTestAgent({ options: { clock: () => NOW }, plugins: [lists.plugin] })
  const { did } = await createKeyDid(agent)
  const issue = (
    credentialStatus: CredentialIssueArgs['credentialStatus'],
    more: Partial<CredentialIssueArgs> = {},
  ) => agent.credentialIssue({ issuerDid: did, attributes: { a: 1 }, credentialStatus, ...more })
  return { agent, did, issue, ...lists }
}
const refusal = (code: string, path: string, says = /./) => ({
  code,
  message: new RegExp(`^${path}: `),
  says,
})

async function refused(work: Promise<unknown>, { code, message, says }: ReturnType<typeof refusal>) {
  await assert.rejects(work, (error: AgentError) => {
    assert.equal(error.code, code)
    assert.match(error.message, message)
    assert.match(error.message, says)
    return true
  })
}

describe('status of a new credential', () => {
  it('is allocated on behalf of the issuer and is the same in object and JWT', async () => {
    const { did, issue, asked } = await setUp()
    const credential = await issue({ statusListName: 'members' })
    assert.deepEqual(asked, [{ did, statusListName: 'members' }])
    const entry = { type: 'TestEntry', statusPurpose: 'revocation', statusListIndex: '0' }
    assert.deepEqual(credential.credentialStatus, entry)
    assert.deepEqual(credential['@context'], ['https://www.w3.org/2018/credentials/v1', 'urn:test'])
    const { vc, status } = decodeJWT(String(credential.proof.jwt)).payload as Record<string, unknown>
    assert.deepEqual((vc as Record<string, unknown>).credentialStatus, entry)
    assert.equal(status, undefined)
  })

  it('passes on all parameters, under either name of the list type', async () => {
    const { issue, asked } = await setUp()
    const did = 'did:test:publisher'
    const common = { statusListName: 'members', did, statusPurpose: ['a', 'b'], statusListIndex: '7' }
    for (const type of [{ listType: 'X' }, { statusListType: 'X' }, { listType: 'X', statusListType: 'X' }]) {
      const { credentialStatus } = await issue({ ...common, ...type })
      assert.deepEqual(asked.at(-1), { ...common, listType: 'X', statusListIndex: 7 })
      assert.equal((credentialStatus as unknown as unknown[]).length, 2)
    }
  })

  it('keeps the order of requests and ready-made entries', async () => {
    const { issue, adopted } = await setUp()
    const ready = { type: 'Other', id: 'urn:1', anything: { at: ['all'] } }
    const { credentialStatus, '@context': context } = await issue([
      { statusListName: 'x' },
      ready,
      { statusListName: 'y' },
    ])
    const entries = credentialStatus as unknown as Record<string, unknown>[]
    assert.deepEqual(
      entries.map(({ type }) => type),
      ['TestEntry', 'Other', 'TestEntry'],
    )
    assert.deepEqual(entries[1], ready)
    assert.deepEqual(adopted, [[ready]])
    assert.deepEqual((context as string[]).slice(1), ['urn:ready', 'urn:test'])
    const one = await issue([{ statusListName: 'x' }])
    assert.ok(Array.isArray(one.credentialStatus))
  })

  it('goes into the claim "status" if the type requires it, at most once', async () => {
    const entry = { status_list: { idx: 3, uri: 'urn:list' } }
    const { issue } = await setUp(
      listPlugin((allocation) => ({ ...allocation, entryMember: 'status', entries: [entry] })),
    )
    const credential = await issue({ statusListName: 'x' })
    assert.deepEqual(credential.status, entry)
    assert.equal(credential.credentialStatus, undefined)
    const { vc, status } = decodeJWT(String(credential.proof.jwt)).payload as Record<string, unknown>
    assert.deepEqual(status, entry)
    assert.ok(!('status' in (vc as object)))
  })

  it('locates refusals at the request', async () => {
    const { issue } = await setUp()
    const [good, nowhere, broken] = [
      { statusListName: 'x' },
      { statusListName: 'nowhere' },
      { type: 'Broken' },
    ]
    await refused(
      issue(nowhere),
      refusal('list_not_found', 'credentialStatus\\.statusListName', /there is none/),
    )
    await refused(issue(broken), refusal('list_not_found', 'credentialStatus', /cannot be read/))
    await assert.rejects(issue([good, nowhere, { type: 'Fine' }, broken, nowhere]), (error: AgentError) => {
      assert.deepEqual(
        error.details.map(({ path }) => path),
        ['credentialStatus[3]', 'credentialStatus[1].statusListName', 'credentialStatus[4].statusListName'],
      )
      return true
    })
    await assert.rejects(issue({ statusListName: 'lost' }), { code: 'unavailable', message: 'gone' })
  })

  it('is never silently omitted', async () => {
    const { issue } = await setUp()
    await assert.rejects(
      issue([{ statusListName: 'x' }, { statusListName: 'forgotten' }]),
      /did not answer every request/,
    )
  })

  it('takes no index until everything else has been validated', async () => {
    const { agent, did, issue, asked } = await setUp()
    const status = { statusListName: 'x' }
    const expired = { expirationDate: '2026-03-01T12:00:00Z' }
    await refused(issue(status, expired), refusal('invalid_input', 'expirationDate', /future/))
    await refused(
      issue(status, { attributes: { id: 7, name: 'Ada' } }),
      refusal('invalid_input', 'attributes\\.id'),
    )
    await refused(issue(status, { issuerDid: 'did:test:else' }), refusal('did_not_found', 'issuerDid'))
    await refused(issue(status, { type: [''] }), refusal('invalid_input', 'type\\[0\\]'))
    await refused(
      issue([status, { statusListName: 'x', statusListIndex: -1 }]),
      refusal('invalid_input', 'credentialStatus\\[1\\]\\.statusListIndex'),
    )
    await refused(
      issue([status, { type: 'Broken' }]),
      refusal('list_not_found', 'credentialStatus\\[1\\]', /cannot be read/),
    )
    assert.deepEqual(asked, [])
    const calls = recordCalls(agent)
    await agent.credentialIssue({ issuerDid: did, attributes: { a: 1 }, credentialStatus: status })
    assert.deepEqual(calls, [
      'credentialIssue',
      'didHolding',
      'didManagerGet',
      'resolveDid',
      'statusListAllocateTogether',
      'didSign',
      'keyManagerSign',
    ])
  })

  it('cannot be requested without an allocator, while ready-made entries are accepted', async () => {
    const { agent } = createTestAgent()
    const { did } = await createKeyDid(agent)
    const issue = (credentialStatus: CredentialIssueArgs['credentialStatus']) =>
      agent.credentialIssue({ issuerDid: did, attributes: { a: 1 }, credentialStatus })
    await refused(
      issue({ statusListName: 'x' }),
      refusal('invalid_input', 'credentialStatus', /no plugin that allocates status list indices/),
    )
    assert.deepEqual((await issue({ type: 'Other', id: 'urn:1' })).credentialStatus, {
      type: 'Other',
      id: 'urn:1',
    })
  })
})
