import type { ReferenceMistake, RequireReference } from './require-reference.js'

/** Packages that became several, with what is in each of them by now. */
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
}

/** What takes other arguments there. */
const OTHER_ARGUMENTS: Readonly<Record<string, string>> = {
  AccountUsagePlugin: '$args: [{ $ref: /accounts }, { $ref: /quotas }]',
}

/** The mistake in a reference to what has another name by now, with the line to write in its place. */
export function renamedMistakes({ module, member, type }: RequireReference): ReferenceMistake[] {
  if (!Object.hasOwn(RENAMED, module)) return []
  const [home] =
    Object.entries(RENAMED[module] ?? {}).find(([, members]) => members.includes(member ?? '')) ?? []
  if (home === undefined) {
    const homes = Object.keys(RENAMED[module] ?? {}).join(', ')
    return [{ message: 'names a package that was split', advice: `what was in it is now in ${homes}` }]
  }
  const line = `$require: '${home}${type === 'class' ? '' : `?t=${type}`}#${member}'`
  const args = OTHER_ARGUMENTS[member ?? '']
  const advice = `write ${line}${args === undefined ? '' : ` with ${args}`}`
  return [{ message: 'has another name now', advice }]
}
