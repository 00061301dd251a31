import type { ApiKey, CreatedApiKey, Network } from '@vidimus/core-types'
import { Command } from 'commander'
import { duration } from '../duration.js'
import { expiryTime } from '../expiry-time.js'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withAccounts } from '../installation.js'
import { networks, SCOPES, scopes } from '../key-limits.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
}

/** `vidimus key create|list|rotate|update|revoke`: the API keys of accounts, not the keys of DIDs. */
export function keyCommand(): Command {
  const key = new Command('key').description('manage API keys')
  key
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--account <name>', 'account of the key')
    .option('--name <name>', 'purpose of the key')
    .option('--expires <time>', 'expiry, ISO 8601 such as 2027-01-31T00:00:00Z', expiryTime)
    .option('--scope <scopes...>', `permissions; default: everything. ${SCOPES}`, scopes)
    .option('--network <networks...>', 'networks it may write to: testnet, mainnet; default: all', networks)
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(create)
  key
    .command('list')
    .description('list API keys, without their secrets')
    .option('--account <name>', 'only of this account')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  key
    .command('rotate <id>')
    .description('replace an API key by a new one; the old one keeps working for the overlap')
    .option(
      '--overlap <time>',
      'how long the old key keeps working, such as 30m, 24h or 7d; 0: not at all',
      duration,
    )
    .option('--expires <time>', 'expiry of the new key; default: that of the old one', expiryTime)
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(rotate)
  key
    .command('update <id>')
    .description('add scopes to a limited API key, which keeps its secret')
    .requiredOption('--add-scope <scopes...>', `scopes to add. ${SCOPES}`, scopes)
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(update)
  key
    .command('revoke <id>')
    .description('revoke an API key, at once and permanently')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(revoke)
  return key
}

interface CreateOptions extends Options {
  account: string
  name?: string
  expires?: string
  scope?: string[]
  network?: Network[]
}

async function create(options: CreateOptions): Promise<void> {
  const { account, name, expires: expiresAt, scope, network } = options
  const created = await withAccounts(options.config, (accounts) =>
    accounts.createApiKey({
      account,
      ...(name && { name }),
      ...(expiresAt && { expiresAt }),
      ...(scope && { scopes: scope }),
      ...(network && { networks: network }),
    }),
  )
  if (options.json) console.log(harmlessJson(created))
  else console.log(shownOnce(created))
}

async function rotate(id: string, options: Options & { overlap?: number; expires?: string }): Promise<void> {
  const { overlap, expires: expiresAt } = options
  const { created, rotated } = await withAccounts(options.config, (accounts) =>
    accounts.rotateApiKey(id, {
      ...(overlap !== undefined && { overlapSeconds: overlap }),
      ...(expiresAt && { expiresAt }),
    }),
  )
  if (options.json) console.log(harmlessJson({ created, rotated }))
  else console.log(`${shownOnce(created)}\n\nThe old key, ${id}, works until ${rotated.expiresAt}.`)
}

async function update(id: string, options: Options & { addScope: string[] }): Promise<void> {
  const updated = await withAccounts(options.config, (accounts) => accounts.addScopes(id, options.addScope))
  if (options.json) console.log(harmlessJson(updated))
  else console.log(`API key ${id} has the scopes ${updated.scopes?.join(', ')}.`)
}

const shownOnce = ({ account, apiKey, id }: CreatedApiKey) =>
  `API key of account "${account}", shown only once:\n\n    ${apiKey}\n\nIts id: ${id}`

async function list(options: Options & { account?: string }): Promise<void> {
  const keys = await withAccounts(options.config, (accounts) => accounts.listApiKeys(options.account))
  if (options.json) {
    console.log(harmlessJson(keys))
    return
  }
  const rows = keys.map((key) => [
    key.id,
    key.account,
    key.name ?? '',
    key.shown,
    key.scopes?.join(' ') ?? 'all',
    key.networks?.join(' ') ?? 'all',
    key.createdAt,
    key.lastUsedAt ?? 'never',
    apiKeyState(key),
  ])
  const headings = ['ID', 'ACCOUNT', 'NAME', 'KEY', 'SCOPES', 'NETWORKS', 'CREATED', 'LAST USED', 'STATE']
  console.log(table(headings, rows))
}

function apiKeyState({ revokedAt, expiresAt, rotatedTo }: ApiKey): string {
  if (revokedAt) return `revoked ${revokedAt}`
  if (!expiresAt) return 'valid'
  const ended = Date.parse(expiresAt) <= Date.now() ? 'expired' : 'expires'
  return `${ended} ${expiresAt}${rotatedTo ? `, rotated to ${rotatedTo}` : ''}`
}

async function revoke(id: string, options: Options): Promise<void> {
  const revoked = await withAccounts(options.config, (accounts) => accounts.revokeApiKey(id))
  if (options.json) console.log(harmlessJson(revoked))
  else console.log(`API key ${id} is revoked.`)
}
