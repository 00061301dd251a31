import type { BeginningContext } from './begin-rotation.js'
import type { Rotation } from './rotation-rows.js'

/**
 * When nothing needs the former key of a rotation any more, as far as the register of credentials knows: once the last of those
 * that it has signed has expired.
 *
 * @returns `undefined`: one never does, or the register knows none, and so cannot tell; then it stays until somebody says so
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
  // The register has forgotten meanwhile what it knew before.
  return removesAt === null || gracePeriod !== null ? undefined : new Date(removesAt)
}
