import type { IAgentPlugin } from '@veramo/core-types'
import { AgentError, currentAccount, currentCaller, pluginSchema, type IApiKeys } from '@vidimus/core-types'
import { apiKeyMethods } from '@vidimus/core-types/schemas/api-keys'
import type { Accounts } from './accounts.js'

/** Agent plugin: lets an account manage its own API keys. */
export class ApiKeyPlugin implements IAgentPlugin {
  readonly methods: IApiKeys
  readonly schema = pluginSchema(apiKeyMethods)

  /** @throws AgentError `invalid_configuration` */
  constructor(accounts: Accounts) {
    if (typeof accounts?.authenticate !== 'function' || typeof accounts.apiKeys?.page !== 'function') {
      const message = 'must be Accounts of @vidimus/accounts'
      throw new AgentError('invalid_configuration', message, { details: [{ path: '', message }] })
    }
    const { apiKeys } = accounts
    this.methods = {
      apiKeyList: (args) => apiKeys.page(currentAccount(), args ?? {}),
      apiKeyCreate: (args) => apiKeys.create(currentAccount(), args ?? {}, askedBy()),
      apiKeyRevoke: (args) => apiKeys.revoke(args?.id, ownOnly()),
      apiKeyRotate: (args) => apiKeys.rotate(args?.id, { overlapSeconds: args?.overlapSeconds }, ownOnly()),
    }
  }
}

const askedBy = () => currentCaller()?.grant

function ownOnly() {
  const grant = askedBy()
  return { account: currentAccount(), ...(grant && { askedBy: grant }) }
}
