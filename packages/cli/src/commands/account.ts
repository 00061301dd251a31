import { Command } from 'commander'
import { configurationArgument, configurationOption, withAccounts } from '../installation.js'
import { shellWord } from '../shell-word.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
}

/** `vidimus account create|list` */
export function accountCommand(): Command {
  const account = new Command('account').description('the accounts of the service')
  account
    .command('create <name>')
    .description('create an account; it has no API key yet')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(create)
  account
    .command('list')
    .description('list the accounts')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  return account
}

async function create(name: string, options: Options): Promise<void> {
  const account = await withAccounts(options.config, (accounts) => accounts.create(name))
  if (options.json) console.log(JSON.stringify(account))
  else
    console.log(
      `Account "${account.name}" created.\nIts first API key: vidimus key create --account ${shellWord(account.name)}${configurationArgument(options.config)}`,
    )
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
