import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Clock ticks in a second, as `/proc` counts; 100 on every Linux that Node.js runs on. */
const TICKS = 100

/** Who may use up the machine. */
export interface Processes {
  service: readonly number[]
  /** the server of the database, its children included */
  database?: number
  /** those that send the requests, beside this process */
  clients?: readonly number[]
}

/** Parts of the processors of this machine, 0 to 1. */
export interface ProcessorShares {
  service: number
  database: number
  client: number
}

/** What the processes have used of the processors between two moments; Linux alone can tell. */
export function watchProcessors(processes: Processes): () => ProcessorShares {
  const began = process.hrtime.bigint()
  const before = usedBy(processes)
  return () => {
    const seconds = Number(process.hrtime.bigint() - began) / 1e9
    const after = usedBy(processes)
    const share = (who: keyof ProcessorShares) => (after[who] - before[who]) / seconds / cpus().length
    return { service: share('service'), database: share('database'), client: share('client') }
  }
}

/** Seconds of a processor that a process has used so far, its own and those of children that have ended. */
export const processorSeconds = (pid: number): number => secondsOf(pid)

function usedBy({ service, database, clients = [] }: Processes): ProcessorShares {
  const { user, system } = process.cpuUsage()
  return {
    service: service.reduce((sum, pid) => sum + secondsOf(pid), 0),
    database: database === undefined ? 0 : secondsOf(database) + secondsOfChildren(database),
    client: (user + system) / 1e6 + clients.reduce((sum, pid) => sum + secondsOf(pid), 0),
  }
}

function secondsOfChildren(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.reduce((sum, pid) => sum + (parentOf(pid) === parent ? secondsOf(pid) : 0), 0)
}

const parentOf = (pid: string) => Number(fieldsOf(pid)?.[1])

/** User and system time, also that of children that have ended. */
function secondsOf(pid: string | number): number {
  const fields = fieldsOf(pid)
  return fields ? [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0) / TICKS : 0
}

/** What follows the name of the program in `/proc/<pid>/stat`, from the state on. */
function fieldsOf(pid: string | number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
