import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createDid as newDid, createList, freshName } from '../../behaviour/suite.js'
import type { Client } from '../../support/client.js'
import { publishing } from '../../support/static-publication-suite.js'
import { hasty } from '../../support/webhook-trial.js'
import type { Fleet } from '../fleet.js'
import { createLists } from '../list-kinds.js'
import { RuleBroken, type Figures, type Trial, type Wishes } from '../trial.js'
import { Caller, type World } from './caller.js'
import { CALLERS, change } from './changes.js'
import { withEngine, type Engine } from './engine.js'
import { liveStolenKey, revokeByIds } from './credential-jobs.js'
import { follow } from './events.js'
import { Facts, ModelList, type ModelDid } from './facts.js'
import { Faults, type FaultTimes } from './faults.js'
import { createKey, issue, type Issuing, type ModelCredential } from './issuing.js'
import { massChange } from './jobs.js'
import { changeDocument, createDid, liveAccount, livePaced, replaceKey, rotate } from './lives.js'
import { liveAtQuota } from './quotas.js'
import { Random } from './random.js'
import { readBack } from './reading.js'
import { beginRenewals } from './renewals.js'
import { allEvents } from './trail.js'
import { Hook } from './webhooks.js'

interface Size {
  engines: readonly Engine[]
  /** of each engine */
  seconds: number
  processes: number
  lists: number
  times: FaultTimes
}

const SIZES: Record<'full' | 'short', Size> = {
  full: {
    engines: ['sqlite', 'postgres'],
    seconds: 300,
    processes: 2,
    lists: 6,
    times: { pauseMs: 3000, frozenMs: 8000 },
  },
  short: {
    engines: ['sqlite', 'postgres'],
    seconds: 3,
    processes: 2,
    lists: 4,
    times: { pauseMs: 700, frozenMs: 400 },
  },
}

/** What callers share. */
interface Shared {
  lists: readonly ModelList[]
  issuing: Issuing
  dids: readonly string[]
}

const RULE =
  'Clients change lists of every type, alone, by credential and in jobs of entries, credentials and all that a key signed, with ' +
  'idempotency keys and receipts, while keys are rotated, lists expire, DIDs and accounts come and go and reach their quotas, and ' +
  'the receiver of a webhook and the folder of publications fail; processes are killed (`kill -9`), frozen and stopped, answers are lost, ' +
  'sessions and COMMITs of the database are cut, and it is restarted. Every acknowledged fact is there at the end, in the API ' +
  'and in the audit trail, once: what nobody answered may be either way, but never half, and nothing is undone.'

async function run({ engines, seconds, ...size }: Size, wishes: Wishes, form: string): Promise<Figures> {
  const seed = wishes.seed ?? randomInt(1, 1_000_000)
  const wished: Engine | undefined = wishes.database && (wishes.database === 'sqlite' ? 'sqlite' : 'postgres')
  const facts = new Facts((line) => void (form === 'full' && process.stdout.write(`${line}\n`)))
  const figures: Figures = { seed }
  for (const engine of wished ? [wished] : engines) {
    const lasting = wishes.minutes === undefined ? seconds : wishes.minutes * 60
    try {
      figures[`faults, ${engine}`] = await onEngine(
        engine,
        { ...size, seconds: lasting, onNetwork: wishes.onNetwork ?? false },
        facts,
        new Random(seed),
      )
    } catch (error) {
      facts.find(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  }
  const { acknowledged, findings } = facts
  Object.assign(figures, { acknowledged, findings: findings.length })
  if (facts.findings.length > 0) throw new RuleBroken(facts.findings.slice(0, 20).join('\n'), figures)
  return figures
}

const configure = (text: string) => publishing('directory')(hasty(text))

/** @returns the faults that were made */
async function onEngine(
  engine: Engine,
  { seconds, processes, lists, times, onNetwork }: Omit<Size, 'engines'> & { onNetwork: boolean },
  facts: Facts,
  random: Random,
): Promise<string> {
  return withEngine(engine, { processes, configure, onNetwork }, async (fleet, ground) => {
    const shared = await prepare(fleet.client(), lists)
    const renewed = await beginRenewals(fleet.client())
    const hook = await Hook.of(fleet.client(), await allEvents(fleet.client()))
    const found = new Facts((line) => facts.tell(`${engine}:${line}`))
    found.lists.push(...shared.lists, ...renewed)
    const faults = new Faults(fleet, random.fork(0), times, ground, (what) => found.find(what))
    const endsAt = performance.now() + seconds * 1000
    const isOver = () => performance.now() > endsAt
    const world: World = {
      fleet,
      facts: found,
      faults,
      operatorKey: await operatorKeyOf(fleet),
      onNetwork,
      isOver,
    }
    faults.start()
    hook.begin(new Caller(world, CALLERS + 1, random.fork(CALLERS + 2)))
    const callers = Array.from({ length: CALLERS }, (_, n) => new Caller(world, n, random.fork(n + 1)))
    const following = follow(new Caller(world, CALLERS, random.fork(CALLERS + 1)))
    await Promise.all(callers.map((caller) => work(caller, random.fork(100), shared)))
    const seen = await following
    await faults.stop()
    await fleet.recover()
    await readBack(fleet.client(), found, {
      seen,
      audit: () => audit(fleet),
      hook,
      published: ground.published,
      renewed,
    })
    await hook.stop()
    facts.add(found)
    return faults.summary
  })
}

async function prepare(client: Client, count: number): Promise<Shared> {
  const lists = (await createLists(client, count)).map((list) => new ModelList(list))
  const [first = assert.fail('there are lists'), second = first] = lists
  for (const { list } of [first, second]) {
    const publishEvery = list === first.list ? 'PT1S' : 'PT3S'
    const statusPurpose = list === first.list ? ['revocation', 'suspension'] : list.statusPurpose
    const { listType } = list
    const name = await createList(client, { listType, statusPurpose, body: { publishEvery } })
    lists.push(new ModelList({ ...list, ...name }, publishEvery))
  }
  const did = await newDid(client)
  const { statusListName } = await createList(client, { did })
  const encrypted = { did, statusListName: freshName('encrypted') }
  await client.ok('POST', '/credential-status/create/encrypted', {
    query: { listType: first.list.listType, statusPurpose: ['revocation', 'suspension'] },
    json: encrypted,
  })
  lists.push(new ModelList({ ...first.list, ...encrypted }, undefined, 'encrypted'))
  const series = freshName('series')
  await client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: { did, statusListName: series, series: true },
  })
  const dids = [...new Set([...lists.map(({ list }) => list.did), did])]
  return { lists, issuing: { did, names: [statusListName, series] }, dids }
}

/** What a caller does, over and over; half of the DIDs have their keys rotated, the others replaced by one caller each. */
async function work(caller: Caller, mixing: Random, { lists, issuing, dids }: Shared): Promise<void> {
  const { random, world, n } = caller
  const own: ModelDid[] = []
  const valid: ModelCredential[] = []
  const rotated = dids.filter((_, place) => place % 2 === 0)
  const replaced = dids.filter((_, place) => place % 2 === 1)[n]
  const kinds = mixing.mixed<() => unknown>([
    [40, () => change(caller, random.pick(lists))],
    [5, () => massChange(caller, lists)],
    [12, () => issue(caller, issuing, valid)],
    [2, () => revokeByIds(caller, valid)],
    [1, () => liveStolenKey(caller)],
    [1, () => liveAtQuota(caller)],
    [3, () => rotate(caller, random.pick(rotated))],
    [5, () => livePaced(caller)],
    [3, async () => own.push(...[await createDid(caller)].filter((did) => did !== undefined))],
    [3, async () => own.length > 0 && changeDocument(caller, random.pick(own))],
    [2, () => createKey(caller)],
    [1, () => liveAccount(caller)],
  ])
  if (replaced !== undefined)
    kinds.push([
      5,
      () =>
        replaceKey(
          caller,
          replaced,
          lists.filter(({ list }) => list.did === replaced),
        ),
    ])
  while (!world.isOver()) {
    await random.weighted(kinds)()
    // A process that starts again refuses everything, and that at once.
    await setTimeout(random.between(0, 20))
  }
}

const operatorKeyOf = async (fleet: Fleet): Promise<string> => {
  const told = await fleet
    .member(0)
    .service.command('key', 'create', '--account', 'default', '--scope', 'operator', '--json')
  return (JSON.parse(told) as { apiKey: string }).apiKey
}

const audit = (fleet: Fleet) => fleet.member(0).service.command('audit', '--json', '--limit', '100000')

export const model: Trial = {
  name: 'model',
  rule: RULE,
  run: (form, wishes = {}) => run(SIZES[form], wishes, form),
  lastLine: ({ acknowledged = 0, findings = 0, seed = 0 }) =>
    `model: ${acknowledged} acknowledged, ${findings} findings, seed ${seed}`,
}
