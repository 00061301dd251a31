import { setImmediate } from 'node:timers/promises'
import { isOfLowOrder, verifySignature } from '@vidimus/verification-methods'
import type { DIDDocument } from 'did-resolver'
import type { DidLog, LogEntry, WitnessProof } from './did-log.js'
import type { VersionAsked } from './version-asked.js'

/** The library's result for a version. */
interface Metadata {
  versionId: string
  /** RFC 3339 */
  created: string
  updated: string
  deactivated: boolean
  error?: string
  problemDetails?: { detail: string }
}

export interface VerifiedVersion {
  /** `null` if the DID is deactivated, or has no such version */
  document: DIDDocument | null
  metadata: Metadata
}

interface Expected {
  did: string
  scid: string
  witnessProofs: WitnessProof[]
  version: VersionAsked
}

/** As far as it is used here: NodeNext finds no types in the package. */
interface Library {
  resolveDIDFromLog: (
    log: readonly LogEntry[],
    options: VersionAsked & {
      requestedDid: string
      scid: string
      witnessProofs: readonly WitnessProof[]
      verifier: {
        verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean>
      }
    },
  ) => Promise<{ doc: DIDDocument | null; meta: Metadata }>
}

/** The host's response is not the history of this DID. */
export class NotVerified extends Error {}

/** Of a sentence that quotes the log. */
const MOST_CHARACTERS = 300

/**
 * Verifies every version of a log: hashes from the identifier on, signatures by keys that the version before allows,
 * witnesses.
 *
 * @throws NotVerified
 */
export async function verifyLog({ entries }: DidLog, expected: Expected): Promise<VerifiedVersion> {
  const { did, scid, witnessProofs, version } = expected
  // The library is loaded by the first request for such a DID.
  const { resolveDIDFromLog } = (await import('didwebvh-ts')) as Library
  const options = { requestedDid: did, scid, witnessProofs, verifier, ...version }
  try {
    const { doc, meta } = await resolveDIDFromLog(entries, options)
    if (meta.error === undefined || doc === null) return { document: doc, metadata: meta }
    throw new Error(meta.problemDetails?.detail ?? meta.error)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : ''
    throw new NotVerified(`its log does not verify: ${why}`.slice(0, MOST_CHARACTERS), { cause })
  }
}

/** Other requests run between two signatures: a log may have many. */
const verifier = {
  async verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
    await setImmediate()
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') } as const
    return (
      !isOfLowOrder('Ed25519', publicKey) && verifySignature({ type: 'Ed25519', jwk }, message, signature)
    )
  },
}
