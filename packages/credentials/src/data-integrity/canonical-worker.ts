import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import dataIntegrity from '@digitalbazaar/data-integrity-context'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { contexts as bitstringStatus } from '@digitalbazaar/vc-bitstring-status-list-context'
import statusList2021 from '@digitalbazaar/vc-status-list-context'
import { BOUNDS } from '@vidimus/core-types'
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

/** Steps so far, by what they are. */
class Cost {
  private readonly steps = new Map<string, number>()

  /** @throws Error at the first step beyond the bound */
  count(what: string, most: number): void {
    const steps = (this.steps.get(what) ?? 0) + 1
    if (steps > most) throw new Error(`it takes more than ${most} ${what}`)
    this.steps.set(what, steps)
  }

  countComparison(): void {
    this.count('comparisons of related blank nodes', BOUNDS.jsonLdComparisons)
  }
}

/** A hash that is counted before anything follows from it, by the algorithm that begins with such a text. */
class CountedDigest {
  private readonly hash = createHash('sha256')
  private isCounted = false

  constructor(
    private readonly part: Cost,
    private readonly cost: Cost,
  ) {}

  update(text: string): void {
    this.count(text)
    this.hash.update(text)
  }

  digest(): string {
    this.count('')
    return this.hash.digest('hex')
  }

  private count(start: string): void {
    if (this.isCounted) return
    this.isCounted = true
    if (start.endsWith('\n')) {
      // N-Quads: each blank node is hashed once.
      this.part.count('blank nodes', BOUNDS.jsonLdBlankNodes)
      this.cost.count('first-degree hashes', BOUNDS.jsonLdFirstDegreeHashes)
    } else if (/^[sog]$/.test(start)) {
      // The position in a quad.
      this.cost.countComparison()
    } else {
      // The hash of related nodes, if there are any.
      this.cost.count('n-degree calls', BOUNDS.jsonLdNDegreeCalls)
    }
  }
}

/**
 * Canonicalizes the parts of one document, which share the bounds on all steps whose number depends on how blank nodes
 * are linked.
 *
 * @returns a function from JSON-LD to canonical N-Quads, which throws an Error that names the exceeded bound
 * @see RDF Dataset Canonicalization 1.0 sections 4.6 to 4.8, and 7.1, "Dataset Poisoning"
 */
function boundedCanonicalization(): (part: object, options: object) => Promise<string> {
  const cost = new Cost()
  const signal = {
    // Read at every third order of nodes that look alike, which are compared without any hash if all have ids.
    get aborted() {
      cost.countComparison()
      return false
    },
  }
  return (part, options) => {
    const ofPart = new Cost()
    const createMessageDigest = () => new CountedDigest(ofPart, cost)
    // The library's own limit depends on the document, and applies to each part of it alone.
    return cryptosuite.canonize(part, {
      ...options,
      createMessageDigest,
      signal,
      maxDeepIterations: Infinity,
    })
  }
}

/**
 * What each proof signs: the hashes of the proof without its value, and of the document. Both cryptosuites hash with
 * SHA-256, and the document is canonicalized once.
 */
async function verifyData({ document, proofs }: CanonicalRequest): Promise<Uint8Array[]> {
  const problem = terms.problemOf(document['@context'], [document, ...proofs])
  if (problem !== undefined) throw new Error(problem)
  const ours = { canonize: boundedCanonicalization(), createVerifier: signsNothing }
  // The library adds the terms of a proof where they are missing; the contexts of both versions contradict each other.
  const legacyContext = [document['@context']].flat().includes('https://w3id.org/security/data-integrity/v1')
  const suite = new DataIntegrityProof({ cryptosuite: ours, legacyContext })
  const data: Uint8Array[] = []
  for (const proof of proofs) data.push(await suite.createVerifyData({ document, proof, documentLoader }))
  return data.map((one) => new Uint8Array(one))
}

/** Demanded by the library; signatures are verified in the main thread. */
const signsNothing = () => Promise.reject(new Error('signs nothing'))

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
    (data) => parentPort?.postMessage({ data } satisfies CanonicalAnswer),
    (error: unknown) => parentPort?.postMessage({ reason: failureReason(error) } satisfies CanonicalAnswer),
  )
})
parentPort?.postMessage('ready')
