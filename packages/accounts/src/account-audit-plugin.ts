import type { IAgentPlugin } from '@veramo/core-types'
import { currentAccount, pluginSchema, requireMethods, type IAccountAudit } from '@vidimus/core-types'
import { accountAuditMethods } from '@vidimus/core-types/schemas/audit'
import type { AuditLog } from './audit-log.js'

/** Agent plugin: an account reads its own audit trail. */
export class AccountAuditPlugin implements IAgentPlugin {
  readonly methods: IAccountAudit
  readonly schema = pluginSchema(accountAuditMethods)

  /** @throws AgentError `invalid_configuration` */
  constructor(audit: AuditLog) {
    requireMethods(audit, ['record', 'page'], 'AuditLog of @vidimus/accounts')
    this.methods = { accountAuditList: (args) => audit.page(currentAccount(), args ?? {}) }
  }
}
