import { readFileSync } from 'node:fs'
import { NETWORKS, type Network } from '@vidimus/core-types'

/** What `vidimus init` asks for. */
export interface Choices {
  database: 'sqlite' | 'postgres'
  /** those that live on the cheqd network itself; the others are embedded */
  cheqd: readonly Network[]
  /** where new keys are made: in this service, in a PKCS#11 token, or in the transit engine of OpenBao or Vault */
  kms: 'local' | 'pkcs11' | 'vault'
}

/** The environment variables that an installation cannot start without, and what they hold. */
export function neededVariables({ database, cheqd, kms }: Choices): [name: string, example: string][] {
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
    ...VARIABLES_OF_KMS[kms],
  ]
}

const VARIABLES_OF_KMS: Readonly<Record<Choices['kms'], [name: string, example: string][]>> = {
  local: [],
  pkcs11: [
    ['PKCS11_LIBRARY', '/usr/lib/softhsm/libsofthsm2.so'],
    ['PKCS11_TOKEN', 'the label of the token'],
    ['PKCS11_PIN', 'the PIN of its user'],
  ],
  vault: [
    ['VAULT_ADDR', 'https://vault.example:8200'],
    ['VAULT_ROLE_ID', 'the id of a role of AppRole'],
    ['VAULT_SECRET_ID', 'its secret id; VAULT_TOKEN may take the place of both'],
  ],
}

/** A commented `agent.yml`: the standard one, with what was chosen in the place of what it has. */
export function startingConfiguration(choices: Choices, standard = standardConfiguration()): string {
  let text = standard
  if (choices.database === 'postgres') text = onPostgres(text)
  if (choices.cheqd.length > 0) text = withCheqdMigrations(text)
  for (const network of NETWORKS) if (choices.cheqd.includes(network)) text = onCheqd(text, network)
  return choices.kms === 'local' ? text : withKms(text, choices.kms)
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

const KMS_SECTIONS: Readonly<Record<Exclude<Choices['kms'], 'local'>, string>> = {
  pkcs11: [
    '# Keys in a PKCS#11 token: made in it, used in it, and never outside of it. See docs/hsm.md.',
    'pkcs11:',
    "  $require: '@vidimus/kms-pkcs11#Pkcs11KeyManagementSystem'",
    '  $args:',
    '    - library: { $env: PKCS11_LIBRARY }',
    '      # its label',
    '      token: { $env: PKCS11_TOKEN }',
    '      pin: { $env: PKCS11_PIN }',
    '      # signatures under way at a time; each takes a thread of libuv, of which there are UV_THREADPOOL_SIZE',
    '      sessions: 2',
    '      timeoutMs: 10000',
    '',
  ].join('\n'),
  vault: [
    '# Keys in the transit engine of OpenBao or HashiCorp Vault: made in it, used in it, and never outside of it.',
    '# AppRole where VAULT_ROLE_ID and VAULT_SECRET_ID are set, otherwise VAULT_TOKEN. See docs/key-service.md.',
    'vault:',
    "  $require: '@vidimus/kms-vault#VaultKeyManagementSystem'",
    '  $args:',
    '    - address: { $env: VAULT_ADDR }',
    '      namespace: { $env: VAULT_NAMESPACE, $default: null }',
    '      roleId: { $env: VAULT_ROLE_ID, $default: null }',
    '      secretId: { $env: VAULT_SECRET_ID, $default: null }',
    '      token: { $env: VAULT_TOKEN, $default: null }',
    '      mount: transit',
    '      # whether keys that callers delete are deleted there as well; if not, deleting one is refused',
    '      allowDeletion: false',
    '',
  ].join('\n'),
}

/** Beside `local`, whose keys stay where they are; new keys are made in the chosen one. */
function withKms(text: string, kms: Exclude<Choices['kms'], 'local'>): string {
  const beside = replaced(
    replaced(text, /^keyManager:/m, `${KMS_SECTIONS[kms]}keyManager:`),
    /^( *)local: \{ \$ref: \/kms \}\n/m,
    `$&$1${kms}: { $ref: /${kms} }\n`,
  )
  const providers = replaced(beside, /defaultKms: local\b/g, `defaultKms: ${kms}`)
  return replaced(providers, /^( *)port: \{ \$env: PORT/m, `$1defaultKms: ${kms}\n$&`)
}

/** Its RPC and the words of its payer come from the environment: neither belongs in a file that is shared. */
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
