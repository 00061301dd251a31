/**
 * The public address of the service, from which https addresses are built: https, or http on loopback; `allowHttp`
 * beside it allows http elsewhere, as within a cluster.
 */
export type PublicUrlOption = string | { url?: string | null; allowHttp?: boolean } | null | undefined

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const NO_URL = 'must be an absolute https URL, such as https://status.example.com, or { url, allowHttp }'

/** The problem of a public URL, completing a sentence; `undefined` if there is none. */
export function publicUrlProblem(option: unknown): string | undefined {
  if (option === undefined || option === null) return undefined
  const { url, allowHttp = false, ...others } = urlOptionParts(option)
  if (Object.keys(others).length > 0 || typeof allowHttp !== 'boolean') return NO_URL
  if (url === undefined || url === null) return undefined
  if (typeof url !== 'string' || !URL.canParse(url)) return NO_URL
  const { protocol, username, password, search, hash } = new URL(url)
  if (!/^https?:$/.test(protocol)) return NO_URL
  if (username || password || search || hash) return 'must be without user, query and fragment'
  if (isHttpAbroad(url) && !allowHttp) {
    return 'must be https, or http on loopback; allowHttp: true beside it allows http elsewhere'
  }
  return undefined
}

/** The public URL, without a slash at the end; `undefined` if there is none. The option must be valid. */
export function publicUrlOf(option: PublicUrlOption): string | undefined {
  const url = typeof option === 'string' ? option : option?.url
  return url?.replace(/\/+$/, '')
}

/** Whether it is http to another machine. */
export function isHttpAbroad(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}

const urlOptionParts = (option: unknown): Record<string, unknown> =>
  typeof option === 'object' ? { ...option } : { url: option }
