import {
  checkArguments,
  withCost,
  type StatusListSignArgs,
  type StatusListSignResult,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import { publishingAct, demandHeldDid, type WritingContext } from '../agent-context.js'
import { typeNamed } from '../types/type-named.js'
import type { ShownPublications } from '../updates/shown-publications.js'
import type { ListSeries } from '../series/list-series.js'
import { withMembersNamed } from '../series/series-of-name.js'
import { ListRenewals } from './list-renewals.js'
import type { ListSpans } from './list-spans.js'
import { signList, type SigningParts } from './sign-list.js'

interface MethodParts extends SigningParts {
  series: ListSeries | undefined
  /** called when lists begin to be renewed: other work on lists begins with it */
  begun: () => void
  types: readonly StatusListType[]
  store: StatusListStore | undefined
  spans: ListSpans
  publications: ShownPublications
  described: StatusListMethods
  clock: () => Date
}

/** Signing lists again, on demand and before they expire; the latter only if there is a store for their dates. */
export class SigningMethods {
  private readonly renewals: ListRenewals | undefined

  constructor(private readonly parts: MethodParts) {
    const { store } = parts
    this.renewals = store && new ListRenewals({ ...parts, kept: store.renewals })
  }

  get methods() {
    return {
      statusListSign: (args: StatusListSignArgs, context: WritingContext) =>
        withCost(() => this.sign(args, context)),
      ...(this.renewals && {
        statusListRenew: async (_args: {}, context: WritingContext) => {
          this.parts.begun()
          return { renewed: (await this.renewals?.begin(context)) ?? 0 }
        },
      }),
    }
  }

  get measurements() {
    return this.renewals ? [this.renewals.results] : []
  }

  async stop(): Promise<void> {
    await this.renewals?.stop()
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListSign} */
  private async sign(given: StatusListSignArgs, context: WritingContext): Promise<StatusListSignResult> {
    const { described, types, lists, publications, series } = this.parts
    const args = checkArguments(described.statusListSign.arguments, given)
    const type = typeNamed(types, args.listType)
    await demandHeldDid(args.did, publishingAct(type), context)
    const signed = () => signList(type, args, this.parts, context)
    const { located, outcome } = await withMembersNamed(args, [type], { series, context }, signed)
    const published = outcome?.published ?? (await lists.documented(type, located, context))
    const { validUntil } = published.list.layout
    const end = validUntil === undefined ? {} : { validUntil }
    return { signed: outcome !== undefined, ...end, ...publications.of(type, published) }
  }
}
