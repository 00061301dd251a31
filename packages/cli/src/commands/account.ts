import type { IKeyManager } from '@veramo/core-types'
import type { AccountContent, Accounts, LapsingList, ListedAccount, QuotaChanges } from '@vidimus/accounts'
import { AgentError, QUOTAS, type AnyAgent } from '@vidimus/core-types'
import { Command, InvalidArgumentError, Option } from 'commander'
import { harmless, harmlessJson } from '../harmless.js'
import {
  configurationArgument,
  configurationOption,
  withAccountRows,
  withAccounts,
  withCounters,
} from '../installation.js'
import { shellWord } from '../shell-word.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
  quota: QuotaChanges
}

interface UpdateOptions extends Options {
  kms?: string
}

/** In place of a value: restores the default. */
const USUAL = 'default'

const quotaOption = () =>
  new Option(
    '--quota <name=number>',
    `quota of the account, such as dids=1000, or "default" instead of the number; repeatable (${Object.keys(QUOTAS).join(', ')})`,
  )
    .argParser(addQuota)
    .default({}, 'what is usual')

/** `vidimus account create|update|disable|enable|delete|list|recount` */
export function accountCommand(): Command {
  const account = new Command('account').description('manage accounts')
  account
    .command('create <name>')
    .description('create an account, without an API key')
    .addOption(configurationOption())
    .addOption(quotaOption())
    .option('--json', 'print JSON')
    .action(create)
  account
    .command('update <name>')
    .description('change the quotas or the KMS of an account; existing data stays')
    .addOption(configurationOption())
    .addOption(quotaOption())
    .option(
      '--kms <name>',
      `the KMS for its new keys; "${USUAL}": that of the service. Existing keys stay where they are`,
    )
    .option('--json', 'print JSON')
    .action(update)
  account
    .command('disable <name>')
    .description('refuse its API keys and stop its event deliveries, at once; nothing is deleted')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => setState(name, options, 'disable'))
  account
    .command('enable <name>')
    .description('enable a disabled account again')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action((name: string, options: Options) => setState(name, options, 'enable'))
  account
    .command('delete <name>')
    .description(
      'disable an account and erase all of its data, including its keys; published data stays on its ledgers. ' +
        'If interrupted, run it again to continue',
    )
    .addOption(
      new Option('--dry-run', 'show what would be erased, without changing anything').conflicts('yes'),
    )
    .option('--yes', 'confirm the deletion')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(remove)
  account
    .command('list')
    .description('list the accounts')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  account
    .command('recount')
    .description('recount the usage of all accounts for their quotas; safe while the service runs')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(recount)
  return account
}

async function create(name: string, options: Options): Promise<void> {
  const account = await withAccounts(options.config, (accounts) => accounts.create(name, options.quota))
  if (options.json) console.log(harmlessJson(account))
  else
    console.log(
      `Account "${account.name}" created.\nIts first API key: vidimus key create --account ${shellWord(account.name)}${configurationArgument(options.config)}`,
    )
}

async function update(name: string, { quota, kms, config, json }: UpdateOptions): Promise<void> {
  const hasQuotas = Object.keys(quota).length > 0
  if (!hasQuotas && kms === undefined) {
    throw new AgentError('invalid_input', 'nothing to change; for example: --quota dids=1000 or --kms local')
  }
  const chosen = kms === USUAL ? null : kms
  const change = (accounts: Accounts) => accounts.update(name, quota, { kms: chosen })
  const account = await (typeof chosen === 'string'
    ? withAccountRows(config, async ({ accounts, agent }) => {
        await expectKms(chosen, agent)
        return change(accounts)
      })
    : withAccounts(config, change))
  if (json) {
    console.log(harmlessJson({ ...account, quota, ...(kms !== undefined && { kms: chosen }) }))
    return
  }
  if (hasQuotas) console.log(`Account "${account.name}" may have: ${described(quota)}.`)
  if (kms !== undefined) {
    const where = chosen === null ? 'where the service makes them' : `in the KMS "${harmless(kms)}"`
    console.log(`New keys of account "${account.name}" are made ${where}.`)
  }
}

/** @throws AgentError `invalid_input` with the names of those that there are */
async function expectKms(kms: string, agent: AnyAgent | undefined): Promise<void> {
  const manager = agent as Partial<Pick<IKeyManager, 'keyManagerGetKeyManagementSystems'>> | undefined
  const configured = (await manager?.keyManagerGetKeyManagementSystems?.()) ?? []
  if (configured.includes(kms)) return
  throw new AgentError('invalid_input', `--kms must be one of the configured KMSs: ${configured.join(', ')}`)
}

async function setState(name: string, options: Options, change: 'disable' | 'enable'): Promise<void> {
  const account = await withAccounts(options.config, (accounts) => accounts.states[change](name))
  if (options.json) console.log(harmlessJson(account))
  else console.log(`Account "${account.name}" is ${change}d.`)
}

interface DeleteOptions extends Omit<Options, 'quota'> {
  dryRun?: boolean
  yes?: boolean
}

async function remove(name: string, { config, dryRun, yes, json }: DeleteOptions): Promise<void> {
  if (!dryRun && !yes) {
    throw new AgentError('invalid_input', '--dry-run shows what would be erased; --yes erases it permanently')
  }
  await withAccountRows(config, async ({ accounts, rows, agent }) => {
    const deletion = accounts.deletion(rows)
    const contents = await deletion.contents(name)
    if (dryRun) {
      // Loaded here, so that the other commands start faster.
      const { lapsingLists } = await import('@vidimus/accounts')
      const { lists } = agent ? await lapsingLists(agent, deletion.didsHeldAlone(name)) : { lists: [] }
      console.log(json ? harmlessJson({ account: name, contents, lists }) : preview(name, contents, lists))
      return
    }
    await deletion.run(name)
    console.log(json ? harmlessJson({ account: name, contents, deleted: true }) : deleted(name, contents))
  })
}

const preview = (name: string, contents: readonly AccountContent[], lists: readonly LapsingList[]): string =>
  [
    `Deleting "${harmless(name)}" would erase the following; nothing was changed:`,
    inventory(contents),
    ...(lists.length > 0
      ? [
          'These lists will expire, as nobody will be able to sign them again:',
          table(
            ['DID', 'LIST', 'UNTIL'],
            lists.map(({ did, statusListName, validUntil }) => [did, statusListName, validUntil]),
          ),
        ]
      : []),
  ].join('\n')

const deleted = (name: string, contents: readonly AccountContent[]): string =>
  [`Account "${harmless(name)}" is deleted:`, inventory(contents), AFTERWARDS].join('\n')

const inventory = (contents: readonly AccountContent[]): string =>
  table(
    ['ROWS', 'OF', 'ARE'],
    contents.map(({ rows, name, fate }) => [String(rows), name, fate]),
  )

const AFTERWARDS =
  'Backups still contain it, sealed: see "Deleting an account" in docs/tenants.md for what remains elsewhere.'

const described = (quotas: QuotaChanges): string =>
  Object.entries(quotas)
    .map(([name, most]) => `${name} ${most ?? 'as usual'}`)
    .join(', ')

/** Names and ranges are checked where they are stored. */
function addQuota(text: string, before: QuotaChanges): QuotaChanges {
  const [name = '', most = '', ...rest] = text.split('=')
  if (rest.length > 0 || !/^(default|\d{1,15})$/.test(most)) {
    throw new InvalidArgumentError('It must be a quota and a whole number, for example dids=1000.')
  }
  return { ...before, [name]: most === 'default' ? null : Number(most) }
}

async function list(options: Options): Promise<void> {
  const found = await withAccounts(options.config, (accounts) => accounts.list())
  if (options.json) console.log(harmlessJson(found))
  else
    console.log(
      table(
        ['NAME', 'CREATED', 'STATE', 'ID'],
        found.map((account) => [account.name, account.createdAt, accountState(account), account.id]),
      ),
    )
}

function accountState({ disabledAt, deletionBeganAt }: ListedAccount): string {
  if (deletionBeganAt !== undefined) return 'being deleted'
  return disabledAt === undefined ? 'in use' : 'disabled'
}

async function recount({ config, json }: Omit<Options, 'quota'>): Promise<void> {
  // Loaded here, so that the other commands start faster.
  const { correctTallies } = await import('@vidimus/accounts')
  const { tallyText } = await import('../doctor/tallies.js')
  const corrected = await withCounters(config, correctTallies)
  if (json) {
    console.log(harmlessJson({ corrected }))
    return
  }
  if (corrected.length === 0) console.log('The usage of all accounts was counted correctly.')
  for (const wrong of corrected) console.log(harmless(`Corrected: ${tallyText(wrong)}.`))
}
