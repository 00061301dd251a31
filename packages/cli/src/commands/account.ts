import type { QuotaChanges } from '@vidimus/account-manager'
import { AgentError, QUOTAS } from '@vidimus/core-types'
import { Command, InvalidArgumentError, Option } from 'commander'
import { configurationArgument, configurationOption, withAccounts } from '../installation.js'
import { shellWord } from '../shell-word.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
  quota: QuotaChanges
}

const quotaOption = () =>
  new Option(
    '--quota <name=number>',
    `what the account may have, such as dids=1000, or "default" in place of the number; may be given more than once (${Object.keys(QUOTAS).join(', ')})`,
  )
    .argParser(addQuota)
    .default({}, 'what is usual')

/** `vidimus account create|update|list` */
export function accountCommand(): Command {
  const account = new Command('account').description('the accounts of the service')
  account
    .command('create <name>')
    .description('create an account; it has no API key yet')
    .addOption(configurationOption())
    .addOption(quotaOption())
    .option('--json', 'print JSON')
    .action(create)
  account
    .command('update <name>')
    .description('change what an account may have; what it has already stays')
    .addOption(configurationOption())
    .addOption(quotaOption())
    .option('--json', 'print JSON')
    .action(update)
  account
    .command('list')
    .description('list the accounts')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  return account
}

async function create(name: string, options: Options): Promise<void> {
  const account = await withAccounts(options.config, (accounts) => accounts.create(name, options.quota))
  if (options.json) console.log(JSON.stringify(account))
  else
    console.log(
      `Account "${account.name}" created.\nIts first API key: vidimus key create --account ${shellWord(account.name)}${configurationArgument(options.config)}`,
    )
}

async function update(name: string, options: Options): Promise<void> {
  if (Object.keys(options.quota).length === 0) {
    throw new AgentError('invalid_input', '--quota must say what to change, for example --quota dids=1000')
  }
  const account = await withAccounts(options.config, (accounts) => accounts.update(name, options.quota))
  if (options.json) console.log(JSON.stringify({ ...account, quota: options.quota }))
  else console.log(`Account "${account.name}" may have: ${described(options.quota)}.`)
}

const described = (quotas: QuotaChanges): string =>
  Object.entries(quotas)
    .map(([name, most]) => `${name} ${most ?? 'as usual'}`)
    .join(', ')

/** Names and ranges are checked where they are kept. */
function addQuota(text: string, before: QuotaChanges): QuotaChanges {
  const [name = '', most = '', ...rest] = text.split('=')
  if (rest.length > 0 || !/^(default|\d{1,15})$/.test(most)) {
    throw new InvalidArgumentError('It must be a quota and a whole number, for example dids=1000.')
  }
  return { ...before, [name]: most === 'default' ? null : Number(most) }
}

async function list(options: Options): Promise<void> {
  const found = await withAccounts(options.config, (accounts) => accounts.list())
  if (options.json) console.log(JSON.stringify(found))
  else
    console.log(
      table(
        ['NAME', 'CREATED', 'ID'],
        found.map(({ name, createdAt, id }) => [name, createdAt, id]),
      ),
    )
}
