import { parentPort, workerData } from 'node:worker_threads'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import dataIntegrity from '@digitalbazaar/data-integrity-context'
import { cryptosuite as ecdsa } from '@digitalbazaar/ecdsa-rdfc-2019-cryptosuite'
import { cryptosuite as eddsa } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { contexts as bitstringStatus } from '@digitalbazaar/vc-bitstring-status-list-context'
import statusList2021 from '@digitalbazaar/vc-status-list-context'
import { KnownTerms } from './known-terms.js'
import type { CanonicalAnswer, CanonicalRequest } from './canonicalization.js'

// A hostile document can make canonicalization slow; a worker does not block other requests and can be terminated.

/** The bundled ones take precedence. */
const CONTEXTS = new Map<string, unknown>([
  ...Object.entries(workerData as Record<string, unknown>),
  ...[credentials, dataIntegrity.contexts, bitstringStatus, statusList2021.contexts].flatMap((contexts) => [
    ...contexts,
  ]),
])

const terms = new KnownTerms(CONTEXTS)

/** Uses only the given contexts and makes no requests. */
async function documentLoader(url: string) {
  const document = CONTEXTS.get(url)
  if (document === undefined) throw new Error(`the context "${url}" is not known here`)
  return Promise.resolve({ contextUrl: null, documentUrl: url, document })
}

/** The signed data: the hashes of the proof without its value, and of the document. */
async function verifyData({ document, proof, suite }: CanonicalRequest): Promise<Uint8Array> {
  const problem = terms.problemOf(document['@context'], [document, proof])
  if (problem !== undefined) throw new Error(problem)
  // The library adds the terms of a proof where they are missing; the contexts of both versions contradict each other.
  const legacyContext = [document['@context']].flat().includes('https://w3id.org/security/data-integrity/v1')
  if (suite === 'eddsa-rdfc-2022') {
    return new DataIntegrityProof({ cryptosuite: eddsa, legacyContext }).createVerifyData({
      document,
      proof,
      documentLoader,
    })
  }
  const signer = { algorithm: 'P-256', id: '', sign: () => Promise.reject(new Error('signs nothing')) }
  const dataIntegrityProof = new DataIntegrityProof({ cryptosuite: ecdsa, signer, legacyContext })
  const request = { cryptosuite: ecdsa, document, proof, documentLoader, dataIntegrityProof }
  return ecdsa.createVerifyData(request)
}

/** The undefined term or other problem, without the contexts themselves. */
function failureReason(error: unknown): string {
  const { message, details } = error as {
    message?: unknown
    details?: { event?: { code?: string; details?: Record<string, unknown> } }
  }
  const { code, details: of } = details?.event ?? {}
  const named = [of?.property, of?.type, of?.value, of?.id].find((one) => typeof one === 'string')
  if (code !== undefined) return named === undefined ? code : `${code} ${JSON.stringify(named)}`
  return typeof message === 'string' ? message.slice(0, 200) : 'it cannot be processed'
}

parentPort?.on('message', (request: CanonicalRequest) => {
  verifyData(request).then(
    (data) => parentPort?.postMessage({ data: new Uint8Array(data) } satisfies CanonicalAnswer),
    (error: unknown) => parentPort?.postMessage({ reason: failureReason(error) } satisfies CanonicalAnswer),
  )
})
parentPort?.postMessage('ready')
