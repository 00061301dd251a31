import type { StatusListLayout } from '@vidimus/core-types'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long a list may be used without asking its host again, in milliseconds: as long as it says itself (`ttl`),
 * which is signed; otherwise as long as its host says.
 *
 * @see draft-ietf-oauth-status-list, section 13.7; RFC 9111 section 5.2.2
 */
export function freshForMs({ ttlMs }: StatusListLayout, headers: Headers): number {
  if (mayNotBeStored(headers)) return 0
  return ttlMs ?? Math.max(0, responseMaxAge(headers) - responseAge(headers)) * 1000
}

/** Whether its host forbids caching. */
export const mayNotBeStored = (headers: Headers): boolean => parseDirectives(headers).has('no-store')

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
