import { createHash } from 'node:crypto'
import type { IAgentPlugin, IAgentPluginSchema } from '@veramo/core-types'
import {
  checkArguments,
  log,
  parseOptions,
  pluginSchema,
  problemsError,
  type CertificateVerifyArgs,
  type CertificateVerifyResult,
  type CheckResult,
  type HasLifecycle,
  type ICertificates,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { certificateMethods } from '@vidimus/core-types/schemas'
import { readChain, type Chain } from './certificate-chain.js'
import { subjectText, type Certificate } from './certificate.js'
import { pathToAnchor, type Path } from './certificate-path.js'
import { namesIssuer } from './issuer-names.js'
import { unanchoredFindings } from './unanchored-chains.js'
import { keyCertificateMethods } from './key-certificate-methods.js'
import { Options, type CertificatesPluginOptions } from './plugin-options.js'
import { CertificateRefusal, refusedAs } from './refusal.js'
import type { TrustAnchor, TrustAnchors } from './trust-anchors.js'

/**
 * Agent plugin that verifies X.509 certificates against the configured trust anchors and assigns certificates to keys
 * in custody.
 */
export class CertificatesPlugin implements IAgentPlugin, HasLifecycle {
  readonly methods
  readonly schema: IAgentPluginSchema
  readonly lifecycle
  readonly #anchors: TrustAnchors | undefined
  readonly #statusAnchors: TrustAnchors | undefined
  readonly #statusSigningEku: string | undefined
  readonly #credentialSigningEku: readonly string[] | undefined
  readonly #clock: () => Date

  /** @throws AgentError `invalid_configuration`, also if trust anchors cannot be read */
  constructor(options: CertificatesPluginOptions = {}) {
    const parsed = parseOptions(Options, options)
    const { trustAnchors, statusTrustAnchors, statusSigningEku, keys, clock, unanchoredCertificates } = parsed
    this.#anchors = trustAnchors
    this.#statusAnchors = statusTrustAnchors
    this.#statusSigningEku = statusSigningEku ?? undefined
    this.#credentialSigningEku = parsed.credentialSigningEku ?? undefined
    this.#clock = clock ?? (() => new Date())
    const anchors = unanchoredCertificates ? undefined : () => trustAnchors?.current().anchors ?? []
    const parts = { statusSigningEku: this.#statusSigningEku, clock: this.#clock, anchors }
    this.lifecycle = {
      start: () => Promise.resolve(keys && unanchoredCertificates ? warnOfUnanchored() : undefined),
      check: () => Promise.resolve(this.#check()),
      diagnose: async () =>
        keys && anchors ? unanchoredFindings(await keys.all(), anchors(), this.#clock()) : [],
    }
    const verifying: ICertificates = {
      certificateVerify: async (args) => Promise.resolve(this.#verify(args)),
    }
    this.methods = { ...verifying, ...(keys && keyCertificateMethods({ store: keys, ...parts })) }
    this.schema = pluginSchema(certificateMethods, this.methods)
  }

  #verify(given: CertificateVerifyArgs): CertificateVerifyResult {
    const args = checkArguments(certificateMethods.certificateVerify.arguments, given)
    return refusedAs(notVerified, () => {
      const chain = readChain(args.certificateChain)
      const [leaf] = chain
      const byAnchor = this.#pathToOneOf(args.anchors ?? [], chain)
      const path = byAnchor ?? this.#pathOf(chain, args)
      const { anchor } = path
      const ofIssuers = args.use === 'statusList' && args.sameAnchorAs !== undefined
      const statusIssuer = ofIssuers && mayServe(leaf, anchor)
      if (!byAnchor && !statusIssuer && !namesIssuer(leaf, args.issuer)) {
        const remedy = ofIssuers ? remedyFor(leaf, anchor) : ''
        throw new CertificateRefusal(
          `[0] does not name "${args.issuer}" among its subject alternative names${remedy}`,
        )
      }
      if (args.use === 'statusList') this.#demandStatusSigning(leaf, anchor)
      else this.#demandCredentialSigning(leaf)
      return {
        publicKey: leafKey(leaf),
        signer: `x5t#S256:${createHash('sha256').update(leaf.der).digest('base64url')}`,
        validUntil: path.notAfter.toISOString(),
        anchor: anchor.name,
        ...(statusIssuer && { statusIssuer }),
      }
    })
  }

  #all(): TrustAnchor[] {
    return [this.#anchors, this.#statusAnchors].flatMap((one) => one?.current().anchors ?? [])
  }

  /** @returns `undefined` if the chain leads to none of the anchors of these names */
  #pathToOneOf(names: readonly string[], chain: Chain): Path<TrustAnchor> | undefined {
    if (names.length === 0) return undefined
    const named = this.#all().filter(({ name }) => names.includes(name))
    try {
      return pathToAnchor(chain, named, this.#clock())
    } catch (error) {
      if (error instanceof CertificateRefusal) return undefined
      throw error
    }
  }

  #pathOf(chain: Chain, { use, sameAnchorAs }: CertificateVerifyArgs): Path<TrustAnchor> {
    const at = this.#clock()
    const usual = this.#anchors?.current().anchors ?? []
    if (use === 'credential') return pathToAnchor(chain, usual, at)
    if (this.#statusAnchors) return pathToAnchor(chain, this.#statusAnchors.current().anchors, at)
    if (!sameAnchorAs) return pathToAnchor(chain, usual, at)
    return pathToAnchor(chain, [pathToAnchor(readChain(sameAnchorAs), usual, at).anchor], at)
  }

  /** @see draft-ietf-oauth-status-list, "Extended Key Usage Extension" */
  #demandStatusSigning(
    { extendedUsages }: Certificate,
    { statusSigningEku = this.#statusSigningEku }: TrustAnchor,
  ): void {
    if (!extendedUsages || extendedUsages.some((usage) => usage === statusSigningEku)) return
    throw new CertificateRefusal('[0] may not sign status lists, by its extended key usage')
  }

  /** @see RFC 5280 section 4.2.1.12 */
  #demandCredentialSigning({ extendedUsages }: Certificate): void {
    const configured = this.#credentialSigningEku
    const mayNot = extendedUsages?.every((usage) =>
      configured ? !configured.includes(usage) : USAGES_OF_OTHERS.has(usage),
    )
    if (mayNot) throw new CertificateRefusal('[0] may not sign credentials, by its extended key usage')
  }

  #check(): CheckResult[] {
    const problems = [this.#anchors, this.#statusAnchors].flatMap((one) => one?.current().problems ?? [])
    if (!this.#anchors && !this.#statusAnchors) return []
    if (problems.length === 0) return [{ name: 'trust-anchors', ok: true }]
    const message = `${problems.length} trust anchor files cannot be read; their certificates are not trusted`
    return [{ name: 'trust-anchors', ok: false, warning: true, message }]
  }
}

/** Whether a certificate signs status lists for all issuers below an anchor. */
const mayServe = (leaf: Certificate, { statusSigningEku, statusIssuerNames = [] }: TrustAnchor): boolean =>
  statusIssuerNames.includes(subjectText(leaf)) ||
  (leaf.extendedUsages?.some((usage) => usage === statusSigningEku) ?? false)

const remedyFor = (leaf: Certificate, { name }: TrustAnchor): string =>
  `; to accept it, give the trust anchor "${name}" in agent.yml statusIssuerNames: ['${subjectText(leaf)}']`

/** serverAuth, clientAuth, codeSigning, emailProtection, timeStamping and OCSPSigning (RFC 5280 section 4.2.1.12). */
const USAGES_OF_OTHERS = new Set([1, 2, 3, 4, 8, 9].map((usage) => `1.3.6.1.5.5.7.3.${usage}`))

/** @throws CertificateRefusal for a key that cannot sign here */
function leafKey({ publicKey, x509 }: Certificate): PublicKeyInHex {
  if (publicKey) return publicKey
  const { asymmetricKeyType, asymmetricKeyDetails } = x509.publicKey
  const name = asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType ?? 'an unknown algorithm'
  throw new CertificateRefusal(
    `[0] has a key of ${name}, which is not Ed25519, P-256, P-384, secp256k1 or RSA`,
  )
}

const notVerified = (message: string) =>
  problemsError('invalid_credential', [{ path: 'x5c', message: `the certificate chain (x5c) ${message}` }])

function warnOfUnanchored(): void {
  log('warn', 'unanchoredCertificates: whoever may set certificates decides in whose name an account issues')
}
