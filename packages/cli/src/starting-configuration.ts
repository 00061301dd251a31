import { readFileSync } from 'node:fs'
import { NETWORKS, type Network } from '@vidimus/core-types'

/** What `vidimus init` asks for. */
export interface Choices {
  database: 'sqlite' | 'postgres'
  /** those that live on the cheqd network itself; the others are embedded */
  cheqd: readonly Network[]
}

/** The environment variables that an installation cannot start without, and what they hold. */
export function neededVariables({ database, cheqd }: Choices): [name: string, example: string][] {
  return [
    ...(database === 'postgres'
      ? [
          ['DATABASE_URL', 'postgres://user:password@host:5432/vidimus?sslmode=verify-full'] as [
            string,
            string,
          ],
        ]
      : []),
    ...cheqd.flatMap((network): [string, string][] => [
      [variable(network, 'RPC'), `https://rpc.${network}.example`],
      [variable(network, 'MNEMONIC'), 'the words of the account that pays'],
    ]),
  ]
}

/** A commented `agent.yml`: the standard one, with what was chosen in the place of what it has. */
export function startingConfiguration(choices: Choices, standard = standardConfiguration()): string {
  let text = standard
  if (choices.database === 'postgres') text = onPostgres(text)
  if (choices.cheqd.length > 0) text = withCheqdMigrations(text)
  for (const network of NETWORKS) if (choices.cheqd.includes(network)) text = onCheqd(text, network)
  return text
}

const standardConfiguration = (): string =>
  readFileSync(new URL('../templates/agent.yml', import.meta.url), 'utf8')

const onPostgres = (text: string): string =>
  replaced(
    replaced(
      text,
      /^# The database\. Without DATABASE_URL[^]*?(?=^database:)/m,
      [
        '# The database: PostgreSQL, for as many processes on as many machines as you like. DATABASE_URL names it:',
        '# postgres://user:password@host:5432/database?sslmode=verify-full. See docs/operations.md.',
        '',
      ].join('\n'),
    ),
    '- url: { $env: DATABASE_URL, $default: null }',
    '- url: { $env: DATABASE_URL }',
  )

const withCheqdMigrations = (text: string): string =>
  replaced(
    text,
    /^ *# with ledgers of @vidimus\/ledger-cheqd below:\n( *)# (- \{.*ledger-cheqd.*\})\n/m,
    '$1$2\n',
  )

/** Its RPC and the words of its payer come from the environment: neither belongs into a file that is shown around. */
const onCheqd = (text: string, network: Network): string =>
  replaced(
    text,
    new RegExp(
      `^  - \\$require: '@vidimus/ledger-local#EmbeddedLedger'\\n    \\$args:\\n      - network: ${network}\\n(?:        .*\\n)*`,
      'm',
    ),
    [
      "  - $require: '@vidimus/ledger-cheqd#CheqdLedger'",
      '    $args:',
      `      - network: ${network}`,
      '        database: { $ref: /database }',
      `        rpc: { $env: ${variable(network, 'RPC')} }`,
      `        payer: { mnemonic: { $env: ${variable(network, 'MNEMONIC')} } }`,
      '        # The most that one message may cost, in CHEQ.',
      '        maxFee: 500',
      '',
    ].join('\n'),
  )

const variable = (network: Network, what: string): string => `CHEQD_${network.toUpperCase()}_${what}`

function replaced(text: string, what: RegExp | string, by: string): string {
  const changed = typeof what === 'string' ? text.replace(what, () => by) : text.replace(what, by)
  if (changed === text) throw new Error(`the standard configuration has no ${String(what)}`)
  return changed
}
