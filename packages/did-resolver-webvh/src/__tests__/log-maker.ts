import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import * as didwebvh from 'didwebvh-ts'
import type { LogEntry, WitnessProof } from '../did-log.js'

export interface LogParameters {
  updateKeys?: string[]
  method?: string
  witness?: unknown
}
export type DidLog = (LogEntry & {
  parameters: LogParameters
  state: { id: string; alsoKnownAs?: string[] }
})[]

interface Options {
  log: DidLog
  signer: LogKey
  verifier: { verify: () => Promise<boolean> }
  alsoKnownAs?: string[]
}

/** NodeNext finds no types in the package. */
export const {
  createDID,
  updateDID,
  deactivateDID,
  signWitnessProofEntry,
  prepareDataForSigning,
  multibaseEncode,
} = didwebvh as unknown as {
  createDID: (options: Record<string, unknown>) => Promise<{ did: string; log: DidLog }>
  updateDID: (options: Options) => Promise<{ log: DidLog }>
  deactivateDID: (options: Options) => Promise<{ log: DidLog }>
  signWitnessProofEntry: (options: Record<string, unknown>) => Promise<WitnessProof>
  prepareDataForSigning: (document: unknown, proof: unknown) => Promise<Uint8Array>
  multibaseEncode: (bytes: Uint8Array, encoding: string) => string
}

const BASE58 = 'z'
const ED25519 = Buffer.from('ed01', 'hex')

/** A key that may change a log, or approve changes as a witness. */
export class LogKey {
  private readonly privateKey: KeyObject
  readonly multikey: string

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    this.privateKey = privateKey
    const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
    this.multikey = multibaseEncode(Buffer.concat([ED25519, bytes]), BASE58)
  }

  get did(): string {
    return `did:key:${this.multikey}`
  }

  getVerificationMethodId(): string {
    return `${this.did}#${this.multikey}`
  }

  async sign({ document, proof }: { document: unknown; proof: unknown }): Promise<{ proofValue: string }> {
    const signed = await prepareDataForSigning(document, proof)
    const signature = sign(null, signed, this.privateKey)
    return { proofValue: multibaseEncode(signature, BASE58) }
  }

  /** The entry with a proof by this key in place of its own. */
  async signed(entry: DidLog[number]): Promise<DidLog[number]> {
    const { proof: _, ...document } = entry
    const proof = {
      type: 'DataIntegrityProof',
      cryptosuite: 'eddsa-jcs-2022',
      verificationMethod: this.getVerificationMethodId(),
      created: entry.versionTime,
      proofPurpose: 'assertionMethod',
    }
    return { ...document, proof: [{ ...proof, ...(await this.sign({ document, proof })) }] }
  }
}

/** Only creates logs; the code under test verifies them. */
export const trusting = { verify: () => Promise.resolve(true) }

export async function newLog(
  host: string,
  options: Record<string, unknown> = {},
): Promise<{ did: string; log: DidLog; key: LogKey }> {
  const key = new LogKey()
  const { did, log } = await createDID({
    address: decodeURIComponent(host),
    signer: key,
    verifier: trusting,
    updateKeys: [key.multikey],
    verificationMethods: [{ type: 'Multikey', publicKeyMultibase: key.multikey, purpose: 'assertionMethod' }],
    ...options,
  })
  return { did, log, key }
}

export const jsonLines = (log: DidLog): string => log.map((entry) => JSON.stringify(entry)).join('\n') + '\n'
