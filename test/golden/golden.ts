import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { detectMediaType, signBytes } from '@vidimus/ledger'
import { feeKind } from '../../packages/ledger-cheqd/src/fees.js'
import { DoubleRoom } from './double-room.js'
import { EmbeddedRoom } from './embedded-room.js'
import { judgeConversion, judgeFee, judgeFeesOfTransaction } from './fee-cases.js'
import { judgeGas } from './gas-cases.js'
import { isMessageCase, judgeMessages, judgeSignBytes } from './message-cases.js'
import { judgeDoor, judgeGasPayment, judgePayment } from './payment-cases.js'
import { readFolder, type GoldenCase, type GoldenFile } from './read-cases.js'
import type { Room } from './room.js'
import { RulesRoom } from './rules-room.js'
import { agreement, type Verdict } from './verdict.js'

/** Recorded of cheqd-node v4.2.0; see README.md. */
export const OWN_CASES = join(import.meta.dirname, 'cases')

export interface GoldenReport {
  cases: number
  stricter: number
  disagreements: { file: string; name: string; differences: string[] }[]
}

/** Holds every case of a folder against all that knows the rules here. */
export async function judgeFolder(folder: string): Promise<GoldenReport> {
  const cases = readFolder(folder).flatMap((file) => file.cases.map((one) => ({ file, one })))
  const verdicts: Verdict[] = []
  const embedded = await EmbeddedRoom.open()
  const rooms = [new RulesRoom(), embedded, new DoubleRoom()]
  try {
    for (const { file, one } of cases) verdicts.push(await judge(one, file, rooms))
  } finally {
    await embedded.close()
  }
  return reportOf(cases, verdicts)
}

function reportOf(
  cases: readonly { file: GoldenFile; one: GoldenCase }[],
  verdicts: readonly Verdict[],
): GoldenReport {
  const disagreements = cases.flatMap(({ file, one }, n) => {
    const differences = verdicts[n]?.differences ?? []
    return differences.length > 0 ? [{ file: file.name, name: one.name, differences }] : []
  })
  const stricter = verdicts.filter(({ isStricter }) => isStricter).length
  return { cases: cases.length, stricter, disagreements }
}

/** The last line. */
export const sentenceOf = ({ cases, stricter, disagreements }: GoldenReport): string =>
  `${cases - stricter - disagreements.length} of ${cases} cases agree, ${stricter} stricter on purpose`

async function judge(one: GoldenCase, file: GoldenFile, rooms: readonly Room[]): Promise<Verdict> {
  try {
    return await verdictOf(one, file, rooms)
  } catch (error) {
    return agreement([`cannot be judged: ${error instanceof Error ? error.message : String(error)}`])
  }
}

async function verdictOf(one: GoldenCase, file: GoldenFile, rooms: readonly Room[]): Promise<Verdict> {
  if (isMessageCase(one)) return judgeMessages(one, file, rooms)
  if (typeof one.out.signBytes === 'string') return judgeSignBytes(one, signBytes)
  if (typeof one.out.mediaType === 'string') return judgeMediaType(one)
  if (typeof one.out.kind === 'string') return judgeKind(one)
  if (one.in.ranges !== undefined) return judgeFee(one)
  if (one.in.params !== undefined) return judgeFeesOfTransaction(one, file)
  if (one.in.amount !== undefined) return judgeConversion(one)
  if (one.out.gas !== undefined) return judgeGas(one)
  if (one.in.gasPrice !== undefined) return judgeGasPayment(one)
  if (one.in.minimumGasPrices !== undefined) return judgeDoor(one)
  if (one.in.balance !== undefined) return judgePayment(one)
  return agreement(['nothing here judges it'])
}

const contentOf = ({ in: { data, gzip } }: GoldenCase): Buffer =>
  typeof gzip === 'string'
    ? gunzipSync(Buffer.from(gzip, 'base64'))
    : Buffer.from(typeof data === 'string' ? data : '', 'base64')

function judgeMediaType(one: GoldenCase): Verdict {
  const found = detectMediaType(contentOf(one))
  const wanted = String(one.out.mediaType)
  const isSame = found === wanted || (isCoarser(found, wanted) && feeOf(found) === feeOf(wanted))
  return agreement(isSame ? [] : [`ledger: ${found}, and not ${wanted}`])
}

/** Types that have a name on the embedded ledger beside images. */
const NAMED = [
  ...['application/json', 'application/pdf', 'application/zip', 'application/gzip', 'application/cbor'],
  ...['text/html', 'text/xml', 'text/csv', 'text/plain', 'application/octet-stream'],
]

/** Without parameters, except of plain text; of the kinds that have no name of their own, what they are made of. */
function isCoarser(found: string, wanted: string): boolean {
  const type = essence(wanted)
  if (NAMED.includes(type)) return found === type && type !== 'text/plain'
  const isImage = type.startsWith('image/')
  return (
    !isImage &&
    ['text/xml', 'text/plain', 'application/zip', 'application/octet-stream'].includes(essence(found))
  )
}

const essence = (mediaType: string) => mediaType.split(';')[0] ?? ''

const feeOf = (mediaType: string) => feeKind('createResource', mediaType)

/** The tax class of a resource. */
function judgeKind(one: GoldenCase): Verdict {
  const found = feeOf(detectMediaType(contentOf(one)))
  return agreement(found === one.out.kind ? [] : [`ledger: ${found}, and not ${String(one.out.kind)}`])
}
