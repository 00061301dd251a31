import type { IAgentPlugin, IIdentifier } from '@veramo/core-types'
import {
  checkArguments,
  countWithin,
  currentAccount,
  PAGES,
  pluginSchema,
  type HeldDid,
  type HeldDidQuery,
  type IHoldings,
  type NextPage,
  type Total,
} from '@vidimus/core-types'
import { holdingsMethods } from '@vidimus/core-types/schemas'
import { READ_TOGETHER } from './account-did-store.js'
import { readHeldDids } from './held-dids.js'
import { readHeldKeys } from './held-keys.js'
import { readWithoutKeys } from './identifier-rows.js'
import { renameKey } from './rename-key.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

const { accountDidList, accountKeyList, accountKeyUpdate } = holdingsMethods

/** Agent plugin: lists and names the holdings of the account in scope. */
export class HoldingsPlugin implements IAgentPlugin {
  readonly methods: IHoldings = {
    accountDidList: async (args) => this.didList(checkArguments(accountDidList.arguments, args ?? {})),
    accountKeyList: async (args) =>
      readHeldKeys(this.unit, currentAccount().id, checkArguments(accountKeyList.arguments, args ?? {})),
    accountKeyUpdate: async (args) =>
      renameKey(this.unit, currentAccount().id, checkArguments(accountKeyUpdate.arguments, args ?? {})),
  }
  readonly schema = pluginSchema(holdingsMethods)

  /** @throws AgentError `invalid_configuration` */
  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
  }

  private async didList({
    metadata,
    ...query
  }: HeldDidQuery): Promise<{ dids: HeldDid[] } & Total & NextPage> {
    const account = currentAccount().id
    const { items, next, ...total } = await readHeldDids(this.unit, account, query)
    const end = next === undefined ? {} : { next }
    if (!metadata) return { ...total, dids: items.map(({ did }) => ({ did })), ...end }
    const described = await this.described(
      account,
      items.map(({ did }) => did),
    )
    const last = items[described.length - 1]
    const isCut = described.length < items.length && last !== undefined
    return { ...total, dids: described, ...(isCut ? { next: last.place } : end) }
  }

  /** As many as fit into a response. */
  private async described(account: string, dids: readonly string[]): Promise<HeldDid[]> {
    const described: HeldDid[] = []
    for (let n = 0; n < dids.length && described.length === n; n += READ_TOGETHER) {
      const names = dids.slice(n, n + READ_TOGETHER)
      const identifiers = await readWithoutKeys(this.unit, account, names)
      const found = new Map(identifiers.map((identifier) => [identifier.did, shown(identifier)]))
      described.push(...names.map((did) => found.get(did) ?? { did }))
      described.splice(countWithin(described, PAGES.bytes))
    }
    return described
  }
}

const shown = ({ did, provider, alias, controllerKeyId, services }: IIdentifier): HeldDid => ({
  did,
  provider,
  ...(alias !== undefined && { alias }),
  ...(controllerKeyId !== undefined && { controllerKeyId }),
  services,
})
