import { readFileSync } from 'node:fs'
import type { LoadClient } from './load/load.js'
import type { MeasuredService } from './measure.js'
import type { Row } from './rows.js'

/** Resident memory at a time of the course. */
export interface MemoryAt {
  when: string
  bytes: number
}

const LOAD_SECONDS = Number(process.env.BENCH_MEMORY_SECONDS ?? 100)
const REST_SECONDS = 30
const PARTS = 4

/** Mixed load, one kind of request after the other, and a rest. */
export async function memoryCourse(
  service: MeasuredService,
  client: LoadClient,
  rows: readonly Row[],
): Promise<MemoryAt[]> {
  const course: MemoryAt[] = [{ when: 'before the load', bytes: residentBytes(service.pid) }]
  const each = LOAD_SECONDS / PARTS / rows.length
  for (let part = 1; part <= PARTS; part++) {
    for (const row of rows) await client.fire(service, { ...row, connections: 16 }, each)
    course.push({
      when: `after ${Math.round((LOAD_SECONDS * part) / PARTS)} s`,
      bytes: residentBytes(service.pid),
    })
  }
  await new Promise((resolve) => setTimeout(resolve, REST_SECONDS * 1000))
  course.push({ when: `after a rest of ${REST_SECONDS} s`, bytes: residentBytes(service.pid) })
  return course
}

export function residentBytes(pid: number): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(pages?.[1]) * 1024
}
