import type { EndedSessions, ListedSession } from '@vidimus/core-types'
import { Command } from 'commander'
import { harmlessJson } from '../harmless.js'
import { configurationOption, withSessions } from '../installation.js'
import { table } from '../table.js'

interface ListOptions {
  config: string
  account?: string
  json?: boolean
}

/** Sessions that are read together. */
const MOST_READ = 1000

/** `vidimus session list|end`: who is signed in to the console with an identity provider. */
export const sessionCommand = () =>
  new Command('session')
    .description('list and end sessions of the console that began with an identity provider')
    .addCommand(
      new Command('list')
        .description('list the sessions, newest first')
        .option('--account <name>', 'only of this account')
        .addOption(configurationOption())
        .option('--json', 'print JSON')
        .action(list),
    )
    .addCommand(
      new Command('end')
        .description('end one session, or all of an identity provider or a subject')
        .argument('[id]', 'of a session, as vidimus session list shows it')
        .option('--issuer <url>', 'all that began at this identity provider')
        .option('--subject <text>', 'all of this subject')
        .addOption(configurationOption())
        .action(end),
    )

async function list({ config, account, json }: ListOptions): Promise<void> {
  const sessions = await withSessions(config, async (all) => {
    const found: ListedSession[] = []
    for (let after: string | undefined; ;) {
      const page = await all.list({ limit: MOST_READ, ...(account && { account }), ...(after && { after }) })
      found.push(...page.sessions)
      after = page.next
      if (after === undefined) return found
    }
  })
  if (json) console.log(harmlessJson(sessions))
  else
    console.log(
      table(['ID', 'ACCOUNT', 'SUBJECT', 'ISSUER', 'SCOPES', 'LAST USED', 'ENDS'], sessions.map(cells)),
    )
}

const cells = ({ id, account, subject, issuer, scopes, usedAt, endsAt }: ListedSession): string[] => [
  id,
  account,
  subject,
  issuer,
  scopes?.join(' ') ?? 'all',
  usedAt,
  endsAt,
]

async function end(
  id: string | undefined,
  { config, ...others }: EndedSessions & { config: string },
): Promise<void> {
  const ended = await withSessions(config, (sessions) => sessions.end({ id, ...others }))
  console.log(`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.`)
}
