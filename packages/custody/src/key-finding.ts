import type { IAgentPluginSchema, IKey } from '@veramo/core-types'
import {
  checkArguments,
  currentAccount,
  pluginSchema,
  type IKeyFinding,
  type PublicKeyInHex,
} from '@vidimus/core-types'
import { KeyFindArgs, keyFindingMethods } from '@vidimus/core-types/schemas'
import { homeOf, joinSql, sql, inAccount } from '@vidimus/database'
import { compressedHex, publicKeyOfBytes } from '@vidimus/verification-methods'
import { toKey, type KeyRow } from './key-rows.js'
import { unscopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

/** Each is asked for in several spellings. */
const ASKED_TOGETHER = 50

/** The method that finds keys by their public halves, for the key manager of the stores over this unit. */
export function keyFinding(unit: UnitOfWork): { methods: IKeyFinding; schema: IAgentPluginSchema } {
  return {
    methods: {
      keyManagerFind: async (args) => {
        checkArguments(KeyFindArgs, args)
        return findKeys(unit, args.publicKeys)
      },
    },
    schema: pluginSchema(keyFindingMethods),
  }
}

async function findKeys(unit: UnitOfWork, wanted: readonly PublicKeyInHex[]): Promise<IKey[]> {
  const account = currentAccount().id
  const identities = new Set(wanted.map(keyIdentity))
  const keys = new Map<string, IKey>()
  for (let n = 0; n < wanted.length; n += ASKED_TOGETHER) {
    const spellings = [...new Set(wanted.slice(n, n + ASKED_TOGETHER).flatMap(keySpellings))]
    const rows = await unit.queryRemembered<KeyRow>(
      sql`SELECT a.kid, k.kms, k.type, k."publicKeyHex", k.meta
        FROM "key" k JOIN account_key a ON a.home = k.home AND a.stored_kid = k.kid
        WHERE ${inAccount(account, sql`a.`)} AND k."publicKeyHex" IN (${joinSql(spellings)})
        ORDER BY a.created_at, a.kid`,
      homeOf(account),
    )
    for (const row of rows) keys.set(row.kid, toKey(row))
  }
  for (const [scoped, staged] of unit.current?.all('keys') ?? []) {
    const kid = unscopedName(account, scoped)
    if (kid === undefined) continue
    if (staged) keys.set(kid, structuredClone(staged))
    else keys.delete(kid)
  }
  return [...keys.values()].filter((key) => identities.has(keyIdentity(key)))
}

/** The same text for one key, in every notation of its public half. */
function keyIdentity({ type, publicKeyHex }: PublicKeyInHex): string {
  const { x, y } = compressedPoint({ type, publicKeyHex }) ?? {}
  return x === undefined ? `${type} ${publicKeyHex.toLowerCase()}` : `${type} ${x} ${y ?? ''}`
}

/** As a KMS may have written it. */
function keySpellings({ type, publicKeyHex }: PublicKeyInHex): string[] {
  const { x, y } = compressedPoint({ type, publicKeyHex }) ?? {}
  const whole =
    x === undefined || y === undefined ? publicKeyHex : `04${base64urlToHex(x)}${base64urlToHex(y)}`
  const spellings = [publicKeyHex, whole, compressedHex(whole)]
  return spellings.flatMap((hex) => [hex.toLowerCase(), hex.toUpperCase()])
}

const compressedPoint = ({ type, publicKeyHex }: PublicKeyInHex) =>
  publicKeyOfBytes(type, Buffer.from(publicKeyHex, 'hex'))?.jwk

const base64urlToHex = (base64url: string) => Buffer.from(base64url, 'base64url').toString('hex')
