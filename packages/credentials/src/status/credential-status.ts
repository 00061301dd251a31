import type { CredentialStatus, IAgentContext, IResolver, VerifiableCredential } from '@veramo/core-types'
import { type CredentialStatusFinding, isJsonObject, type StatusPolicy } from '@vidimus/core-types'
import { refusalReasons } from '../verification-report.js'
import type { FeeTerms, StatusFees } from './status-fees.js'

/** The agent method that checks the status of a credential; present if a status list plugin is configured. */
interface StatusChecker {
  checkCredentialStatus?: (
    args: {
      credential: VerifiableCredential
    } & FeeTerms,
  ) => Promise<CredentialStatus & { feesPaid?: unknown }>
}

/** Result of a credential status check. */
export interface StatusVerdict {
  /** why it is not in force; absent if it is in force */
  objection?: string
  /** the values of its entries, if the plugin reports them */
  statuses?: CredentialStatusFinding[]
}

/**
 * Whether a credential refers to a status: in `credentialStatus`, or in the `status` of the IETF Token Status List,
 * which is an object. A textual or numeric `status` is up to the issuer.
 */
const namesStatus = ({ credentialStatus, status }: VerifiableCredential): boolean =>
  credentialStatus !== undefined || (typeof status === 'object' && status !== null)

/**
 * The objection from the status of a credential under a policy; `undefined` if the policy skips the check.
 *
 * @param fees - fee limit for encrypted lists
 */
export async function statusUnder(
  policy: StatusPolicy,
  credential: VerifiableCredential,
  context: IAgentContext<IResolver>,
  fees: StatusFees,
): Promise<StatusVerdict | undefined> {
  if (policy === 'skip') return undefined
  if (!namesStatus(credential)) return policy === 'required' ? { objection: NONE_FOR_REVOCATION } : undefined
  const verdict = await statusVerdict(credential, context, fees)
  const { objection, statuses } = verdict
  if (policy !== 'required' || objection !== undefined) return verdict
  // An entry that reports revocation counts as revocation, whatever its purpose is called.
  const isForRevocation = statuses?.some(({ revoked }) => revoked !== undefined) ?? false
  return isForRevocation ? verdict : { ...verdict, objection: NONE_FOR_REVOCATION }
}

const NONE_FOR_REVOCATION = 'it has no status entry for revocation, which is required'

/**
 * Asks the agent for the status of a credential that has one. Anything that is not clearly in force counts against the
 * credential: revoked, suspended, not checkable, or an agent without the check.
 *
 * @param fees - fee limit for encrypted lists
 */
async function statusVerdict(
  credential: VerifiableCredential,
  context: IAgentContext<IResolver>,
  fees: StatusFees,
): Promise<StatusVerdict> {
  const agent = context.agent as StatusChecker
  if (typeof agent.checkCredentialStatus !== 'function') {
    return {
      objection: 'its status cannot be checked: this agent has no plugin for the status of credentials',
    }
  }
  try {
    const check = agent.checkCredentialStatus
    const status = await fees.within((terms) => check({ credential, ...terms }))
    const objection = objectionTo(status)
    const statuses: unknown = status?.statuses
    return {
      ...(objection !== undefined && { objection }),
      ...(Array.isArray(statuses) && statuses.every(isJsonObject) && { statuses }),
    }
  } catch (error) {
    return { objection: `its status cannot be checked: ${checkFailure(error)}` }
  }
}

function objectionTo(status: CredentialStatus | undefined): string | undefined {
  if (status?.revoked === true) return statusSentence(status, 'it is revoked')
  if (status?.suspended === true) return statusSentence(status, 'it is suspended')
  if (status?.revoked === false && status.verified !== false) return undefined
  // every entry was read, and one of them has another objection
  const understood = Array.isArray(status?.statuses) && status.errors === undefined
  if (understood && typeof status.message === 'string') return status.message
  return `its status cannot be checked: ${statusReason(status) ?? 'the answer does not confirm that it is valid'}`
}

/** The plugin's own sentence if it begins the same and adds which entry is affected. */
function statusSentence({ message }: CredentialStatus, sentence: string): string {
  return typeof message === 'string' && message.startsWith(sentence) ? message : sentence
}

function statusReason(status: CredentialStatus | undefined): string | undefined {
  const reasons: unknown[] = [status?.message, status?.error, (status?.error as Error | undefined)?.message]
  return reasons.find((reason) => typeof reason === 'string')
}

function checkFailure(error: unknown): string {
  try {
    return refusalReasons(error).join('; ')
  } catch (outage) {
    // Third-party plugins throw plain errors for unknown entries: these are refused without their text, which may
    // contain internal addresses. Outages of this service are rethrown.
    if (outage instanceof Error && outage.name !== 'AgentError') return 'the check failed'
    throw outage
  }
}
