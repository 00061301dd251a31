import type { Events } from '@vidimus/account-events'
import { runInAccountScope, type Webhook } from '@vidimus/core-types'
import { Command } from 'commander'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withEvents } from '../installation.js'
import { table } from '../table.js'

interface Options {
  config: string
  json?: boolean
}

const MOST_SHOWN = 1000

/** `vidimus webhook list|dead-letters|replay`: the webhooks of all accounts. */
export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('manage webhooks')
  webhook
    .command('list')
    .description('list the webhooks of all accounts, with their pending events')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  webhook
    .command('dead-letters <id>')
    .description('list the dead letters of a webhook, the oldest 1000')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(deadLetters)
  webhook
    .command('replay <id>')
    .description('redeliver the dead letters of a webhook through the running service')
    .option('--event <ids...>', 'only these events')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(replay)
  return webhook
}

async function list({ config, json }: Options): Promise<void> {
  const webhooks = await withEvents(config, ({ webhooks }) => webhooks.listAll())
  if (json) console.log(harmlessJson(webhooks))
  else {
    const headings = [
      'ID',
      'ACCOUNT',
      'URL',
      'STATE',
      'WAITING',
      'DEAD LETTERS',
      'LAST DELIVERY',
      'LAST FAILURE',
    ]
    console.log(table(headings, webhooks.map(cells)))
  }
}

const cells = (webhook: Webhook & { account: string }): string[] => [
  webhook.id,
  webhook.account,
  webhook.url,
  webhook.state ?? `revoked by its ${webhook.revokedBy}`,
  String(webhook.waiting),
  String(webhook.deadLetters),
  webhook.lastDeliveredAt ?? '',
  webhook.lastFailure ? `${webhook.lastFailure.time} ${webhook.lastFailure.reason}` : '',
]

async function deadLetters(id: string, { config, json }: Options): Promise<void> {
  const { deadLetters: letters } = await withEvents(config, (events) =>
    withWebhook(events, id, () => events.webhooks.deadLetters(id, { after: 0, limit: MOST_SHOWN })),
  )
  if (json) console.log(harmlessJson(letters))
  else {
    const rows = letters.map(({ event, attempts, failure }) => [
      event.id,
      event.time,
      event.type,
      event.subject,
      String(attempts),
      failure.reason,
    ])
    console.log(table(['EVENT', 'TIME', 'TYPE', 'SUBJECT', 'ATTEMPTS', 'LAST FAILURE'], rows))
  }
}

async function replay(id: string, { config, json, event }: Options & { event?: string[] }): Promise<void> {
  const result = await withEvents(config, (events) =>
    withWebhook(events, id, () => events.webhooks.replay(id, event)),
  )
  if (json) console.log(harmlessJson(result))
  else console.log(`${result.replayed} events are being redelivered by the running service.`)
}

async function withWebhook<T>({ webhooks }: Events, id: string, work: () => Promise<T>): Promise<T> {
  return runInAccountScope(await webhooks.accountOf(id), work)
}
