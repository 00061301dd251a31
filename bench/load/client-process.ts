import { RawConnection } from './connection.js'

/** Requests as they go over the wire, and how they are sent. */
export interface Job {
  host: string
  port: number
  connections: number
  requests: readonly string[]
  /** at the end of the requests it begins anew; otherwise it is done */
  again: boolean
  seconds: number
}

/** What one run found. */
export interface Run {
  perSecond: number
  /** milliseconds */
  p50: number
  p99: number
  answers: number
  /** by status */
  statuses: Record<string, number>
  /** of a processor, that sending and reading took */
  clientSeconds: number
}

async function run({ host, port, connections, requests, again, seconds }: Job): Promise<Run> {
  const opened = await Promise.all(Array.from({ length: connections }, () => RawConnection.open(host, port)))
  const times: number[] = []
  const statuses: Record<string, number> = {}
  let next = 0
  const processor = process.cpuUsage()
  const began = performance.now()
  const end = began + seconds * 1000
  const sendAll = async (connection: RawConnection) => {
    for (;;) {
      const at = performance.now()
      if (at >= end || (!again && next >= requests.length)) return
      const { status } = await connection.send(requests[next++ % requests.length] ?? '')
      times.push(performance.now() - at)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  try {
    await Promise.all(opened.map(sendAll))
  } finally {
    for (const connection of opened) connection.close()
  }
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(processor)
  times.sort((one, other) => one - other)
  const quantile = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? NaN
  return {
    perSecond: times.length / took,
    p50: quantile(0.5),
    p99: quantile(0.99),
    answers: times.length,
    statuses,
    clientSeconds: (user + system) / 1e6,
  }
}

process.on('message', (job: Job) => {
  run(job).then(
    (found) => process.send?.({ found }),
    (error: Error) => process.send?.({ failure: error.message }),
  )
})
// not to outlive a bench that failed
process.on('disconnect', () => process.exit())
process.send?.('ready')
