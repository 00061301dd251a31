import {
  ACCOUNT_NAME,
  ACCOUNT_NAME_SHAPE,
  didWebUrl,
  problemsError,
  webDidAt,
  type Account,
} from '@vidimus/core-types'
import { joinSql, sql, type Reader } from '@vidimus/database'
import { z } from 'zod'

/** Which did:web names under the public URL accounts may have, besides the path of their own name. */
export interface WebDidsOption {
  /** the account that may have the DID of the public URL itself */
  root?: string | null
  /** for each account its paths, as in a did:web: `issuers:one` includes everything below it */
  prefixes?: Record<string, string[]>
}

const accountName = z.string().regex(ACCOUNT_NAME, ACCOUNT_NAME_SHAPE)
const path = z.string().refine((text) => isPath(text), 'must be a path as in a did:web, such as issuers:one')

export const webDidsField = () =>
  z
    .strictObject({
      root: accountName.nullable().default(null),
      prefixes: z.record(accountName, z.array(path)).default({}),
    })
    .superRefine(({ prefixes }, context) => {
      const all = Object.entries(prefixes).flatMap(([account, paths]) =>
        paths.map((granted, n) => ({ account, granted, place: ['prefixes', account, n] })),
      )
      for (const { account, granted, place } of all) {
        const other = all.find((one) => one.account !== account && covers(one.granted, granted))
        if (!other) continue
        const message = `is${other.granted === granted ? '' : ' below'} the path "${other.granted}" of the account "${other.account}"`
        context.addIssue({ code: 'custom', path: place, message })
      }
    })

const EXAMPLE = 'did:web:host.example'

function isPath(text: string): boolean {
  const url = didWebUrl(`${EXAMPLE}:${text}`)
  return url !== undefined && webDidAt(url) === `${EXAMPLE}:${text}`
}

/** Names whose path their account has without configuration. */
const OWN_PATH = /^[a-z0-9][a-z0-9._-]*$/

const covers = (granted: string, wanted: string): boolean => `${wanted}:`.startsWith(`${granted}:`)

const firstStep = (granted: string): string => granted.split(':')[0] ?? ''

type Named = Pick<Account, 'name'>

/** Decides which account may have which did:web under the public URL: names that others rely on are not first come. */
export class WebDidGrants {
  private readonly root: string | undefined
  private readonly prefixes: ReadonlyMap<string, readonly string[]>

  constructor({ root, prefixes = {} }: WebDidsOption = {}) {
    this.root = root ?? undefined
    this.prefixes = new Map(Object.entries(prefixes))
  }

  /** @throws AgentError `did_not_granted`, which names what the account may have */
  async demand(reader: Reader, account: Named, did: string, publicUrl: string): Promise<void> {
    const taken = await this.ambiguous(reader, account)
    if (this.isGranted(account, pathUnder(did, publicUrl), taken)) return
    const base = baseDid(publicUrl)
    const root = this.root === account.name ? [base] : []
    const paths = this.paths(account, taken).map((each) => `${base}:${each} (and what is below it)`)
    const granted = [...root, ...paths].join(', ') || 'none'
    const message = `"${did}" is not granted to this account; under the public URL it may have: ${granted}`
    throw problemsError('did_not_granted', [{ path: 'did', message }])
  }

  /** Configured paths, each with the other account whose own name it is: neither may use it. */
  async ambiguous(reader: Reader, only?: Named): Promise<ReadonlyMap<string, string>> {
    const configured = [...this.prefixes].filter(([account]) => !only || account === only.name)
    const all = configured.flatMap(([account, paths]) => paths.map((each) => ({ account, path: each })))
    const names = all.filter((each) => firstStep(each.path) !== each.account)
    if (names.length === 0) return new Map()
    const found = await reader.query<{ name: string }>(
      sql`SELECT name FROM account WHERE name IN (${joinSql([...new Set(names.map((each) => firstStep(each.path)))])})`,
    )
    const existing = new Set(found.map(({ name }) => name).filter((name) => OWN_PATH.test(name)))
    const ambiguous = names.filter((each) => existing.has(firstStep(each.path)))
    return new Map(ambiguous.map((each) => [each.path, firstStep(each.path)]))
  }

  /** @param wanted - as {@link pathUnder} returns it @param taken - as {@link ambiguous} returns it */
  isGranted(account: Named, wanted: string, taken: ReadonlyMap<string, string>): boolean {
    if (wanted === '') return this.root === account.name
    return (
      this.paths(account, taken).some((each) => covers(each, wanted)) && !this.isOfOthers(account, wanted)
    )
  }

  private paths({ name }: Named, taken: ReadonlyMap<string, string>): string[] {
    const configured = (this.prefixes.get(name) ?? []).filter((each) => !taken.has(each))
    const own = OWN_PATH.test(name) && !this.isOfOthers({ name }, name) ? [name] : []
    return [...new Set([...own, ...configured])]
  }

  private isOfOthers({ name }: Named, wanted: string): boolean {
    return [...this.prefixes].some(
      ([account, paths]) => account !== name && paths.some((each) => covers(each, wanted)),
    )
  }
}

/** The did:web whose document is at the public URL itself. */
const baseDid = (publicUrl: string): string =>
  webDidAt(new URL(`${publicUrl}/did.json`)) ??
  webDidAt(new URL(`${publicUrl}/.well-known/did.json`)) ??
  publicUrl

/** The path of a did:web below the public URL, as in the DID; `''`: that of the public URL itself. */
export const pathUnder = (did: string, publicUrl: string): string => did.slice(baseDid(publicUrl).length + 1)
