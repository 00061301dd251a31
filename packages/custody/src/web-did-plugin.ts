import type { DIDDocument, IAgentPlugin, IIdentifier } from '@veramo/core-types'
import { currentCaller, didAsKept, isUnderPublicUrl, pluginSchema, type IWebDids } from '@vidimus/core-types'
import { checkedText } from '@vidimus/accounts'
import { homeOfDid, sql } from '@vidimus/database'
import { z } from 'zod'
import { rememberedIdentifier } from './identifier-rows.js'
import { requireUnitOfWork } from './require-unit-of-work.js'
import type { UnitOfWork } from './unit-of-work.js'
import { webDidDocument } from './web-did-document.js'

/** Agent plugin: serves the DID documents of did:web DIDs under the public URL, for everyone. */
export class WebDidPlugin implements IAgentPlugin {
  readonly methods: IWebDids = { webDidDocument: ({ did }) => this.document(did) }
  readonly schema = pluginSchema({
    webDidDocument: {
      description: 'The DID document of a did:web under the public URL, or null if no account holds it',
      arguments: z.object({ did: z.string() }),
      returns: z.looseObject({ id: z.string() }).nullable(),
    },
  })

  /** @throws AgentError `invalid_configuration` */
  constructor(private readonly unit: UnitOfWork) {
    requireUnitOfWork(unit)
  }

  private async document(named: string): Promise<DIDDocument | null> {
    const did = didAsKept(checkedText(named, 'did'))
    const account = currentCaller()?.account.id
    const own = account === undefined ? undefined : await this.held(account, did)
    const identifier = own ?? (await this.published(did))
    return identifier ? webDidDocument(identifier) : null
  }

  /** Of the account that made it under the public URL. */
  private async published(did: string): Promise<IIdentifier | undefined> {
    const { publicUrl } = this.unit
    if (publicUrl === undefined || !isUnderPublicUrl(did, publicUrl)) return undefined
    const [claim] = await this.unit.queryRemembered<{ account_id: string | null }>(
      sql`SELECT account_id FROM web_did WHERE home = ${homeOfDid(did)} AND did = ${did}`,
      homeOfDid(did),
    )
    const account = claim?.account_id ?? undefined
    return account === undefined ? undefined : this.held(account, did)
  }

  private async held(account: string, did: string): Promise<IIdentifier | undefined> {
    const held = await rememberedIdentifier(this.unit, account, did)
    return held?.identifier.did.startsWith('did:web:') ? held.identifier : undefined
  }
}
