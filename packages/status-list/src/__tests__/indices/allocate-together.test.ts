import assert from 'node:assert/strict'
import {
  asDid,
  asListName,
  runInAccountScope,
  type DIDHoldingArgs,
  type IStatusListCredentials,
  type StatusListAllocateArgs,
  type StatusListAllocateTogetherArgs,
} from '@vidimus/core-types'
import type { WritingContext } from '../../agent-context.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { listUrl } from '../../types/list-url.js'
import { SharedFolder, SHORT, type CredentialsAgent } from '../credentials-set-up.js'
import { refused } from '../refused.js'
import { createTestAgent } from '../test-agent.js'

const TYPE = 'BitstringStatusList'
const [ONE, OTHER] = ['members', 'guests']

describe('allocating all entries of a credential', () => {
  let folder: SharedFolder
  let test: CredentialsAgent
  let did: string
  beforeEach(async () => {
    folder = await SharedFolder.create()
    test = await folder.agent()
    ;({ did } = await test.createDid())
    for (const statusListName of [ONE, OTHER]) {
      await test.scoped((agent) =>
        agent.statusListCreate({ did, statusListName, listType: TYPE, statusPurpose: 'revocation' }),
      )
    }
  })
  afterEach(() => folder.remove())

  const request = (statusListName: string, more: Partial<StatusListAllocateArgs> = {}) => ({
    did,
    statusListName,
    ...more,
  })
  const entry = (statusListName: string, index: number) => ({
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: listUrl({
      did: asDid(did),
      statusListName: asListName(statusListName),
      resourceType: 'BitstringStatusListCredential',
    }),
  })
  const together = (requests: StatusListAllocateArgs[], entries: Record<string, unknown>[] = []) =>
    test.scoped((agent) => agent.statusListAllocateTogether({ requests, entries }))
  /** Allocates all remaining indices. @returns their number */
  const left = async (statusListName: string) => {
    for (let count = 0; ; count += 1) {
      const outcome = await together([request(statusListName)]).catch((error: unknown) => error)
      if (outcome instanceof Error) return count
    }
  }

  it('answers each request, in order', async () => {
    const { allocations, contexts } = await together(
      [request(OTHER), request(ONE, { statusListIndex: 5 }), request(OTHER)],
      [entry(ONE, 6)],
    )
    const placeOf = ({ statusListCredential, statusListIndex }: Record<string, unknown>) =>
      `${/resourceName=(\w+)/.exec(String(statusListCredential))?.[1]} ${String(statusListIndex)}`
    assert.deepEqual(
      allocations.map(({ entries: [first = {}] }) => placeOf(first)),
      [`guests ${allocations[0]?.index}`, 'members 5', `guests ${allocations[2]?.index}`],
    )
    assert.notEqual(allocations[0]?.index, allocations[2]?.index)
    assert.deepEqual(contexts, ['https://www.w3.org/ns/credentials/status/v1'])
    assert.deepEqual([await left(ONE), await left(OTHER)], [SHORT - 2, SHORT - 2])
  })

  it('takes the holding of the issuer for its own lists only, and no imitation', async () => {
    const other = await test.createDid()
    const agent = test.agent as unknown as WritingContext['agent']
    const holding = await test.scoped(() => agent.didHolding({ did, purpose: 'assertionMethod' }))
    const asked: string[] = []
    const noting = {
      ...agent,
      didHolding: (args: DIDHoldingArgs) => {
        asked.push(args.did)
        return agent.didHolding(args)
      },
    }
    const allocate = test.plugin.methods.statusListAllocateTogether as unknown as (
      args: StatusListAllocateTogetherArgs,
      context: WritingContext,
    ) => Promise<unknown>
    const held = (args: StatusListAllocateTogetherArgs) =>
      test.scoped(() => allocate(args, { agent: noting as unknown as typeof agent }))
    await held({ requests: [request(ONE)], entries: [], holding })
    assert.deepEqual(asked, [])
    const ofOther = { requests: [{ ...request(ONE), did: other.did }], entries: [], holding }
    await refused(() => held(ofOther), { code: 'list_not_found' })
    assert.deepEqual(asked, [other.did])
    const copied = { requests: [request(ONE)], entries: [], holding: { ...holding } }
    await runInAccountScope({ ...test.account, id: 'another' }, () =>
      refused(() => allocate(copied, { agent }), { code: 'invalid_input', path: 'holding' }),
    )
  })

  it('reports all refusals and allocates nothing', async () => {
    const error = await refused(
      () =>
        together(
          [
            request(ONE),
            request('nobody'),
            request(OTHER, { statusListIndex: SHORT }),
            request(ONE, { listType: 'x' }),
          ],
          [entry(ONE, 3), entry(OTHER, -1)],
        ),
      { code: 'invalid_input', path: 'entries[1]' },
    )
    assert.deepEqual(
      error.details.map(({ path }) => path),
      ['entries[1]', 'requests[1].statusListName', 'requests[2].statusListIndex', 'requests[3].listType'],
    )
    assert.deepEqual([await left(ONE), await left(OTHER)], [SHORT, SHORT])
  })

  it('allocates nothing if one index is unavailable', async () => {
    await together([request(OTHER, { statusListIndex: 9 })])
    const taken = await refused(
      () =>
        together(
          [request(ONE), request(OTHER, { statusListIndex: 9 }), request(ONE, { statusListIndex: 4 })],
          [entry(ONE, 4), entry(ONE, 3)],
        ),
      { code: 'index_taken', path: 'requests[1].statusListIndex', says: /already allocated/ },
    )
    assert.deepEqual(
      taken.details.map(({ path }) => path),
      ['requests[1].statusListIndex', 'requests[2].statusListIndex'],
    )
    assert.equal(await left(OTHER), SHORT - 1)
    await refused(() => together([request(ONE), request(OTHER)]), {
      code: 'list_full',
      path: 'requests[1].statusListName',
    })
    assert.equal(await left(ONE), SHORT)
  })

  it('allocates no index to a refused credential, and all of them to an issued one', async () => {
    const issue = (credentialStatus: Record<string, unknown>[]) =>
      test.scoped((agent) =>
        agent.credentialIssue({ issuerDid: did, attributes: { a: 1 }, credentialStatus } as never),
      )
    const error = await refused(
      () => issue([{ statusListName: ONE }, entry(ONE, 2), { statusListName: 'nobody' }]),
      {
        code: 'list_not_found',
        path: 'credentialStatus[2].statusListName',
      },
    )
    assert.equal(error.details.length, 1)
    await issue([{ statusListName: ONE }, entry(ONE, 2), { statusListName: OTHER }])
    assert.deepEqual([await left(ONE), await left(OTHER)], [SHORT - 2, SHORT - 1])
  })

  it('refuses too many requests and malformed arguments', async () => {
    const many = <T>(one: T) => Array.from({ length: 17 }, () => one)
    await refused(() => together(many(request(ONE))), { code: 'invalid_input', path: 'requests', says: /16/ })
    await refused(() => together([], many(entry(ONE, 1))), { code: 'invalid_input', path: 'entries' })
    await refused(() => together([request(ONE, { statusListIndex: -1 })]), {
      code: 'invalid_input',
      path: 'requests[0].statusListIndex',
    })
    assert.deepEqual(await together([]), { allocations: [], contexts: [] })
  })

  it('accepts only ready-made entries without a store', async () => {
    const { agent } = createTestAgent({ options: { types: [BitstringStatusList] } }) as unknown as {
      agent: IStatusListCredentials
    }
    const call = (requests: StatusListAllocateArgs[], entries: Record<string, unknown>[]) =>
      agent.statusListAllocateTogether({ requests, entries })
    assert.deepEqual((await call([], [entry(ONE, 1)])).allocations, [])
    await refused(() => call([], [entry(ONE, -1)]), { code: 'invalid_input', path: 'entries[0]' })
    await refused(() => call([request(ONE)], []), {
      code: 'invalid_input',
      path: 'requests[0]',
      says: /ready entry/,
    })
  })
})
