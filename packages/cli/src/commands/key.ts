import { Command } from 'commander'
import { expiryTime } from '../expiry-time.js'
import { configurationOption, withAccounts } from '../installation.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
}

/** `vidimus key create|list|revoke`: the API keys of accounts, not the keys of DIDs. */
export function keyCommand(): Command {
  const key = new Command('key').description('the API keys of accounts')
  key
    .command('create')
    .description('create an API key; it is shown this once and cannot be read back')
    .requiredOption('--account <name>', 'whose key it is')
    .option('--name <name>', 'what it is for')
    .option('--expires <time>', 'when it stops working, ISO 8601 such as 2027-01-31T00:00:00Z', expiryTime)
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(create)
  key
    .command('list')
    .description('list the API keys, never in clear')
    .option('--account <name>', 'of this account alone')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  key
    .command('revoke <id>')
    .description('make an API key invalid, at once and for good')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(revoke)
  return key
}

async function create(
  options: Options & { account: string; name?: string; expires?: string },
): Promise<void> {
  const { account, name, expires: expiresAt } = options
  const created = await withAccounts(options.config, (accounts) =>
    accounts.createApiKey({ account, ...(name && { name }), ...(expiresAt && { expiresAt }) }),
  )
  if (options.json) console.log(JSON.stringify(created))
  else
    console.log(
      `API key of account "${account}", shown only now:\n\n    ${created.apiKey}\n\nIts id: ${created.id}`,
    )
}

async function list(options: Options & { account?: string }): Promise<void> {
  const keys = await withAccounts(options.config, (accounts) => accounts.listApiKeys(options.account))
  if (options.json) {
    console.log(JSON.stringify(keys))
    return
  }
  const rows = keys.map((key) => [
    key.id,
    key.account,
    key.name ?? '',
    key.shown,
    key.createdAt,
    key.revokedAt ? `revoked ${key.revokedAt}` : key.expiresAt ? `expires ${key.expiresAt}` : 'valid',
  ])
  console.log(table(['ID', 'ACCOUNT', 'NAME', 'KEY', 'CREATED', 'STATE'], rows))
}

async function revoke(id: string, options: Options): Promise<void> {
  const revoked = await withAccounts(options.config, (accounts) => accounts.revokeApiKey(id))
  if (options.json) console.log(JSON.stringify(revoked))
  else console.log(`API key ${id} is revoked.`)
}
