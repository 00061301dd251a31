import type { CredentialStatus, IAgentContext, IResolver, VerifiableCredential } from '@veramo/core-types'
import { refusalReasons } from './verification-report.js'

/** The agent method that looks up the status of a credential; present where a plugin for status lists is. */
interface StatusChecker {
  checkCredentialStatus?: (args: {
    credential: VerifiableCredential
    makeFeePayment: boolean
  }) => Promise<CredentialStatus>
}

/**
 * Asks the agent for the status of a credential that names one. Whatever is not clearly in force speaks against the
 * credential: revoked, suspended, not to be checked, or an agent that cannot check.
 *
 * @param makeFeePayment - pays for encrypted lists
 * @returns the reason, or `undefined` where the credential is in force
 */
export async function statusObjection(
  credential: VerifiableCredential,
  context: IAgentContext<IResolver>,
  makeFeePayment: boolean,
): Promise<string | undefined> {
  const agent = context.agent as StatusChecker
  if (typeof agent.checkCredentialStatus !== 'function') {
    return 'its status cannot be checked: this agent has no plugin for the status of credentials'
  }
  try {
    return objectionTo(await agent.checkCredentialStatus({ credential, makeFeePayment }))
  } catch (error) {
    return `its status cannot be checked: ${checkFailure(error)}`
  }
}

function objectionTo(status: CredentialStatus | undefined): string | undefined {
  if (status?.revoked === true) return 'it is revoked'
  if (status?.suspended === true) return 'it is suspended'
  if (status?.revoked === false && status.verified !== false) return undefined
  return `its status cannot be checked: ${reasonOf(status) ?? 'the answer does not say that it is in force'}`
}

function reasonOf(status: CredentialStatus | undefined): string | undefined {
  const reasons: unknown[] = [status?.message, status?.error, (status?.error as Error | undefined)?.message]
  return reasons.find((reason) => typeof reason === 'string')
}

function checkFailure(error: unknown): string {
  try {
    return refusalReasons(error).join('; ')
  } catch (outage) {
    // plugins of other authors throw plain errors for entries that they do not know: refused, and without their text,
    // which may name internal addresses. An outage of ours is passed on.
    if (outage instanceof Error && outage.name !== 'AgentError') return 'the check failed'
    throw outage
  }
}
