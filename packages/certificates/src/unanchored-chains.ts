import type { Finding } from '@vidimus/core-types'
import { readChain, type Chain } from './certificate-chain.js'
import type { Certificate } from './certificate.js'
import { pathToAnchor } from './certificate-path.js'
import { issuerNamedBy } from './issuer-names.js'
import { CertificateRefusal, refusedAs } from './refusal.js'

/** Stored chains that a finding names. */
const MOST_NAMED = 20

/**
 * An account could otherwise certify its own keys, in the name of anybody.
 *
 * @throws CertificateRefusal
 */
export const demandAnchored = (chain: Chain, anchors: readonly Certificate[], at: Date): void =>
  refusedAs(
    (message) =>
      new CertificateRefusal(
        `${message}; add it to trustAnchors of the CertificatesPlugin, or set unanchoredCertificates there`,
      ),
    () => void pathToAnchor(chain, anchors, at),
  )

/** Chains that were set before and would be refused now: they stay, and the operator decides. */
export function unanchoredFindings(
  stored: readonly { kid: string; chain: readonly string[] }[],
  anchors: readonly Certificate[],
  at: Date,
): Finding[] {
  const refused = stored.flatMap(({ kid, chain }) => {
    try {
      const read = readChain(chain)
      const [leaf] = read
      // An expired chain is another finding.
      const then = leaf.notAfter < at ? leaf.notBefore : at
      try {
        pathToAnchor(read, anchors, then)
        return []
      } catch {
        return [`${kid} (${issuerNamedBy(leaf) ?? 'no issuer'})`]
      }
    } catch {
      return [`${kid} (unreadable)`]
    }
  })
  if (refused.length === 0) return []
  const named = refused.slice(0, MOST_NAMED).join(', ') + (refused.length > MOST_NAMED ? ', ...' : '')
  return [
    {
      name: 'certificates',
      level: 'warn',
      message: `lead to no trust anchor, and would be refused now: the chains of ${refused.length} keys: ${named}`,
      advice: 'add their anchor to trustAnchors, or remove them: POST /key/certificate with an empty chain',
    },
  ]
}
