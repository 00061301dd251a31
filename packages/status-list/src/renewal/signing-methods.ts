import {
  type Account,
  checkArguments,
  withCost,
  type StatusListSignArgs,
  type StatusListSignResult,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import { listNamed } from '../versions/list-location.js'
import type { StatusListMethods } from '@vidimus/core-types/schemas'
import { publishingAct, demandHeldDid, type WritingContext } from '../agent-context.js'
import { typeNamed } from '../types/type-named.js'
import type { ShownPublications } from '../updates/shown-publications.js'
import type { ListSeries } from '../series/list-series.js'
import { withMembersNamed } from '../series/series-of-name.js'
import { ListBeats } from '../pace/list-beats.js'
import type { PacedLists } from '../pace/paced-lists.js'
import { findList } from '../versions/find-list.js'
import { byAHolder, isNotByThisAccount } from './by-a-holder.js'
import { ListRenewals } from './list-renewals.js'
import type { ListSpans } from './list-spans.js'
import { signList, updateTarget, type SigningParts } from './sign-list.js'

interface MethodParts extends SigningParts {
  series: ListSeries | undefined
  /** called when lists begin to be renewed: other work on lists begins with it */
  begun: (context: WritingContext) => void
  types: readonly StatusListType[]
  store: StatusListStore | undefined
  spans: ListSpans
  paces: PacedLists
  publications: ShownPublications
  described: StatusListMethods
  clock: () => Date
}

/** Signing lists again, on demand and before they expire; the latter only if there is a store for their dates. */
export class SigningMethods {
  private readonly renewals: ListRenewals | undefined
  private readonly beats: ListBeats | undefined

  constructor(private readonly parts: MethodParts) {
    const { store } = parts
    this.renewals = store && new ListRenewals({ ...parts, kept: store.renewals })
    this.beats = store && new ListBeats({ ...parts, kept: store.paces, holders: (did) => this.holders(did) })
  }

  get methods() {
    return {
      statusListSign: (args: StatusListSignArgs, context: WritingContext) =>
        withCost(() => this.sign(args, context)),
      ...(this.renewals && {
        statusListRenew: async (_args: {}, context: WritingContext) => {
          this.parts.begun(context)
          const [renewed = 0] = await Promise.all([this.renewals?.begin(context), this.beats?.begin(context)])
          return { renewed }
        },
        statusListPublishWaiting: (args: { did: string }, context: WritingContext) =>
          this.publishWaiting(args, context),
      }),
    }
  }

  get measurements() {
    return this.renewals && this.beats ? [this.renewals.results, this.beats.results] : []
  }

  async stop(): Promise<void> {
    await this.renewals?.stop()
    await this.beats?.stop()
  }

  private async holders(did: string): Promise<Account[]> {
    return (await this.parts.store?.renewals.holders(did)) ?? []
  }

  /** {@inheritDoc @vidimus/core-types#IStatusListRenewals.statusListPublishWaiting} */
  private async publishWaiting(given: { did: string }, context: WritingContext) {
    const { described, paces, batches } = this.parts
    const { did } = checkArguments(described.statusListPublishWaiting.arguments, given)
    try {
      // Publishing earlier is paid for, and changes how the lists of others publish.
      await demandHeldDid(did, 'publish', context)
    } catch (error) {
      // A DID that does not resolve any more may leave, if nothing is lost by it.
      if (isNotByThisAccount(error) || (await paces.waitingLists(did)).length > 0) throw error
      return { published: 0 }
    }
    let published = 0
    for (const list of await paces.lastWaiting(did)) {
      const found = await findList(list, this.parts, context)
      if (!found) continue
      const { type, located } = found
      const operation = { action: 'publish', indices: [] }
      const publish = () => batches.submit(updateTarget(type, located), operation, context)
      await publish().catch(async (error: unknown) => {
        if (!isNotByThisAccount(error)) throw error
        // They may be changes of another account that holds the DID.
        if (!(await byAHolder(await this.holders(did), publish))) throw error
      })
      published += 1
    }
    return { published }
  }

  /** {@inheritDoc @vidimus/core-types#IStatusList.statusListSign} */
  private async sign(given: StatusListSignArgs, context: WritingContext): Promise<StatusListSignResult> {
    const { described, types, lists, publications, series } = this.parts
    const args = checkArguments(described.statusListSign.arguments, given)
    const type = typeNamed(types, args.listType)
    await demandHeldDid(args.did, publishingAct(type), context)
    const signed = () => signList(type, args, this.parts, context)
    const { located, outcome } = await withMembersNamed(listNamed(args), [type], { series, context }, signed)
    const published = outcome?.published ?? (await lists.documented(type, located, context))
    const { validUntil } = published.list.layout
    const end = validUntil === undefined ? {} : { validUntil }
    return { signed: outcome !== undefined, ...end, ...publications.of(type, published) }
  }
}
