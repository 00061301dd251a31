import type { IssuedQuery, JobStep, RegisteredEntry, StatusListStore, StoredJob } from '@vidimus/core-types'
import { isSameList } from '../versions/list-location.js'
import { JobPartsByList, refusedRow, type JobRow, type RefusedRow } from './job-parts.js'
import { JobTargets, type TargetSources } from './job-targets.js'

/** What a job without a file selects from the register. */
export interface Selection {
  query: IssuedQuery
  action: string
  reason?: string | undefined
}

/** Entries of the register in one step. */
const TOGETHER = 1000

/** The next rows of a job that selects them from the register. */
export async function selectNext(job: StoredJob, sources: TargetSources): Promise<JobStep> {
  const selection = await storedSelection(job, sources.store)
  const { register } = sources.store
  const page = { limit: TOGETHER, offset: 0, ...(job.selectAfter ? { after: job.selectAfter } : {}) }
  const { entries, next } = await register.select(selection.query, page)
  const hashes = [...new Set(entries.map(({ credentialHash }) => credentialHash))]
  const found = await register.entriesOf({ hashes })
  const siblings = new Map(hashes.map((hash, n) => [hash, found[n] ?? []]))
  const targets = new JobTargets(sources)
  const parts = new JobPartsByList()
  const kept = []
  for (const entry of entries) {
    const ofCredential = siblings.get(entry.credentialHash) ?? [entry]
    const row = await rowOfEntry(entry, ofCredential, selection.action, job.rows + parts.rows + 1, targets)
    if (row) kept.push(...parts.add(row))
  }
  kept.push(...parts.take())
  return { rows: parts.rows, refused: parts.refusedRows, parts: kept, selectAfter: next ?? null }
}

/** What a job selects. */
export async function storedSelection(job: StoredJob, { jobs }: StatusListStore): Promise<Selection> {
  const [part] = await jobs.parts(job, 'request', { most: 1 })
  if (!part) throw new Error('the request of a job is missing')
  return JSON.parse(part.content) as Selection
}

/** @returns `undefined` if the action is for another entry of the credential */
async function rowOfEntry(
  entry: RegisteredEntry,
  ofCredential: readonly RegisteredEntry[],
  action: string,
  line: number,
  targets: JobTargets,
): Promise<JobRow | RefusedRow | undefined> {
  const { credentialHash, list, index } = entry
  try {
    const meant = await targets.credentialEntry(ofCredential, action)
    if (meant.index !== index || !isSameList(meant.list, list)) return undefined
    return { line, list, index, action, credentialHash }
  } catch (error) {
    return { ...refusedRow(line, error), credentialHash }
  }
}
