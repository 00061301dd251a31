import type { BeginningContext } from './begin-rotation.js'
import type { Rotation } from './rotation-rows.js'

/**
 * When the former key of a rotation is no longer needed, according to the register of credentials: once the last
 * credential that it signed has expired.
 *
 * @returns `undefined`: one never expires, or the register has none, and so cannot tell; then the key stays until the
 *   caller says otherwise
 */
export async function lastExpiry(
  { formerKid, removesAt, gracePeriod }: Rotation,
  { agent }: BeginningContext,
): Promise<Date | undefined> {
  // An agent may have no register.
  if (!agent.availableMethods().includes('credentialSignedBy')) return undefined
  const { publicKeyHex } = await agent.keyManagerGet({ kid: formerKid })
  const known = await agent.credentialSignedBy({ signingKey: publicKeyHex })
  if (known.isEndless) return undefined
  if (known.lastExpiry !== undefined) return new Date(known.lastExpiry)
  // The register has deleted meanwhile what it had before.
  return removesAt === null || gracePeriod !== null ? undefined : new Date(removesAt)
}
