import { randomUUID } from 'node:crypto'
import {
  ACCOUNT_NAME,
  ACCOUNT_NAME_SHAPE,
  type Account,
  type ApiKeyGrant,
  type ApiKeyRequest,
  type AuditActor,
  type CreatedApiKey,
} from '@vidimus/core-types'
import { isUniqueViolation, sql, type Connection, type Database } from '@vidimus/database'
import { createdBefore, nextCreation, noteCreation, type CreationMark } from '@vidimus/idempotency'
import { checkedQuotas, writeQuotas, type QuotaChanges } from './account-quota-rows.js'
import { auditOperatorAct, TWO_TRAILS } from './account-states.js'
import {
  checkedRequest,
  inheriting,
  moreThanOwn,
  rightsBeyond,
  type ApiKeyRights,
  type CheckedRequest,
} from './api-key-rights.js'
import { findApiKey, replaceApiKey } from './api-key-rows.js'
import type { ApiKeys } from './api-keys.js'
import { checkedText, invalidInput } from './checked-text.js'

export interface AccountRequest {
  name: string
  /** in place of the defaults */
  quotas?: QuotaChanges | undefined
  /** of an API key that is created with it; absent: none is */
  firstKey?: ApiKeyRequest | undefined
}

/** Who asks for an account, if not the command line. */
export interface AskingOperator {
  actor: AuditActor
  grant?: ApiKeyGrant | undefined
}

/** Creates accounts. */
export class AccountCreation {
  constructor(
    private readonly database: Database,
    private readonly apiKeys: ApiKeys,
    private readonly clock: () => Date,
  ) {}

  /** @throws AgentError `invalid_input` for a malformed or taken name, `forbidden` for a key that may do too much */
  async create(
    { name, quotas = {}, firstKey }: AccountRequest,
    operator?: AskingOperator,
  ): Promise<{ account: Account; firstKey?: CreatedApiKey }> {
    if (!ACCOUNT_NAME.test(checkedText(name, 'name'))) throw invalidInput('name', ACCOUNT_NAME_SHAPE)
    const limits = checkedQuotas(quotas)
    const wanted = firstKey && checkedRequest(firstKey, this.clock())
    const creation = nextCreation()
    try {
      return await this.database.write(async (connection) => {
        const earlier = await createdEarlier(connection, creation)
        if (earlier) return earlier
        const own = await this.apiKeys.ownRights(connection, operator?.grant)
        const key = wanted && keyOfOperator(wanted, own)
        const account = await insertAccount(connection, name, this.clock(), operator?.actor)
        await writeQuotas(connection, account.id, limits)
        const actor = { accountId: account.id }
        const created = key && (await this.apiKeys.insert(connection, account, key, actor))
        if (creation) {
          const made = created ? { apiKeyId: created.id } : 'account'
          await noteCreation(connection, creation, account.id, made)
        }
        return { account, ...(created && { firstKey: created }) }
      }, TWO_TRAILS)
    } catch (error) {
      if (isUniqueViolation(error, 'account')) throw invalidInput('name', `account "${name}" already exists`)
      throw error
    }
  }
}

/**
 * Nobody becomes an operator by it, networks that the operator may not write to stay closed, and it ends with the key or
 * token that made it.
 */
function keyOfOperator(request: CheckedRequest, operator: ApiKeyRights | undefined): CheckedRequest {
  if (!operator) return request
  const { scopes: _, ...own } = operator
  const wanted = inheriting(request, own)
  const paths = rightsBeyond(wanted, own)
  if (paths.length > 0) throw moreThanOwn(paths.map((path) => `firstKey.${path}`))
  return wanted
}

/**
 * What an earlier run of the same request created. The secret of its key was never returned, as that run sent no response:
 * it gets another one.
 */
async function createdEarlier(
  connection: Connection,
  creation: CreationMark | undefined,
): Promise<{ account: Account; firstKey?: CreatedApiKey } | undefined> {
  const known = await createdBefore(connection, creation)
  if (!known) return undefined
  const [account] = await connection.query<Account>(
    sql`SELECT id, name, created_at AS "createdAt" FROM account WHERE id = ${known.account_id}`,
  )
  if (!account) return undefined
  const row = known.api_key_id === null ? undefined : await findApiKey(connection, known.api_key_id)
  return { account, ...(row && { firstKey: await replaceApiKey(connection, row) }) }
}

/** @param operator - of another account */
export async function insertAccount(
  connection: Connection,
  name: string,
  now: Date,
  operator?: AuditActor,
): Promise<Account> {
  const account = { id: randomUUID(), name, createdAt: now.toISOString() }
  await connection.run(
    sql`INSERT INTO account (id, name, created_at) VALUES (${account.id}, ${name}, ${account.createdAt})`,
  )
  const entry = { event: 'account-created', subject: name } as const
  await auditOperatorAct(connection, entry, { accountId: account.id, operator, now: account.createdAt })
  return account
}
