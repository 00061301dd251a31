import type { Call, Operation } from './operations.js'
import type { Known } from './known.js'

/** One of the installations that take turns. */
export interface Side {
  url: string
  known: Known
}

export interface Comparison {
  name: string
  connections: number
  /** milliseconds of a request, the median of the rounds */
  empty: number
  full: number
  /** the throughput that is left: the median of the rounds' ratios */
  ratio: number
}

/** What else the machine does meets both: so each round is short, and there are many. */
const ROUND_MS = 150
const LEAST = 8
const MOST = 200
const WARM_UP = 16

/**
 * Sends the same requests to both, in turns.
 *
 * @param sides - `most`: requests that a round has at the most
 */
export async function compare(
  operation: Operation,
  { empty, full, rounds, most = MOST }: { empty: Side; full: Side; rounds: number; most?: number },
): Promise<Comparison> {
  const warmUp = Math.min(WARM_UP, most)
  await burst(empty, operation, warmUp)
  const each = (await burst(empty, operation, warmUp)) / warmUp
  await burst(full, operation, 2 * warmUp)
  const least = Math.max(LEAST, operation.connections * 2)
  const amount = Math.min(most, Math.max(least, Math.round(ROUND_MS / each)))
  const times: { empty: number; full: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0
    const one = await burst(first ? empty : full, operation, amount)
    const other = await burst(first ? full : empty, operation, amount)
    times.push(first ? { empty: one, full: other } : { empty: other, full: one })
  }
  const { name, connections } = operation
  return {
    ...{ name, connections },
    empty: median(times.map((time) => time.empty)) / amount,
    full: median(times.map((time) => time.full)) / amount,
    ratio: median(times.map((time) => time.empty / time.full)),
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN

let calls = 0

/** @returns how many milliseconds all of them took */
async function burst(
  { url, known }: Side,
  { connections, call }: Operation,
  amount: number,
): Promise<number> {
  const begun = performance.now()
  let left = amount
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await answered(url, known.apiKey, call(known, (calls += 1)))
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return performance.now() - begun
}

export async function answered(url: string, apiKey: string, call: Call): Promise<string> {
  const { method, path, query = {}, json, headers } = call
  const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`)
  return text
}
