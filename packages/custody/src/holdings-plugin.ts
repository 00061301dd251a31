import type { IAgentPlugin, IIdentifier } from '@veramo/core-types'
import {
  countWithin,
  currentAccount,
  NETWORKS,
  PAGES,
  pluginSchema,
  type HeldDid,
  type HeldDidQuery,
  type IHoldings,
  type NextPage,
  type Total,
} from '@vidimus/core-types'
import { joinSql, sql } from '@vidimus/database'
import { z } from 'zod'
import { READ_TOGETHER } from './account-did-store.js'
import { readHeldDids } from './held-dids.js'
import { readHeldKeys } from './held-keys.js'
import { selectIdentifiers, toIdentifiers, type IdentifierRow } from './identifier-rows.js'
import type { UnitOfWork } from './unit-of-work.js'
import { requireUnitOfWork } from './require-unit-of-work.js'

const common = {
  alias: z.string().optional(),
  createdAfter: z.string().optional(),
  createdBefore: z.string().optional(),
  limit: z.int().optional(),
  page: z.int().optional(),
  after: z.string().optional(),
}
const DidQuery = z.object({
  network: z.enum(NETWORKS).optional(),
  provider: z.string().optional(),
  metadata: z.boolean().optional(),
  ...common,
})
const KeyQuery = z.object({ kms: z.string().optional(), ...common })

const page = { total: z.int(), totalIsExact: z.literal(false).optional(), next: z.string().optional() }

/** Agent plugin: what the account in scope holds. */
export class HoldingsPlugin implements IAgentPlugin {
  readonly methods: IHoldings = {
    accountDidList: (args) => this.didList(args ?? {}),
    accountKeyList: async (args) => readHeldKeys(this.unit, currentAccount().id, args ?? {}),
  }
  readonly schema = pluginSchema({
    accountDidList: {
      description: 'Lists the DIDs of the account, page by page',
      arguments: DidQuery,
      returns: z.object({ dids: z.array(z.looseObject({ did: z.string() })), ...page }),
    },
    accountKeyList: {
      description: 'Lists the key pairs of the account, page by page',
      arguments: KeyQuery,
      returns: z.object({ keys: z.array(z.looseObject({ kid: z.string() })), ...page }),
    },
  })

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

  /** As many of them as fit into an answer. */
  private async described(account: string, dids: readonly string[]): Promise<HeldDid[]> {
    const described: HeldDid[] = []
    for (let n = 0; n < dids.length && described.length === n; n += READ_TOGETHER) {
      const names = dids.slice(n, n + READ_TOGETHER)
      const rows = await this.unit.query<IdentifierRow>(
        selectIdentifiers(account, sql`AND d.did IN (${joinSql(names)})`),
      )
      const found = new Map(toIdentifiers(rows).map(({ identifier }) => [identifier.did, shown(identifier)]))
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
