import type { DIDDocument, IAgentPlugin, IIdentifier, IKey, IService } from '@veramo/core-types'
import {
  currentCaller,
  didAsKept,
  isUnderPublicUrl,
  parseOptions,
  pluginSchema,
  type Finding,
  type HasLifecycle,
  type IWebDids,
} from '@vidimus/core-types'
import { checkedText } from '@vidimus/accounts'
import { homeOfDid, sql } from '@vidimus/database'
import { z } from 'zod'
import { JWK_DOCUMENT_CONTEXT, publicKeyOfBytes, SIGNING_RELATIONSHIPS } from '@vidimus/verification-methods'
import { rememberedIdentifier } from './identifier-rows.js'
import { requireUnitOfWork } from './require-unit-of-work.js'
import type { UnitOfWork } from './unit-of-work.js'
import { pathUnder, WebDidGrants, webDidsField, type WebDidsOption } from './web-did-grants.js'

export const Options = z.strictObject({ webDids: webDidsField().prefault({}) })

export interface WebDidPluginOptions {
  /**
   * Which did:web DIDs under the public URL accounts may have besides the path of their own name: `root` is the account of the
   * host itself, `prefixes` has paths of accounts. Others are refused.
   */
  webDids?: WebDidsOption
}

/** Agent plugin: serves the DID documents of did:web DIDs under the public URL, for everyone. */
export class WebDidPlugin implements IAgentPlugin, HasLifecycle {
  readonly lifecycle = { diagnose: () => this.diagnose() }
  readonly methods: IWebDids = { webDidDocument: ({ did }) => this.document(did) }
  readonly schema = pluginSchema({
    webDidDocument: {
      description: 'The DID document of a did:web under the public URL, or null if no account holds it',
      arguments: z.object({ did: z.string() }),
      returns: z.looseObject({ id: z.string() }).nullable(),
    },
  })

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly unit: UnitOfWork,
    options: WebDidPluginOptions = {},
  ) {
    requireUnitOfWork(unit)
    unit.webDids = new WebDidGrants(parseOptions(Options, options).webDids)
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

  /** DIDs that were taken before their names were granted to others, or to nobody. */
  private async diagnose(): Promise<Finding[]> {
    const { database, webDids, publicUrl } = this.unit
    if (publicUrl === undefined) return []
    const ambiguous = await webDids.ambiguous(database)
    const ungranted: string[] = []
    let count = 0
    for (let after = ''; ;) {
      const page = await database.query<{ did: string; account: string }>(
        sql`SELECT w.did, a.name AS account FROM web_did w JOIN account a ON a.id = w.account_id
          JOIN account_did d ON d.home = w.home AND d.account_id = w.account_id AND d.did = w.did
          WHERE w.did > ${after} ORDER BY w.did LIMIT ${READ_TOGETHER}`,
      )
      const under = page.filter(({ did }) => isUnderPublicUrl(did, publicUrl))
      count += under.length
      ungranted.push(
        ...under
          .filter(
            ({ did, account: name }) => !webDids.isGranted({ name }, pathUnder(did, publicUrl), ambiguous),
          )
          .map(({ did, account }) => `${did} of "${account}"`),
      )
      const last = page.at(-1)
      if (!last || page.length < READ_TOGETHER) break
      after = last.did
    }
    return webDidFindings(count, ungranted, ambiguous)
  }
}

/** DIDs that the doctor reads at once. */
const READ_TOGETHER = 10_000
const NAMED = 20

function webDidFindings(
  count: number,
  ungranted: readonly string[],
  ambiguous: ReadonlyMap<string, string>,
): Finding[] {
  const name = 'did:web'
  const findings: Finding[] = [...ambiguous].map(([path, account]) => ({
    name,
    level: 'warn',
    message: `the path "${path}" in webDids belongs to the name of the account "${account}": neither account can use it`,
    advice: 'choose another path in webDids',
  }))
  if (ungranted.length > 0) {
    const more = ungranted.length > NAMED ? `, and ${ungranted.length - NAMED} more` : ''
    findings.push({
      name,
      level: 'warn',
      message: `served, but not granted to their accounts: ${ungranted.slice(0, NAMED).join(', ')}${more}`,
      advice:
        'grant them in webDids of the WebDidPlugin, or have the account delete them and run: vidimus did release DID',
    })
  }
  if (findings.length > 0 || count === 0) return findings
  return [{ name, level: 'ok', message: `granted to their accounts: ${count} under the public URL` }]
}

/**
 * The DID document of an identifier whose document only exists here: each of its keys may sign and act for it, those
 * of X25519 agree keys. Methods are named as Veramo names them, `#<kid>`.
 *
 * @see DID Core section 5; did:web Method Specification
 */
function webDidDocument({ did, keys, services }: IIdentifier): DIDDocument {
  const methods = keys.flatMap((key) => webMethod(did, key))
  const signing = methods.filter(({ publicKeyJwk }) => publicKeyJwk?.crv !== 'X25519').map(({ id }) => id)
  const agreeing = methods.map(({ id }) => id).filter((id) => !signing.includes(id))
  return {
    '@context': [...JWK_DOCUMENT_CONTEXT],
    id: did,
    verificationMethod: methods,
    ...Object.fromEntries(SIGNING_RELATIONSHIPS.map((relationship) => [relationship, signing])),
    ...(agreeing.length > 0 && { keyAgreement: agreeing }),
    ...(services.length > 0 && { service: services.map((service) => webService(did, service)) }),
  }
}

function webMethod(
  did: string,
  { kid, type, publicKeyHex }: IKey,
): NonNullable<DIDDocument['verificationMethod']> {
  const publicKeyJwk = publicKeyOfBytes(type, Buffer.from(publicKeyHex, 'hex'))?.jwk
  return publicKeyJwk ? [{ id: `${did}#${kid}`, type: 'JsonWebKey2020', controller: did, publicKeyJwk }] : []
}

/** Ids are relative to the DID if they are only a fragment, or less. */
const webService = (did: string, { id, type, serviceEndpoint }: IService) => ({
  id: /^[a-z][a-z0-9+.-]*:/i.test(id) ? id : `${did}#${id.replace(/^#/, '')}`,
  type,
  serviceEndpoint,
})
