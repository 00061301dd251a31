import type { ReferenceMistake, RequireReference } from './require-reference.js'

/** Packages that were split, with what has moved. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '@vidimus/account-manager': {
    '@vidimus/accounts': ['Accounts', 'AuditLog', 'Quotas', 'ApiKeyPlugin', 'AccountUsagePlugin'],
    '@vidimus/custody': [
      'migrations',
      'entities',
      'UnitOfWork',
      'AccountPrivateKeyStore',
      'AccountKeyStore',
      'AccountDIDStore',
      'inOneUnit',
      'DIDCreationPlugin',
      'HoldingsPlugin',
    ],
    '@vidimus/idempotency': ['IdempotencyRecords'],
  },
  '@vidimus/presentation': { '@vidimus/credentials': ['DIDJwtPlugin'] },
}

/** Of these, the packages of which nothing is left. */
const GONE: readonly string[] = ['@vidimus/account-manager']

/** What must be configured in addition. */
const BESIDE: Readonly<Record<string, string>> = {
  AccountUsagePlugin: 'with $args: [{ $ref: /accounts }, { $ref: /quotas }]',
  DIDJwtPlugin: "and beside it, for credentials, - $require: '@vidimus/credentials#CredentialsPlugin'",
}

/** The error for a reference to something that was renamed, with the line to write instead. */
export function renamedMistakes({ module, member, type }: RequireReference): ReferenceMistake[] {
  if (!Object.hasOwn(RENAMED, module)) return []
  const [home] =
    Object.entries(RENAMED[module] ?? {}).find(([, members]) => members.includes(member ?? '')) ?? []
  if (home === undefined) {
    if (!GONE.includes(module)) return []
    const homes = Object.keys(RENAMED[module] ?? {}).join(', ')
    return [{ message: 'names a package that was split', advice: `its contents moved to ${homes}` }]
  }
  const line = `$require: '${home}${type === 'class' ? '' : `?t=${type}`}#${member}'`
  const beside = BESIDE[member ?? '']
  const advice = `write ${line}${beside === undefined ? '' : ` ${beside}`}`
  return [{ message: 'was renamed', advice }]
}
