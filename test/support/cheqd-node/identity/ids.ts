/** What a node makes of a DID URL; `''` for each part that is not there. */
export interface UrlParts {
  did: string
  path: string
  query: string
  fragment: string
}

/** A node reads from where it can read to the end: behind the last `#` but one, or nothing where the last stands at the end. */
export function partsOf(url: string): UrlParts {
  const pieces = url.split('#')
  const readable = pieces.length > 1 && pieces.at(-1) === '' ? '' : pieces.slice(-2).join('#')
  const [front = '', fragment = ''] = readable.split('#')
  const mark = front.indexOf('?')
  const [hierarchy, query] = mark < 0 ? [front, ''] : [front.slice(0, mark), front.slice(mark + 1)]
  const slash = hierarchy.indexOf('/')
  const [did, path] = slash < 0 ? [hierarchy, ''] : [hierarchy.slice(0, slash), hierarchy.slice(slash)]
  return { did, path, query, fragment }
}

/** The text of a URL after a node has taken it apart: without the mark of an empty query. */
export function reassembled({ did, path, query, fragment }: UrlParts): string {
  return [did, path, query && `?${query}`, fragment && `#${fragment}`].join('')
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** base58 of Bitcoin; `undefined` for other characters. Quadratic: only for short texts. */
export function fromBase58(text: string): Buffer | undefined {
  let number = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    number = number * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const hex = number === 0n ? '' : number.toString(16)
  return Buffer.concat([
    Buffer.alloc(zeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ])
}

const HEX_GROUPS = [8, 4, 4, 4, 12]

export function isUuid(id: string): boolean {
  const groups = id.split('-')
  return (
    groups.length === HEX_GROUPS.length &&
    groups.every((group, n) => group.length === HEX_GROUPS[n] && /^[0-9a-f]*$/i.test(group))
  )
}

const isIndyId = (id: string) => id.length < 23 && fromBase58(id)?.length === 16

/** Why a text is no DID of the ledger; `namespace` is left out where any will do. */
export function didFault(did: string, namespace?: string): string | undefined {
  const [scheme, method, ...rest] = did.split(':')
  const [id, space] = rest.length === 2 ? [rest[1], rest[0]] : [rest[0], '']
  const isSplit = scheme === 'did' && rest.length > 0 && rest.length < 3 && [method, ...rest].every(Boolean)
  if (!isSplit || id === undefined) return 'unable to split did into method, namespace and id'
  if (method !== 'cheqd') return 'did method must be: cheqd'
  if (/[^a-zA-Z0-9]/.test(space ?? '')) return 'invalid did namespace'
  if (namespace !== undefined && space !== namespace) return `did namespace must be one of: ${namespace}`
  if (isUuid(id) || isIndyId(id)) return undefined
  return 'unique id should be one of: 16 bytes of decoded base58 string or UUID'
}

const MARKS = String.raw`\-\.\_\~\!\$\&\'\(\)\*\+\,\;\=\:\@`
const REGEXPS = {
  'path abempty': `^([/a-zA-Z0-9${MARKS}]*|(%[0-9A-Fa-f]{2})*)*$`,
  query: `^([/a-zA-Z0-9${MARKS}\\/\\?]*|(%[0-9A-Fa-f]{2})*)*$`,
  fragmnt: `^([/a-zA-Z0-9${MARKS}\\/\\?]*|(%[0-9A-Fa-f]{2})*)*$`,
}

function charactersFault(part: keyof typeof REGEXPS, text: string): string | undefined {
  const plain = text.replace(/%[0-9A-Fa-f]{2}/g, '')
  const isFine = [...plain].every(
    (one) =>
      `/-._~!$&'()*+,;=:@${part === 'path abempty' ? '' : '?'}`.includes(one) || /[a-zA-Z0-9]/.test(one),
  )
  return isFine ? undefined : `did url ${part} must match the following regexp: ${REGEXPS[part]}`
}

/** Why a text is no DID URL with a fragment alone; `prefix`: that it must begin with. */
export function urlFault(url: string, namespace?: string, prefix = ''): string | undefined {
  const { did, path, query, fragment } = partsOf(url)
  const fault =
    didFault(did, namespace) ??
    charactersFault('path abempty', path) ??
    charactersFault('query', query) ??
    charactersFault('fragmnt', fragment)
  if (fault !== undefined) return fault
  if (path !== '') return 'path must be empty'
  if (query !== '') return 'query must be empty'
  if (fragment === '') return 'fragment is required'
  return url.startsWith(prefix) ? undefined : `must have prefix: ${prefix}`
}

const lowered = (id: string) => (isUuid(id) ? id.toLowerCase() : id)

export const normalDid = (did: string): string => {
  const parts = did.split(':')
  return [...parts.slice(0, -1), lowered(parts.at(-1) ?? '')].join(':')
}

export const normalUrl = (url: string): string => {
  const parts = partsOf(url)
  return reassembled({ ...parts, did: normalDid(parts.did) })
}

export const normalId = lowered
