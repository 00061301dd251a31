import type { IAgentContext, IAgentPlugin, IPluginMethodMap } from '@veramo/core-types'
import {
  currentAccount,
  pluginSchema,
  requireMethods,
  type AccountUsage,
  type IAccountEvents,
  type IAccountUsage,
  type ILedgerSpending,
  type IStatusListPayments,
  type NetworkUsage,
} from '@vidimus/core-types'
import { z } from 'zod'
import type { Accounts } from './accounts.js'
import type { Quotas } from './quotas.js'

/** Reported by other plugins of the agent, if they are configured. */
type Others = Partial<
  Pick<IAccountEvents, 'webhookUsage'> & Pick<IStatusListPayments, 'statusListFees'> & ILedgerSpending
>

const used = z.object({ used: z.number(), limit: z.number() })

/** Agent plugin: the account's use of its quotas and budgets. */
export class AccountUsagePlugin implements IAgentPlugin {
  readonly methods: {
    accountUsage(args: unknown, context: IAgentContext<IPluginMethodMap>): Promise<AccountUsage>
  }
  readonly schema = pluginSchema({
    accountUsage: {
      description: 'Tells what the account uses of its quotas and budgets',
      arguments: z.object({}),
      returns: z.looseObject({
        dids: used,
        keys: used,
        statusLists: used,
        resources: used,
        bytes: used,
        apiKeys: used,
      }),
    },
  } satisfies Record<keyof IAccountUsage, unknown>)

  /** @throws AgentError `invalid_configuration` */
  constructor(accounts: Accounts, quotas: Quotas) {
    requireMethods(accounts, ['authenticate', 'list'], 'Accounts of @vidimus/accounts')
    requireMethods(quotas, ['count', 'check', 'usage'], 'Quotas of @vidimus/accounts')
    this.methods = {
      accountUsage: async (_, context) => {
        const account = currentAccount()
        const agent = context.agent as Others
        const webhooks = await agent.webhookUsage?.()
        return {
          ...(await quotas.usage(account.id)),
          apiKeys: await accounts.apiKeys.usage(account),
          ...(webhooks && { webhooks }),
          networks: networkUsage({
            feesToday: await agent.statusListFees?.(),
            spendToday: await agent.ledgerSpending?.(),
          }),
        }
      },
    }
  }
}

/** Turns budgets by network into networks with their budgets. */
function networkUsage(
  budgets: Record<keyof NetworkUsage, Record<string, NetworkUsage[keyof NetworkUsage]> | undefined>,
): Record<string, NetworkUsage> {
  const networks: Record<string, NetworkUsage> = {}
  for (const [budget, byNetwork] of Object.entries(budgets)) {
    for (const [network, usage] of Object.entries(byNetwork ?? {})) {
      networks[network] = { ...networks[network], [budget]: usage }
    }
  }
  return networks
}
