import { setTimeout } from 'node:timers/promises'
import type { Action } from '../list-kinds.js'
import { told, type Asking, type Caller } from './caller.js'
import { actionsFor, sees, someIndices, undo } from './changes.js'
import type { ModelList } from './facts.js'

interface Job {
  id: string
  state: string
  rows: number
  applied: number
  refused: number
}

interface Part {
  list: ModelList
  action: Action
  indices: readonly number[]
}

const JOBS = '/credential-status/jobs'
/** An account has this many at most that have not ended; the callers share one. */
const LOOK_MS = 15
/** A network that misbehaves takes minutes for some versions. */
const ENDS_WITHIN_S = { here: 90, onNetwork: 300 }

/** A mass change of own entries, some of which are changed back as soon as they are seen to be done. */
export async function massChange(caller: Caller, lists: readonly ModelList[]): Promise<void> {
  const { random, facts } = caller
  const parts = chosen(caller, lists)
  if (parts.length === 0) return
  const id = `job-${random.uuid()}`
  const rows = parts.flatMap(({ list, action, indices }) =>
    indices.map((index) => `${list.address},${index},${action}`),
  )
  for (const { list, action, indices } of parts) list.doubt(indices, list.list.values[action])
  const body = ['list,index,action', ...rows, ''].join('\n')
  if (!(await ordered(caller, id, { body, headers: { 'content-type': 'text/csv' } }))) return
  facts.jobs.push({ id, rows: rows.length })
  const undone = new Map<Part, number[]>()
  if (random.chance(0.3)) caller.world.faults.strike()
  const job = await followed(caller, id, async () => {
    const part = random.pick(parts)
    if (!undone.has(part)) await changeBack(caller, part, undone)
  })
  if (job) await settleJob(caller, job, parts, undone)
}

/** @returns whether it was accepted */
export async function ordered(caller: Caller, id: string, asking: Asking): Promise<boolean> {
  const { random, facts } = caller
  const said = await caller.insist('POST', JOBS, {
    ...asking,
    query: { jobId: id },
    fragile: random.chance(0.2),
  })
  if (said?.kind === 'done') facts.acknowledge()
  else if (said && !/open|ended|maxOpenJobs/.test(said.error)) facts.find(`a job was refused: ${told(said)}`)
  return said?.kind === 'done'
}

function chosen(caller: Caller, lists: readonly ModelList[]): Part[] {
  const { random } = caller
  const most = random.weighted([
    [4, 6],
    [2, 60],
    [1, 700],
  ])
  const parts: Part[] = []
  for (const list of new Set(Array.from({ length: random.between(1, 3) }, () => random.pick(lists)))) {
    const { indices, value } = someIndices(caller, list, random.between(2, most))
    const actions = actionsFor(list, value).filter((action) => list.list.values[action] !== value)
    if (indices.length > 0 && actions.length > 0) parts.push({ list, action: random.pick(actions), indices })
  }
  return parts
}

/** Looks at it until it has ended. */
export async function followed(
  caller: Caller,
  id: string,
  meanwhile: () => Promise<void>,
): Promise<Job | undefined> {
  const seconds = caller.world.onNetwork ? ENDS_WITHIN_S.onNetwork : ENDS_WITHIN_S.here
  for (const startedAt = performance.now(); performance.now() - startedAt < seconds * 1000;) {
    await meanwhile()
    const said = await caller.ask('GET', `${JOBS}/${id}`)
    if (said.kind === 'refused') caller.facts.find(`acknowledged: the job ${id} is ${told(said)}`)
    if (said.kind === 'done' && ['done', 'failed'].includes((said.body as Job).state)) return said.body as Job
    await setTimeout(LOOK_MS)
  }
  caller.facts.find(`acknowledged: the job ${id} has not ended within ${seconds} s`)
  return undefined
}

/** What the job has done and its order may not do again, whatever ends it in between. */
async function changeBack(caller: Caller, part: Part, undone: Map<Part, number[]>): Promise<void> {
  const { random, world } = caller
  const { list, action, indices } = part
  const value = list.list.values[action]
  const undoing = action === 'reinstate' ? 'suspend' : 'reinstate'
  if (!actionsFor(list, value).includes(undoing)) return
  const some = indices.slice(0, random.between(1, 3))
  if (!(await sees(caller, list, some, value))) return
  if (random.chance(0.5)) world.faults.strike()
  undone.set(part, some)
  list.settle(some, value)
  await undo(caller, list, undoing, some)
}

async function settleJob(
  caller: Caller,
  job: Job,
  parts: readonly Part[],
  undone: ReadonlyMap<Part, number[]>,
): Promise<void> {
  const { facts } = caller
  const rows = parts.reduce((sum, { indices }) => sum + indices.length, 0)
  const { id, state, applied, refused } = job
  if (state !== 'done' || applied !== rows || refused !== 0) {
    const report = await caller.insist('GET', `${JOBS}/${id}/report`, { query: { limit: '1' } })
    const why = report?.kind === 'done' ? JSON.stringify(report.body) : told(report)
    facts.find(
      `the valid job ${id} of ${rows} rows is ${state}: ${applied} applied, ${refused} refused, ${why}`,
    )
    return
  }
  facts.acknowledge()
  for (const part of parts) {
    const back = undone.get(part) ?? []
    const left = part.indices.filter((index) => !back.includes(index))
    part.list.settle(left, part.list.list.values[part.action])
  }
}
