import type { IAgentPlugin } from '@veramo/core-types'
import { AgentError, currentAccount, currentCaller, type IApiKeys } from '@vidimus/core-types'
import type { Accounts } from './accounts.js'
import { apiKeySchema } from './api-key-schema.js'
import { checkedText } from './checked-text.js'

/** Agent plugin: what an account can do with its own API keys. */
export class ApiKeyPlugin implements IAgentPlugin {
  readonly methods: IApiKeys
  readonly schema = apiKeySchema()

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
      apiKeyRevoke: (args) => apiKeys.revoke(checkedText(args?.id, 'id'), ownOnly()),
      apiKeyRotate: (args) => {
        const overlap = args?.overlapSeconds
        const options = overlap === undefined ? {} : { overlapSeconds: overlap }
        return apiKeys.rotate(checkedText(args?.id, 'id'), options, ownOnly())
      },
    }
  }
}

const askedBy = () => currentCaller()?.grant?.id

function ownOnly() {
  const id = askedBy()
  return { account: currentAccount(), ...(id !== undefined && { askedBy: id }) }
}
