import { createHash, type Hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { DataIntegrityProof, type VerifyDataRequest } from '@digitalbazaar/data-integrity'
import dataIntegrity from '@digitalbazaar/data-integrity-context'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { contexts as bitstringStatus } from '@digitalbazaar/vc-bitstring-status-list-context'
import statusList2021 from '@digitalbazaar/vc-status-list-context'
import { BOUNDS } from '@vidimus/core-types'
import { KnownTerms } from './known-terms.js'
import type { CanonicalAnswer, CanonicalRequest, Digest } from './canonicalization.js'

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
  private readonly hash: Hash
  private isCounted = false

  constructor(
    digest: Digest,
    private readonly part: Cost,
    private readonly cost: Cost,
  ) {
    this.hash = createHash(digest)
  }

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
function boundedCanonicalization(
  digest: Digest,
  cost: Cost,
): (part: object, options: object) => Promise<string> {
  const signal = {
    // Read at every third order of nodes that look alike, which are compared without any hash if all have ids.
    get aborted() {
      cost.countComparison()
      return false
    },
  }
  return (part, options) => {
    const ofPart = new Cost()
    const createMessageDigest = () => new CountedDigest(digest, ofPart, cost)
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
 * What each proof signs: the hashes of the proof without its value, and of the document, which is canonicalized once for each
 * hash.
 *
 * @see Data Integrity ECDSA Cryptosuites 1.0 section 3.2: a P-384 key hashes with SHA-384, also within the canonicalization
 */
async function verifyData({ document, proofs, digests = [] }: CanonicalRequest): Promise<Uint8Array[]> {
  const problem = terms.problemOf(document['@context'], [document, ...proofs])
  if (problem !== undefined) throw new Error(problem)
  const cost = new Cost()
  const suites = { sha256: suiteOf(document, 'sha256', cost), sha384: suiteOf(document, 'sha384', cost) }
  const data: Uint8Array[] = []
  for (const [n, proof] of proofs.entries())
    data.push(new Uint8Array(await suites[digests[n] ?? 'sha256']({ document, proof, documentLoader })))
  return data
}

function suiteOf(
  document: Record<string, unknown>,
  digest: Digest,
  cost: Cost,
): (request: VerifyDataRequest) => Promise<Uint8Array> {
  const ours = { canonize: boundedCanonicalization(digest, cost), createVerifier: signsNothing }
  // The library adds the terms of a proof where they are missing; the contexts of both versions contradict each other.
  const legacyContext = [document['@context']].flat().includes('https://w3id.org/security/data-integrity/v1')
  const suite = new DataIntegrityProof({ cryptosuite: ours, legacyContext })
  if (digest === 'sha256') return (request) => suite.createVerifyData(request)
  const hash = (text: string) => createHash(digest).update(text).digest()
  let ofDocument: Promise<Buffer> | undefined
  return async ({ proof }) => {
    ofDocument ??= suite.canonize(document, { documentLoader, base: null, safe: true }).then(hash)
    const ofProof = hash(await suite.canonizeProof(proof, { document, documentLoader }))
    return Buffer.concat([ofProof, await ofDocument])
  }
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
