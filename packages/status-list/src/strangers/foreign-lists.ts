import {
  AgentError,
  Cache,
  currentCaller,
  isAgentError,
  isDid,
  ownMemory,
  SharedQueue,
  whoeverWaits,
  type StatusListLayout,
  type StatusListType,
} from '@vidimus/core-types'
import { getFromHost, StrangersHosts, type HostAnswer } from '@vidimus/public-hosts'
import type { ReadingContext } from '../agent-context.js'
import type { WebLimits } from '../plugin-options.js'
import { decodedList, type DecodedList } from '../versions/decoded-list.js'
import { publisherVersion } from '../versions/envelope-verification.js'
import { verifiedForeign, type Voucher } from './verify-foreign.js'

/** A list of others, and who signed it. */
export interface ReadForeignList {
  list: DecodedList
  issuer: string
}

/** A list as its host served it, verified and decoded. */
interface KeptList extends ReadForeignList {
  /** of the issuer's DID document, under which it was verified */
  issuerVersion: string | undefined
  etag: string | undefined
  /** in milliseconds since 1970: until then its host is not asked again */
  freshUntil: number
}

/** The list, and its required signer if it does not name one. */
export interface ForeignListName {
  url: string
  voucher: Voucher
}

/** Requests under way, and of these for one account. */
const MOST_REQUESTS = 32
const MOST_OF_ACCOUNT = 8

/** A host that has no list is not asked for it again so soon. */
const MISSING_MS = 10_000

/**
 * Status lists that others serve over https. Each is kept as long as it says, or its host does, and revalidated by
 * its entity tag; concurrent readers share one request.
 */
export class ForeignLists {
  private readonly kept = new Cache<KeptList>('foreign-list')
  /** when its host had none, in milliseconds since 1970 */
  private readonly missing = new Cache<number>('foreign-list')
  private readonly reading = new Map<string, Promise<ReadForeignList>>()
  private readonly hosts = new StrangersHosts(new SharedQueue(64, 8))
  private readonly requests = new SharedQueue(MOST_REQUESTS, MOST_OF_ACCOUNT)

  /**
   * @param maxDecodedBytes - of one list
   * @param minEntries - of one list, unless its type says otherwise
   */
  constructor(
    private readonly limits: WebLimits,
    private readonly maxDecodedBytes: number,
    private readonly minEntries: number,
  ) {}

  /**
   * @throws AgentError `list_unreachable`, `malformed_list`, `list_encrypted`, `invalid_credential`,
   *   `did_not_resolvable`, `did_deactivated`: nothing unread or unverified is returned
   */
  async read(
    type: StatusListType,
    name: ForeignListName,
    now: Date,
    context: ReadingContext,
  ): Promise<ReadForeignList> {
    const key = JSON.stringify([type.type, name.url, name.voucher])
    const kept = this.kept.get(key)
    if (kept && now.getTime() < kept.freshUntil) return kept
    const running = this.reading.get(key)
    if (running) return running
    const read = () => this.readAnew(type, name, kept, now, context)
    const started = whoeverWaits(read)
      .then((next) => this.keep(key, next))
      .finally(() => this.reading.delete(key))
    this.reading.set(key, started)
    return started
  }

  private keep(key: string, { stored, ...next }: KeptList & { stored: boolean }): ReadForeignList {
    if (stored) this.kept.set(key, next)
    else this.kept.delete(key)
    return next
  }

  private async readAnew(
    type: StatusListType,
    name: ForeignListName,
    kept: KeptList | undefined,
    now: Date,
    context: ReadingContext,
  ): Promise<KeptList & { stored: boolean }> {
    const missing = JSON.stringify([type.type, name.url])
    const missedFor = now.getTime() - (this.missing.get(missing) ?? -Infinity)
    if (missedFor >= 0 && missedFor < MISSING_MS) throw unreachable('its host responded with 404')
    // A publisher with other keys now must sign again.
    const isStillSigned = kept && (await isVerifiedNow(kept, context))
    const { status, headers, content } = await this.ask(type, name.url, isStillSigned ? kept.etag : undefined)
    const stored = !mayNotBeStored(headers)
    const fresh = (list: DecodedList) => now.getTime() + freshForMs(list.layout, headers)
    if (kept && isStillSigned && status === 304) {
      return { ...kept, freshUntil: fresh(kept.list), stored }
    }
    if (status === 404) this.missing.set(missing, now.getTime())
    if (status !== 200) throw unreachable(`its host responded with ${status}`)
    const { issuer, issuerVersion, list } = await this.verified(type, name, content, context)
    return { list, issuer, issuerVersion, etag: headers.etag, freshUntil: fresh(list), stored }
  }

  private async verified(
    type: StatusListType,
    { url, voucher }: ForeignListName,
    content: Buffer,
    context: ReadingContext,
  ): Promise<Pick<KeptList, 'list' | 'issuer' | 'issuerVersion'>> {
    if (!type.readForeign) throw unreachable(`a ${type.type} is only read on ledgers`)
    if (content.length === 0) throw unreachable('its host responded with an empty body')
    if (/^\s*</.test(content.toString('latin1', 0, 64))) {
      throw unreachable('its host responded with HTML or XML')
    }
    const foreign = type.readForeign(content)
    const { doc, issuer, validUntil } = await verifiedForeign(type, foreign, url, voucher, context)
    // Certificates are verified again each time that the list is.
    const issuerVersion = isDid(issuer) ? await publisherVersion(issuer, context) : undefined
    const list = await this.decoded(type, doc)
    const layout = endingBy(list.layout, validUntil)
    return { issuer, issuerVersion, list: { ...list, layout, bits: ownMemory(list.bits) } }
  }

  private async decoded(type: StatusListType, doc: unknown): Promise<DecodedList> {
    if (type.describe(doc).encrypted) {
      throw new AgentError('list_encrypted', 'the status list is encrypted by another service')
    }
    const bits = await type.unpack(doc, this.maxDecodedBytes)
    return { ...decodedList(type, doc, bits, type.minForeignLength ?? this.minEntries), secured: true }
  }

  private async ask(type: StatusListType, url: string, etag: string | undefined): Promise<HostAnswer> {
    const account = currentCaller()?.account.id
    const { allowPrivateAddresses, ...limits } = this.limits
    const headers = {
      ...(type.foreignMediaTypes && { accept: type.foreignMediaTypes.join(', ') }),
      ...(etag !== undefined && { 'if-none-match': etag }),
    }
    const lookup = allowPrivateAddresses ? undefined : this.hosts.lookupFor(account)
    try {
      return await this.requests.run(account ?? '', () =>
        getFromHost(new URL(url), headers, { ...limits, lookup }),
      )
    } catch (error) {
      if (isAgentError(error)) throw error
      throw unreachable(error instanceof Error ? error.message : 'its host cannot be reached', error)
    }
  }
}

/** A list is not valid longer than what secures it. */
function endingBy(layout: StatusListLayout, end: string | undefined): StatusListLayout {
  const { validUntil = end } = layout
  if (end === undefined || validUntil === undefined) return layout
  return { ...layout, validUntil: Date.parse(end) < Date.parse(validUntil) ? end : validUntil }
}

async function isVerifiedNow({ issuer, issuerVersion }: KeptList, context: ReadingContext): Promise<boolean> {
  return issuerVersion !== undefined && (await publisherVersion(issuer, context)) === issuerVersion
}

/** The web address of a list; `undefined` if it is not one. */
export function webAddress(url: string): URL | undefined {
  const address = URL.canParse(url) ? new URL(url) : undefined
  const isPlain = address?.protocol === 'https:' && address.username === '' && address.password === ''
  return isPlain ? address : undefined
}

const unreachable = (reason: string, cause?: unknown): AgentError =>
  new AgentError('list_unreachable', `the status list cannot be read: ${reason}`, { cause })

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long a list may be used without asking its host again, in milliseconds: as long as it says itself (`ttl`),
 * which is signed; otherwise as long as its host says.
 *
 * @see draft-ietf-oauth-status-list, section 13.7; RFC 9111 section 5.2.2
 */
function freshForMs({ ttlMs }: StatusListLayout, headers: Headers): number {
  if (mayNotBeStored(headers)) return 0
  return ttlMs ?? Math.max(0, responseMaxAge(headers) - responseAge(headers)) * 1000
}

/** Whether its host forbids caching. */
const mayNotBeStored = (headers: Headers): boolean => parseDirectives(headers).has('no-store')

function responseMaxAge(headers: Headers): number {
  const directives = parseDirectives(headers)
  return directives.has('no-cache') ? 0 : parseSeconds(directives.get('max-age'))
}

const responseAge = ({ age }: Headers): number => parseSeconds(typeof age === 'string' ? age : undefined)

/** At most a year: more may not fit a date. */
const parseSeconds = (text: string | undefined): number =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Math.min(Number(text), 31_536_000) : 0

function parseDirectives({ 'cache-control': header }: Headers): Map<string, string> {
  const parts = [header ?? []].flat().join(',').toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [name.trim(), value.trim().replace(/^"|"$/g, '')]
    }),
  )
}
