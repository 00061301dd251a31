import { formatPath, type Network, type Problem } from '@vidimus/core-types'
import { isUniqueId, splitDid } from './identifiers.js'
import { splitKept } from './kept-did-url.js'
import { staticRefusal } from './refusals.js'

type Path = readonly (string | number)[]

const IN_PATH = /^(?:[/a-zA-Z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/
const IN_FRAGMENT = /^(?:[/a-zA-Z0-9\-._~!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2})*$/

/** Collects the problems of a message, at most one for each place, as cheqd-node does. */
export class RuleFindings {
  private readonly findings = new Map<string, string>()

  /** @param namespace - the only one allowed for DIDs; default: any */
  constructor(private readonly namespace: Network | undefined) {}

  get isEmpty(): boolean {
    return this.findings.size === 0
  }

  /** The caller knows no envelope of the payload. */
  get problems(): Problem[] {
    return [...this.findings].map(([path, message]) => ({ path, message }))
  }

  report(path: Path, message: string): void {
    const place = formatPath(path[0] === 'payload' ? path.slice(1) : path)
    if (!this.findings.has(place)) this.findings.set(place, message)
  }

  required(path: Path, value: { readonly length: number }): void {
    if (value.length === 0) this.report(path, 'cannot be blank')
  }

  /** Lengths are those of the UTF-8 text. */
  byteLength(path: Path, value: string | Uint8Array, max: number): void {
    const length = Buffer.byteLength(value)
    if (length > max) this.report(path, `the length must be between 1 and ${max}`)
  }

  did(path: Path, did: string): void {
    const complaint = this.didComplaint(did)
    if (complaint !== undefined) this.report(path, complaint)
  }

  /** A DID URL with only a fragment; with `subject`, one of that DID. */
  didUrl(path: Path, url: string, subject?: string): void {
    const complaint = this.didUrlComplaint(url, subject)
    if (complaint !== undefined) this.report(path, complaint)
  }

  uniqueTexts(path: Path, values: readonly string[], message: string): void {
    if (new Set(values).size < values.length) this.report(path, message)
  }

  dids(path: Path, dids: readonly string[]): void {
    this.uniqueTexts(path, dids, 'there should be no duplicates')
    dids.forEach((did, n) => this.did([...path, n], did))
  }

  didUrls(path: Path, urls: readonly string[], subject: string): void {
    this.uniqueTexts(path, urls, 'there should be no duplicates')
    urls.forEach((url, n) => this.didUrl([...path, n], url, subject))
  }

  /**
   * @param others - problems that the ledger would find afterwards, so that the caller hears of all at once
   * @throws LedgerError when anything was found
   */
  assertNone(code: 1205 | 1206, others: readonly Problem[] = []): void {
    if (this.isEmpty) return
    const own = this.problems
    const places = new Set(own.map(({ path }) => path))
    throw staticRefusal(code, [...own, ...others.filter(({ path }) => !places.has(path))])
  }

  /** `undefined` if the DID is allowed. */
  didComplaint(did: string): string | undefined {
    const parts = splitDid(did)
    if (!parts) return 'unable to split did into method, namespace and id'
    if (parts.method !== 'cheqd') return 'did method must be: cheqd'
    if (!/^[a-zA-Z0-9]*$/.test(parts.namespace)) return 'invalid did namespace'
    if (this.namespace !== undefined && parts.namespace !== this.namespace) {
      return `did namespace must be one of: ${this.namespace}`
    }
    if (isUniqueId(parts.id)) return undefined
    return 'unique id should be one of: 16 bytes of decoded base58 string or UUID'
  }

  didUrlComplaint(url: string, subject?: string): string | undefined {
    const { did, path, query, fragment } = splitKept(url)
    const complaint = this.didComplaint(did)
    if (complaint !== undefined) return complaint
    if (!IN_PATH.test(path)) return 'the path has characters that no DID URL has'
    if (!IN_FRAGMENT.test(query)) return 'the query has characters that no DID URL has'
    if (!IN_FRAGMENT.test(fragment)) return 'the fragment has characters that no DID URL has'
    if (path !== '') return 'path must be empty'
    if (query !== '') return 'query must be empty'
    if (fragment === '') return 'fragment is required'
    return subject === undefined || url.startsWith(subject) ? undefined : `must have prefix: ${subject}`
  }
}
