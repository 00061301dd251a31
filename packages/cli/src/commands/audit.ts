import type { AuditEvent } from '@vidimus/accounts'
import { Command, InvalidArgumentError } from 'commander'
import { expiryTime } from '../expiry-time.js'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withAuditLog } from '../installation.js'
import { table } from '../table.js'

interface Options {
  config: string
  since?: string
  account?: string
  event?: string
  limit: number
  json?: boolean
}

/** `vidimus audit` */
export const auditCommand = () =>
  new Command('audit')
    .description('show security-relevant events, newest last')
    .option('--since <time>', 'only from this time on, ISO 8601 such as 2027-01-31T00:00:00Z', expiryTime)
    .option('--account <name>', 'only of this account')
    .option('--event <name>', 'only of this type, such as api-key-revoked')
    .option('--limit <number>', 'number of events', wholeNumber, 100)
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(show)

async function show({ config, since, account, event, limit, json }: Options): Promise<void> {
  const events = await withAuditLog(config, (audit) =>
    audit.list({ limit, ...(since && { since }), ...(account && { account }), ...(event && { event }) }),
  )
  if (json) console.log(harmlessJson(events))
  else {
    const headings = [
      'TIME',
      'EVENT',
      'OUTCOME',
      'TIMES',
      'ACCOUNT',
      'API KEY OR TOKEN',
      'ADDRESS',
      'SUBJECT',
      'DETAIL',
    ]
    console.log(table(headings, events.map(cells)))
  }
}

const cells = (event: AuditEvent): string[] => [
  event.time,
  event.event,
  event.outcome,
  String(event.occurrences),
  event.account ?? event.accountId ?? '',
  event.apiKeyId ?? tokenHolderText(event),
  event.address ?? '',
  event.subject ?? '',
  event.detail ?? '',
]

const tokenHolderText = ({ issuer, tokenSubject }: AuditEvent): string =>
  issuer === undefined ? '' : `${tokenSubject ?? '-'} ${issuer}`

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, 1 or greater.')
}
