import { createRequire } from 'node:module'
import { bytesToMultibase, extractPublicKeyBytes } from 'did-jwt'
import type { VerificationMethod } from 'did-resolver'

/** The libraries of Digital Bazaar as an issuer or verifier elsewhere uses them; they come without types. */
export type Suite = 'eddsa-rdfc-2022' | 'ecdsa-rdfc-2019'

interface Key {
  id: string
  controller: string
  publicKeyMultibase: string
}

interface KeyPair {
  signer(): unknown
  export(options: { publicKey: boolean }): Promise<Key & { type: string }>
}

interface Libraries {
  DataIntegrityProof: new (options: object) => {
    proof?: object
    createVerifyData(request: object): Promise<Uint8Array>
  }
  verifyCredential: (options: object) => Promise<{ verified: boolean; error?: unknown }>
  issue: (options: object) => Promise<Record<string, unknown>>
  verify: (options: object) => Promise<{ verified: boolean }>
  signPresentation: (options: object) => Promise<Record<string, unknown>>
  cryptosuite: unknown
  generate: (options: object) => Promise<KeyPair>
  contexts: Map<string, unknown>
}

const load = (name: string): Promise<Record<string, never>> => import(name) as Promise<Record<string, never>>

async function libraries(suite: Suite): Promise<Libraries> {
  const require = createRequire(import.meta.url)
  const { contexts: dataIntegrity } = require('@digitalbazaar/data-integrity-context') as Libraries
  const { contexts: statusList2021 } = require('@digitalbazaar/vc-status-list-context') as Libraries
  const { contexts } = (await load('@digitalbazaar/credentials-context')) as unknown as Libraries
  const keys = suite === 'eddsa-rdfc-2022' ? 'ed25519-multikey' : 'ecdsa-multikey'
  return {
    ...((await load('@digitalbazaar/data-integrity')) as unknown as Libraries),
    ...((await load('@digitalbazaar/vc')) as unknown as Libraries),
    ...((await load(`@digitalbazaar/${suite}-cryptosuite`)) as unknown as Libraries),
    generate: ((await load(`@digitalbazaar/${keys}`)) as unknown as Libraries).generate,
    contexts: new Map([...contexts, ...dataIntegrity, ...statusList2021]),
  }
}

function loaderOf(contexts: Map<string, unknown>, ...keys: Key[]) {
  const documents = new Map(contexts)
  for (const key of keys) {
    const method = { '@context': 'https://w3id.org/security/multikey/v1', type: 'Multikey', ...key }
    documents.set(key.id, method)
    documents.set(key.controller, {
      '@context': 'https://www.w3.org/ns/did/v1',
      id: key.controller,
      assertionMethod: [method],
      authentication: [method],
    })
  }
  return (url: string) => {
    const document = documents.get(url)
    if (document === undefined) return Promise.reject(new Error(`no document ${url}`))
    return Promise.resolve({ contextUrl: null, documentUrl: url, document })
  }
}

/** The key of a verification method, as the libraries take it. */
export function multikeyOf(method: VerificationMethod): Key {
  const { keyBytes, keyType } = extractPublicKeyBytes(method)
  const isEd25519 = keyType === 'Ed25519'
  const compressed = isEd25519
    ? keyBytes
    : Buffer.concat([Buffer.from([2 + ((keyBytes.at(-1) ?? 0) & 1)]), keyBytes.slice(1, 33)])
  const codec = isEd25519 ? 'ed25519-pub' : 'p256-pub'
  const { id, controller } = method
  return { id, controller, publicKeyMultibase: bytesToMultibase(compressed, 'base58btc', codec) }
}

/** What `@digitalbazaar/vc` says of a credential. */
export async function byDigitalBazaar(
  credential: unknown,
  suite: Suite,
  key: Key,
  now: Date,
): Promise<{ verified: boolean; error?: unknown }> {
  const { DataIntegrityProof, cryptosuite, verifyCredential, contexts } = await libraries(suite)
  const proof = new DataIntegrityProof({ cryptosuite })
  return verifyCredential({ credential, suite: proof, documentLoader: loaderOf(contexts, key), now })
}

/**
 * The status that `@digitalbazaar/vc-bitstring-status-list` reads for a credential in a list, which it verifies.
 *
 * @param list - as it is served at the address in the credential
 */
export async function statusByDigitalBazaar(
  credential: { credentialStatus: { statusListCredential: string } },
  list: object,
  suite: Suite,
  key: Key,
): Promise<{ verified: boolean; results?: { status: boolean }[]; error?: Error }> {
  const { DataIntegrityProof, cryptosuite, contexts } = await libraries(suite)
  const { checkStatus } = (await load('@digitalbazaar/vc-bitstring-status-list')) as unknown as {
    checkStatus: (options: object) => ReturnType<typeof statusByDigitalBazaar>
  }
  const documents = new Map(contexts).set(credential.credentialStatus.statusListCredential, list)
  const documentLoader = loaderOf(documents, key)
  return checkStatus({ credential, suite: new DataIntegrityProof({ cryptosuite }), documentLoader })
}

/** A credential that `@digitalbazaar/vc` signs with a new key, and the verification method of that. */
export async function foreignLdp(
  credential: object,
  suite: Suite,
  controller: string,
  now: Date,
  options: object = {},
  curve: 'P-256' | 'P-384' = 'P-256',
): Promise<{ credential: Record<string, unknown>; method: VerificationMethod }> {
  const { DataIntegrityProof, cryptosuite, issue, generate, contexts } = await libraries(suite)
  const pair = await generate({ id: `${controller}#key-1`, controller, curve })
  const proof = new DataIntegrityProof({ signer: pair.signer(), cryptosuite, date: now })
  proof.proof = options
  const signed = await issue({ credential, suite: proof, documentLoader: loaderOf(contexts), now })
  const method = (await pair.export({ publicKey: true })) as unknown as VerificationMethod
  return { credential: signed, method }
}

/** What the proof of a document signs with eddsa-rdfc-2022: equal for documents that make the same statements. */
export async function statementsOf(secured: object): Promise<string> {
  const { DataIntegrityProof, cryptosuite, contexts } = await libraries('eddsa-rdfc-2022')
  const { proof, ...document } = secured as { proof: Record<string, unknown> }
  const { proofValue: _, ...options } = proof
  const request = { document, proof: options, documentLoader: loaderOf(contexts) }
  return Buffer.from(await new DataIntegrityProof({ cryptosuite }).createVerifyData(request)).toString('hex')
}

/** What a verifier asked a holder for. */
export interface Asked {
  challenge: string
  domain?: string
}

/** Whether `@digitalbazaar/vc` verifies a presentation, with the keys of its holder and of its issuers. */
export async function presentationByDigitalBazaar(
  presentation: unknown,
  suite: Suite,
  keys: Key[],
  asked: Asked,
  now: Date,
): Promise<boolean> {
  const { DataIntegrityProof, cryptosuite, verify, contexts } = await libraries(suite)
  const proof = new DataIntegrityProof({ cryptosuite })
  const documentLoader = loaderOf(contexts, ...keys)
  const { verified } = await verify({ presentation, suite: proof, documentLoader, ...asked, now })
  return verified
}

/** A presentation that `@digitalbazaar/vc` signs with a new key, and the verification method of that. */
export async function foreignLdpVp(
  presentation: object,
  suite: Suite,
  controller: string,
  asked: Asked,
  now: Date,
  options: object = {},
): Promise<{ presentation: Record<string, unknown>; method: VerificationMethod }> {
  const { DataIntegrityProof, cryptosuite, signPresentation, generate, contexts } = await libraries(suite)
  const pair = await generate({ id: `${controller}#key-1`, controller, curve: 'P-256' })
  const proof = new DataIntegrityProof({ signer: pair.signer(), cryptosuite, date: now })
  proof.proof = options
  const documentLoader = loaderOf(contexts)
  const signed = await signPresentation({ presentation, suite: proof, documentLoader, ...asked })
  const method = (await pair.export({ publicKey: true })) as unknown as VerificationMethod
  return { presentation: signed, method }
}
