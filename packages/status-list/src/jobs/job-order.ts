import {
  currentCaller,
  mayCause,
  NETWORKS,
  problemsError,
  requireEffect,
  requireNetwork,
  scopesForEffects,
  type AuthenticatedAccount,
  type JobGrant,
  type Network,
  type RightsOfNow,
  type StoredJob,
} from '@vidimus/core-types'

/** Whose job a caller orders or resumes: their networks apply to what it does. */
export function callersGrant(): { grant?: JobGrant } {
  const grant = currentCaller()?.grant
  if (!grant) return {}
  const { id, rule, networks } = grant
  return { grant: { id, ...(rule !== undefined && { rule }), ...(networks && { networks }) } }
}

/**
 * Whoever repeats, pauses, resumes or cancels a job needs what ordering it needed.
 *
 * @throws AgentError `forbidden`
 */
export function demandRightsOf<Job extends Pick<StoredJob, 'order'>>(job: Job): Job {
  const { effects, networks = NETWORKS } = job.order
  for (const effect of effects) requireEffect(effect)
  for (const network of networks) requireNetwork(network)
  return job
}

/**
 * Whose job it is once the caller resumes it: the caller's, on networks that both it and the job may write to. What an operator of
 * another account resumes stays whose it was.
 */
export function resumersGrant({ account, grant: ordered }: StoredJob): JobGrant | undefined {
  const { grant: own } = currentCaller()?.account.id === account.id ? callersGrant() : {}
  if (!own) return ordered
  const networks = common(ordered?.networks, own.networks)
  return { ...own, ...(networks && { networks }) }
}

/** As what a job runs: within the networks of its grant, and with the rights of now. */
export async function runsAs(
  { account, grant, order }: StoredJob,
  rights: RightsOfNow | undefined,
): Promise<{ as: AuthenticatedAccount } | { failure: string }> {
  const now = rights ? await rights.rightsNow(account.id, grant) : {}
  if (!now) return { failure: `the rights of whoever ordered it have ended; ${RESUME}` }
  const lost = order.effects.filter((effect) => !mayCause(now.grant, effect))
  if (lost.length > 0) {
    const scopes = scopesForEffects(lost).join(' or ')
    return { failure: `whoever ordered it no longer has a required scope: ${scopes}; ${RESUME}` }
  }
  const needed = order.networks ?? grant?.networks ?? NETWORKS
  const closed =
    now.grant?.networks && needed.find((network) => !now.grant?.networks?.includes(network as Network))
  if (closed !== undefined)
    return { failure: `whoever ordered it may no longer write to ${closed}; ${RESUME}` }
  if (!grant) return { as: account }
  const networks = common(grant.networks, now.grant?.networks) as readonly Network[] | undefined
  return { as: { ...account, grant: { id: grant.id, ...(networks && { networks }) } } }
}

const RESUME = 'whoever has the rights of the job may resume it'

const common = (
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined =>
  one && other ? one.filter((name) => other.includes(name)) : (one ?? other)

export const otherJob = ({ order: { form }, dryRun }: StoredJob) =>
  problemsError('job_exists', [
    {
      path: 'jobId',
      message: `is the id of another job of the account, ordered as ${form}${dryRun ? ', a dry run' : ''}; use a new one`,
    },
  ])
