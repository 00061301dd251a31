import type { CredentialStatus, IAgentContext, IResolver, VerifiableCredential } from '@veramo/core-types'
import { type CredentialStatusFinding, isJsonObject, type StatusPolicy } from '@vidimus/core-types'
import { refusalReasons } from '../verification-report.js'
import type { FeeTerms, StatusFees } from './status-fees.js'

/** The agent method that looks up the status of a credential; present where a plugin for status lists is. */
interface StatusChecker {
  checkCredentialStatus?: (
    args: {
      credential: VerifiableCredential
    } & FeeTerms,
  ) => Promise<CredentialStatus & { feesPaid?: unknown }>
}

/** What came of looking the status of a credential up. */
export interface StatusVerdict {
  /** why it is not in force; left out where it is */
  objection?: string
  /** what its entries say, as far as the plugin tells */
  statuses?: CredentialStatusFinding[]
}

/**
 * Whether a credential says where its status stands: in `credentialStatus`, or in the `status` of the IETF Token Status
 * List, which is an object. A `status` in words or numbers is the issuer's own affair.
 */
const namesStatus = ({ credentialStatus, status }: VerifiableCredential): boolean =>
  credentialStatus !== undefined || (typeof status === 'object' && status !== null)

/**
 * What the status of a credential says against it, under a policy; `undefined` where none is looked at.
 *
 * @param fees - what may be paid for encrypted lists
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
  // What tells whether it is revoked is about revocation, whatever the purpose is called.
  const isForRevocation = statuses?.some(({ revoked }) => revoked !== undefined) ?? false
  return isForRevocation ? verdict : { ...verdict, objection: NONE_FOR_REVOCATION }
}

const NONE_FOR_REVOCATION = 'it has no status entry for revocation, which is required'

/**
 * Asks the agent for the status of a credential that names one. Whatever is not clearly in force speaks against the
 * credential: revoked, suspended, not to be checked, or an agent that cannot check.
 *
 * @param fees - what may be paid for encrypted lists
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
  if (status?.revoked === true) return sentenceOf(status, 'it is revoked')
  if (status?.suspended === true) return sentenceOf(status, 'it is suspended')
  if (status?.revoked === false && status.verified !== false) return undefined
  // every entry was read, and one of them says something else against it
  const understood = Array.isArray(status?.statuses) && status.errors === undefined
  if (understood && typeof status.message === 'string') return status.message
  return `its status cannot be checked: ${reasonOf(status) ?? 'the answer does not confirm that it is valid'}`
}

/** The plugin's own sentence, where it begins the same and goes on with which entry says so. */
function sentenceOf({ message }: CredentialStatus, sentence: string): string {
  return typeof message === 'string' && message.startsWith(sentence) ? message : sentence
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
