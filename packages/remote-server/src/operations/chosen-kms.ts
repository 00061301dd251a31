import { currentAccount, problemsError } from '@vidimus/core-types'
import type { OperationSettings } from '../options.js'
import type { ServiceAgent } from '../service-agent.js'

/**
 * The KMS for a new key.
 *
 * @param wanted - requested by the caller; absent: that of the account, or else the configured default
 * @throws AgentError `invalid_input` with the available names
 */
export async function chosenKms(
  wanted: string | undefined,
  agent: ServiceAgent,
  { defaultKms }: OperationSettings,
): Promise<string> {
  if (wanted === undefined) return currentAccount().kms ?? defaultKms
  const configured = await agent.keyManagerGetKeyManagementSystems()
  if (configured.includes(wanted)) return wanted
  const message = `must be one of the configured KMSs: ${configured.join(', ')}`
  throw problemsError('invalid_input', [{ path: 'kms', message }])
}
