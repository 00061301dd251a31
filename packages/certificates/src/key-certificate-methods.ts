import type { IAgentContext, IKeyManager } from '@veramo/core-types'
import {
  checkArguments,
  problemsError,
  requireEffect,
  signingAlgorithmOf,
  asKid,
  type KeyCertificate,
  type KeyCertificateArgs,
  type KeyCertificateGetArgs,
  type KeyCertificateRequest,
  type KeyCertificateSetArgs,
  type KeyCertificateStore,
} from '@vidimus/core-types'
import { certificateMethods } from '@vidimus/core-types/schemas'
import { isSameKey } from '@vidimus/verification-methods'
import { certificatesInPem, readChain, toX5c, type Chain } from './certificate-chain.js'
import { isSelfIssued, type Certificate } from './certificate.js'
import { demandSound } from './certificate-path.js'
import { demandCanonicalNames, issuerNamedBy } from './issuer-names.js'
import { CertificateRefusal, refusedAs } from './refusal.js'
import { demandAnchored } from './unanchored-chains.js'

type KeyContext = IAgentContext<IKeyManager>

interface Parts {
  store: KeyCertificateStore
  /** the extended key usage required of certificates that sign status lists, if they list any */
  statusSigningEku: string | undefined
  clock: () => Date
  /** to one of which a chain must lead; absent: any sound chain may be set */
  anchors: (() => readonly Certificate[]) | undefined
}

/** The methods for certificates of keys in custody. */
export function keyCertificateMethods(parts: Parts) {
  return {
    keyCertificateRequest: (args: KeyCertificateArgs, context: KeyContext) => requested(args, context),
    keyCertificateSet: (args: KeyCertificateSetArgs, context: KeyContext) => set(args, parts, context),
    keyCertificateGet: (args: KeyCertificateGetArgs) => found(args, parts),
  }
}

async function requested(given: KeyCertificateArgs, { agent }: KeyContext): Promise<KeyCertificateRequest> {
  const { kid } = checkArguments(certificateMethods.keyCertificateRequest.arguments, given)
  requireEffect('request-certificate')
  const key = await agent.keyManagerGet({ kid })
  const algorithm = certificateAlgorithm(key.type)
  // Loaded on first use: few services have certificates.
  const { certificateRequest } = await import('./certificate-request.js')
  const pem = await certificateRequest(key, async (bytes) => {
    const data = Buffer.from(bytes).toString('hex')
    const signature = await agent.keyManagerSign({ keyRef: kid, data, encoding: 'hex', algorithm })
    return Buffer.from(signature, 'base64url')
  })
  return { kid, certificateRequest: pem }
}

/** @throws AgentError `invalid_input` at `kid` */
function certificateAlgorithm(type: string): string {
  try {
    return signingAlgorithmOf(type)
  } catch (cause) {
    const message = `is a key of type ${type}, which cannot sign`
    throw Object.assign(problemsError('invalid_input', [{ path: 'kid', message }]), { cause })
  }
}

async function set(
  given: KeyCertificateSetArgs,
  { store, statusSigningEku, clock, anchors }: Parts,
  { agent }: KeyContext,
): Promise<KeyCertificate> {
  const { kid, certificateChain } = checkArguments(certificateMethods.keyCertificateSet.arguments, given)
  requireEffect('name-issuer')
  const key = await agent.keyManagerGet({ kid })
  if (certificateChain.length === 0) {
    await store.put(asKid(kid), [], undefined)
    return { kid, certificateChain: [], signsStatusLists: false }
  }
  const chain = refusedAs(unfit, () => {
    const read = withoutAnchor(readChain(certificateTexts(certificateChain)))
    const [{ publicKey }] = read
    if (!publicKey || !isSameKey(publicKey, key))
      throw new CertificateRefusal('[0] is the certificate of another key')
    demandCanonicalNames(read[0])
    if (issuerNamedBy(read[0]) === undefined) {
      throw new CertificateRefusal(
        '[0] names neither an https address nor a host among its subject alternative names',
      )
    }
    demandSound(read, clock())
    if (anchors) demandAnchored(read, anchors(), clock())
    return read
  })
  await store.put(asKid(kid), toX5c(chain), chainExpiry(chain))
  return described(kid, chain, statusSigningEku)
}

async function found(
  given: KeyCertificateGetArgs,
  { store, statusSigningEku }: Parts,
): Promise<KeyCertificate | null> {
  const { kid, did } = checkArguments(certificateMethods.keyCertificateGet.arguments, given)
  const x5c = await store.find(asKid(kid), did)
  return x5c ? described(kid, readChain(x5c), statusSigningEku) : null
}

function described(kid: string, chain: Chain, statusSigningEku: string | undefined): KeyCertificate {
  const [leaf] = chain
  const issuer = issuerNamedBy(leaf)
  return {
    kid,
    ...(issuer !== undefined && { issuer }),
    expiresAt: chainExpiry(chain).toISOString(),
    certificateChain: toX5c(chain),
    signsStatusLists: leaf.extendedUsages?.some((usage) => usage === statusSigningEku) ?? true,
  }
}

const chainExpiry = (chain: Chain): Date =>
  new Date(Math.min(...chain.map(({ notAfter }) => notAfter.getTime())))

function certificateTexts(given: string | readonly string[]): readonly string[] {
  if (typeof given !== 'string') return given
  if (given.includes('PRIVATE KEY')) throw new CertificateRefusal('must not hold a private key')
  return certificatesInPem(given)
}

/** Parties that trust an anchor already have it; a verifier must not take it from the chain under verification. */
function withoutAnchor([leaf, ...others]: Chain): Chain {
  return [leaf, ...others.filter((certificate) => !isSelfIssued(certificate))]
}

const unfit = (message: string) =>
  problemsError('invalid_input', [
    { path: 'certificateChain', message: message.replace(/^\[/, 'its certificate [') },
  ])
