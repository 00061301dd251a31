import type { IAgentContext } from '@veramo/core-types'
import { log, problemsError, type ICredentials, type LinkedResourceCreateArgs } from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'

/** A Data Integrity proof; its other members are those of its cryptosuite. */
export type EmbeddedProof = Record<string, unknown> & { verificationMethod: string }

/**
 * The Data Integrity proof of a version, by a key with which the account in scope holds its DID. A list can only be created
 * with one; later versions are published without it if it cannot be created, as nothing may keep a revocation back.
 *
 * @returns `null` if it cannot be created
 * @throws AgentError `invalid_input` at `embeddedProof`, for the first version
 */
export async function embeddedProof(
  credential: Record<string, unknown>,
  { did, expectedPrevious }: { did: string } & Pick<LinkedResourceCreateArgs, 'expectedPrevious'>,
  context: WritingContext,
): Promise<EmbeddedProof | null> {
  try {
    return await signed(credential, context)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    if (expectedPrevious === null) throw refused(reason)
    log('error', 'a version of a status list has no embedded proof', { did, reason })
    return null
  }
}

async function signed(credential: Record<string, unknown>, context: WritingContext): Promise<EmbeddedProof> {
  const { agent } = context as unknown as { agent: Partial<IAgentContext<ICredentials>['agent']> }
  if (typeof agent.credentialSign !== 'function')
    throw refused('this agent has no plugin that signs credentials')
  const { proof } = await agent.credentialSign({ credential, format: 'ldp_vc' })
  return proof as EmbeddedProof
}

const refused = (reason: string) =>
  problemsError('invalid_input', [{ path: 'embeddedProof', message: reason }])
