import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { IDIDManager, TAgent } from '@veramo/core-types'
import { Accounts } from '@vidimus/accounts'
import { loadConfiguration } from '@vidimus/agent-config'
import { runInAccountScope, type IStatusList } from '@vidimus/core-types'

/** What a cached list weighs; run in a process of its own with --expose-gc, so that nothing else is weighed. */
const LENGTHS = [131_072, 1_000_000]
const LISTS = 200
/** Lists that are looked at first, so that code and look-ups are there before anything is weighed. */
const WARM_UP = 50
/** one entry of so many is set: an encodedList of a third of the size of its bits */
const SPARSE = 20

type Agent = TAgent<IDIDManager & IStatusList>

const dataDirectory = await mkdtemp(join(tmpdir(), 'vidimus-memory-'))
const weights: Record<number, number> = {}
const names = await withAgent(publish)
await withAgent(weigh)
await rm(dataDirectory, { recursive: true, force: true })
process.send?.(weights)

async function withAgent<T>(work: (agent: Agent) => Promise<T>): Promise<T> {
  const configuration = await loadConfiguration(join(import.meta.dirname, '../agent.yml'), {
    environment: { VIDIMUS_DATA_DIR: dataDirectory },
  })
  const [accounts, agent] = await configuration.build('/accounts', '/agent')
  if (!(accounts instanceof Accounts)) throw new Error('agent.yml has other accounts')
  await configuration.start()
  await accounts.firstStart()
  const [account] = await accounts.list()
  if (!account) throw new Error('there is no account')
  try {
    return await runInAccountScope(account, () => work(agent as Agent))
  } finally {
    await configuration.stop()
  }
}

async function publish(agent: Agent): Promise<{ did: string; statusListName: string; length: number }[]> {
  const { did } = await agent.didManagerCreate({ provider: 'did:cheqd', options: { network: 'testnet' } })
  const lists = LENGTHS.flatMap((length) =>
    Array.from({ length: LISTS }, (_, n) => ({ did, statusListName: `${length}-${n}`, length })),
  )
  for (const { length, ...list } of lists) {
    const bits = new Uint8Array(length / 8)
    for (let n = 0; n < length / SPARSE; n++) {
      const index = randomInt(length)
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7))
    }
    const encodedList = `u${gzipSync(bits).toString('base64url')}`
    await agent.statusListCreate({
      ...list,
      listType: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList,
    })
  }
  return lists
}

async function weigh(agent: Agent): Promise<void> {
  const check = ({ did, statusListName }: (typeof names)[number]) =>
    agent.statusListCheck({
      did,
      statusListName,
      listType: 'BitstringStatusList',
      statusPurpose: 'revocation',
      index: 0,
    })
  for (const length of LENGTHS) {
    const all = names.filter((list) => list.length === length)
    for (const list of all.slice(0, WARM_UP)) await check(list)
    const before = await inUse()
    const weighed = all.slice(WARM_UP)
    for (const list of weighed) await check(list)
    weights[length] = ((await inUse()) - before) / weighed.length / (length / 8)
  }
}

async function inUse(): Promise<number> {
  for (let n = 0; n < 4; n++) {
    global.gc?.()
    // memory outside of the heap is given back after a while
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
