import { parseForeignJson } from '@vidimus/core-types'
import { z } from 'zod'

const METHOD = 'did:webvh:1.0'

/** Each version costs a hash and a signature, or more. */
const MOST_VERSIONS = 1000
const MOST_PROOFS = 100

/** Only such keys are in the method; other keys would have to be fetched. */
const Proof = z.looseObject({
  verificationMethod: z.string().regex(/^did:key:(z\w+)#\1$/),
  proofValue: z.string(),
})
const VersionId = z.string().regex(/^\d{1,6}-\w{1,100}$/)
const Entry = z.looseObject({
  versionId: VersionId,
  versionTime: z.string(),
  parameters: z.looseObject({}),
  state: z.looseObject({ id: z.string() }),
  proof: z.array(Proof).min(1).max(MOST_PROOFS),
})
const WitnessProofs = z
  .array(z.looseObject({ versionId: VersionId, proof: z.array(Proof).max(MOST_PROOFS) }))
  .max(MOST_PROOFS)

export type LogEntry = z.infer<typeof Entry>
export type WitnessProof = z.infer<typeof WitnessProofs>[number]

/** The log of a DID as its host sends it: its shape is checked, but nothing of it is verified. */
export interface DidLog {
  entries: LogEntry[]
  /** whether any version states who must approve it */
  hasWitnesses: boolean
}

/**
 * @param content - JSON Lines, an entry each
 * @throws Error with a sentence about the log
 * @see The did:webvh DID Method v1.0, "The DID Log File"
 */
export function parseLog(content: Buffer): DidLog {
  const lines = content.toString('utf8').trimEnd().split('\n')
  if (lines.length > MOST_VERSIONS) throw new Error(`its log has more than ${MOST_VERSIONS} versions`)
  const entries = lines.map((line, at) => parsed(line, Entry, 'its log', ` in line ${at + 1}`))
  if (entries[0]?.parameters.method !== METHOD) throw new Error(`its log is not of ${METHOD}`)
  return { entries, hasWitnesses: entries.some(({ parameters }) => 'witness' in parameters) }
}

/** @throws Error with a sentence about the file */
export const parseWitnessProofs = (content: Buffer): WitnessProof[] =>
  parsed(content.toString('utf8'), WitnessProofs, 'its file of witnesses')

/** The value as it was sent: hashes cover all of it. */
function parsed<T>(text: string, schema: z.ZodType<T>, what: string, where = ''): T {
  let value: unknown
  try {
    value = parseForeignJson(text)
  } catch (cause) {
    throw new Error(`${what} is not JSON${where}, or nested too deep`, { cause })
  }
  const { error } = schema.safeParse(value)
  if (!error) return value as T
  const [issue] = error.issues
  throw new Error(`${what} does not conform to the method${where}: ${issue?.path.join('.')}`)
}
