import { formatPath, type Network, type Problem } from '@vidimus/core-types'
import { isUniqueId, normaliseDid, normaliseDidUrl, parseDidUrl, splitDid } from './identifiers.js'
import { staticRefusal } from './refusals.js'

type Path = readonly (string | number)[]

/** `namespace`: right by itself, but of another ledger. */
interface Finding {
  path: Path
  message: string
  kind: 'basic' | 'namespace'
}

interface Complaint {
  message: string
  kind: Finding['kind']
}

const FRAGMENT = /^(?:[/a-zA-Z0-9\-._~!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2})*$/
/** NUL, and halves of surrogate pairs: no UTF-8 text holds the latter, and not every database the former. */
const ILL_FORMED = /[\0\p{Surrogate}]/u

const basic = (message: string): Complaint => ({ message, kind: 'basic' })

/** Collects what is wrong with a message, at most one problem for each of its places, as cheqd-node does. */
export class RuleFindings {
  private readonly findings = new Map<string, Finding>()

  constructor(private readonly network: Network) {}

  report(path: Path, message: string, kind: Finding['kind'] = 'basic'): void {
    const place = formatPath(path)
    if (!this.findings.has(place)) this.findings.set(place, { path, message, kind })
  }

  required(path: Path, value: { readonly length: number }): void {
    if (value.length === 0) this.report(path, 'cannot be blank')
  }

  /** A text without a DID in it. */
  text(path: Path, value: string): void {
    if (ILL_FORMED.test(value)) this.report(path, 'must be well-formed Unicode text without NUL')
  }

  /** Lengths are those of the UTF-8 text. */
  byteLength(path: Path, value: string | Uint8Array, max: number): void {
    const length = Buffer.byteLength(value)
    if (length > max) this.report(path, `the length must be between 1 and ${max}`)
  }

  did(path: Path, did: string): void {
    const complaint = this.didComplaint(did)
    if (complaint) this.report(path, complaint.message, complaint.kind)
  }

  /** A DID URL with nothing but a fragment; where `subject` is given, one of that DID. */
  didUrl(path: Path, url: string, subject?: string): void {
    const complaint = this.didUrlComplaint(url, subject)
    if (complaint) this.report(path, complaint.message, complaint.kind)
  }

  uniqueTexts(path: Path, values: readonly string[], message: string): void {
    if (new Set(values).size < values.length) this.report(path, message)
  }

  dids(path: Path, dids: readonly string[]): void {
    this.uniqueTexts(path, dids.map(normaliseDid), 'there should be no duplicates')
    dids.forEach((did, n) => this.did([...path, n], did))
  }

  didUrls(path: Path, urls: readonly string[], subject: string): void {
    this.uniqueTexts(path, urls.map(normaliseDidUrl), 'there should be no duplicates')
    urls.forEach((url, n) => this.didUrl([...path, n], url, subject))
  }

  /**
   * @param code - of a broken rule; one about the namespace alone is always 1206
   * @throws LedgerError when anything was found
   */
  assertNone(code: 1205 | 1206): void {
    const all = [...this.findings.values()]
    if (all.length === 0) return
    const own = all.filter(({ kind }) => kind === 'basic')
    const told = own.length > 0 ? own : all
    throw staticRefusal(own.length > 0 ? code : 1206, describe(told), all.map(toProblem))
  }

  private didComplaint(did: string): Complaint | undefined {
    const parts = splitDid(did)
    if (!parts) return basic('unable to split did into method, namespace and id')
    if (parts.method !== 'cheqd') return basic('did method must be: cheqd')
    if (!/^[a-zA-Z0-9]*$/.test(parts.namespace)) return basic('invalid did namespace')
    if (!isUniqueId(parts.id)) {
      return basic('unique id should be one of: 16 bytes of decoded base58 string or UUID')
    }
    if (parts.namespace === this.network) return undefined
    return { message: `did namespace must be one of: ${this.network}`, kind: 'namespace' }
  }

  private didUrlComplaint(url: string, subject: string | undefined): Complaint | undefined {
    const parts = parseDidUrl(url)
    if (!parts) return basic('unable to split did url into did, path, query and fragment')
    const complaint = this.didComplaint(parts.did)
    if (complaint?.kind === 'basic') return complaint
    if (!FRAGMENT.test(parts.fragment))
      return basic('the did url fragment has a character that is not allowed')
    if (parts.path !== '') return basic('path must be empty')
    if (parts.query !== '') return basic('query must be empty')
    if (parts.fragment === '') return basic('fragment is required')
    if (subject !== undefined && parts.did !== subject) return basic(`must have prefix: ${subject}`)
    return complaint
  }
}

/** In the caller's words: without the envelope of the payload. */
const toProblem = ({ path, message }: Finding): Problem => ({
  path: formatPath(path[0] === 'payload' ? path.slice(1) : path),
  message,
})

type Tree = Map<string, Tree | string>

/** The findings as cheqd-node nests them: `payload: (id: did method must be: cheqd.).` */
function describe(findings: readonly Finding[]): string {
  const root: Tree = new Map()
  for (const { path, message } of findings) graft(root, path.map(snakeCase), message)
  return print(root)
}

function graft(tree: Tree, [name = '', ...rest]: string[], message: string): void {
  const below = tree.get(name)
  if (rest.length === 0) tree.set(name, message)
  // A list that is wrong as a whole is told before its elements.
  else if (typeof below !== 'string') {
    const next: Tree = below ?? new Map<string, Tree | string>()
    tree.set(name, next)
    graft(next, rest, message)
  }
}

function print(tree: Tree): string {
  const parts = [...tree]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, below]) => `${name}: ${typeof below === 'string' ? below : `(${print(below)})`}`)
  return `${parts.join('; ')}.`
}

const snakeCase = (step: string | number) =>
  String(step).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
