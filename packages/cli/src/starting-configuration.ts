import { readFileSync } from 'node:fs'
import { NETWORKS, type Network } from '@vidimus/core-types'

/** The choices of `vidimus init`. */
export interface Choices {
  database: 'sqlite' | 'postgres'
  /** those that live on the cheqd network itself; the others are embedded */
  cheqd: readonly Network[]
  /** where new keys are created: in this service, in a PKCS#11 token, or in the transit engine of OpenBao or Vault */
  kms: 'local' | 'pkcs11' | 'vault'
  /** where publications are also written, for others to serve */
  publish: 'none' | 'directory' | 's3'
  /** issuer of the identity provider whose tokens are accepted besides API keys; absent: none */
  login?: string | undefined
}

/** The environment variables that an installation cannot start without, and their meaning. */
export function neededVariables({
  database,
  cheqd,
  kms,
  publish,
  login,
}: Choices): [name: string, example: string][] {
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
      [variable(network, 'MNEMONIC'), 'the mnemonic of the paying account'],
    ]),
    ...VARIABLES_OF_KMS[kms],
    ...VARIABLES_OF_PUBLISHER[publish],
    ...(login === undefined ? [] : VARIABLES_OF_LOGIN),
  ]
}

const VARIABLES_OF_PUBLISHER: Readonly<Record<Choices['publish'], [name: string, example: string][]>> = {
  none: [],
  directory: [['VIDIMUS_PUBLISH_DIRECTORY', '/srv/published']],
  s3: [
    ['S3_BUCKET', 'the name of the bucket'],
    ['S3_ENDPOINT', 'https://s3.example, unless it is AWS'],
  ],
}

const VARIABLES_OF_LOGIN: [name: string, example: string][] = [['OIDC_AUDIENCE', 'https://vidimus.example']]

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

/** A commented `agent.yml`: the standard one with the chosen parts. */
export function startingConfiguration(choices: Choices, standard = standardConfiguration()): string {
  let text = standard
  if (choices.database === 'postgres') text = onPostgres(text)
  if (choices.cheqd.length > 0) text = withCheqdMigrations(text)
  for (const network of NETWORKS) if (choices.cheqd.includes(network)) text = onCheqd(text, network)
  if (choices.kms !== 'local') text = withKms(text, choices.kms)
  if (choices.publish !== 'none') text = withPublisher(text, choices.publish)
  return choices.login === undefined ? text : withLogin(text, choices.login)
}

const standardConfiguration = (): string =>
  readFileSync(new URL('../templates/agent.yml', import.meta.url), 'utf8')

const onPostgres = (text: string): string =>
  replaced(
    replaced(
      text,
      /^# The database\. Without DATABASE_URL[^]*?(?=^database:)/m,
      [
        '# The database: PostgreSQL, for any number of processes on any number of machines. DATABASE_URL names it:',
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
    /^ *# for ledgers of @vidimus\/ledger-cheqd below:\n( *)# (- \{.*ledger-cheqd.*\})\n/m,
    '$1$2\n',
  )

const KMS_SECTIONS: Readonly<Record<Exclude<Choices['kms'], 'local'>, string>> = {
  pkcs11: [
    '# Keys in a PKCS#11 token: created in it, used in it, and never outside it. See docs/hsm.md.',
    'pkcs11:',
    "  $require: '@vidimus/kms-pkcs11#Pkcs11KeyManagementSystem'",
    '  $args:',
    '    - library: { $env: PKCS11_LIBRARY }',
    '      # its label',
    '      token: { $env: PKCS11_TOKEN }',
    '      pin: { $env: PKCS11_PIN }',
    '      # concurrent signatures; each uses one of the UV_THREADPOOL_SIZE threads of libuv',
    '      sessions: 2',
    '      timeoutMs: 10000',
    '',
  ].join('\n'),
  vault: [
    '# Keys in the transit engine of OpenBao or HashiCorp Vault: created in it, used in it, and never outside it.',
    '# AppRole if VAULT_ROLE_ID and VAULT_SECRET_ID are set, otherwise VAULT_TOKEN. See docs/key-service.md.',
    'vault:',
    "  $require: '@vidimus/kms-vault#VaultKeyManagementSystem'",
    '  $args:',
    '    - address: { $env: VAULT_ADDR }',
    '      namespace: { $env: VAULT_NAMESPACE, $default: null }',
    '      roleId: { $env: VAULT_ROLE_ID, $default: null }',
    '      secretId: { $env: VAULT_SECRET_ID, $default: null }',
    '      token: { $env: VAULT_TOKEN, $default: null }',
    '      mount: transit',
    '      # delete keys there when callers delete them; otherwise deleting is refused',
    '      allowDeletion: false',
    '',
  ].join('\n'),
}

/** Beside `local`, whose keys stay there; new keys are created in the chosen one. */
function withKms(text: string, kms: Exclude<Choices['kms'], 'local'>): string {
  const beside = replaced(
    replaced(text, /^keyManager:/m, `${KMS_SECTIONS[kms]}keyManager:`),
    /^( *)local: \{ \$ref: \/kms \}\n/m,
    `$&$1${kms}: { $ref: /${kms} }\n`,
  )
  const providers = replaced(beside, /defaultKms: local\b/g, `defaultKms: ${kms}`)
  return replaced(providers, /^( *)port: \{ \$env: PORT/m, `$1defaultKms: ${kms}\n$&`)
}

const PUBLISHERS: Readonly<Record<Exclude<Choices['publish'], 'none'>, readonly string[]>> = {
  directory: [
    "        $require: '@vidimus/publisher-directory#DirectoryPublisher'",
    '        $args:',
    '          - directory: { $env: VIDIMUS_PUBLISH_DIRECTORY }',
  ],
  s3: [
    "        $require: '@vidimus/publisher-s3#S3Publisher'",
    '        $args:',
    '          # Region and credentials are what the AWS SDK finds: AWS_REGION, AWS_ACCESS_KEY_ID, the role of a machine, ...',
    '          - bucket: { $env: S3_BUCKET }',
    '            endpoint: { $env: S3_ENDPOINT, $default: null }',
  ],
}

const publicationSection = (publish: Exclude<Choices['publish'], 'none'>): string =>
  [
    '# Status lists and DID documents are written here as well, for others to serve. See docs/static-publication.md.',
    'publication:',
    "  $require: '@vidimus/publication#Publication'",
    '  $args:',
    '    - database: { $ref: /database }',
    '      publisher:',
    ...PUBLISHERS[publish],
    '      # older versions of each list that stay at addresses of their own',
    '      keepVersions: 0',
    '      # milliseconds that `publication: "wait"` of an update waits at the most',
    '      waitMs: 10000',
    '',
    '',
  ].join('\n')

/** Changes of published objects are recorded there, and the server provides their content. */
function withPublisher(text: string, publish: Exclude<Choices['publish'], 'none'>): string {
  const reference = 'publication: { $ref: /publication }'
  const migrated = replaced(
    text,
    /^( *)- \{ \$require: '@vidimus\/status-list-store\?t=object#migrations' \}\n/m,
    "$&$1- { $require: '@vidimus/publication?t=object#migrations' }\n",
  )
  const noted = [
    [/^( *)maxServicesPerDid: /m, `$1${reference}\n$&`],
    [/^( *)keepDaysAfterExpiry: .*\n/m, `$&$1${reference}\n`],
    [/^( *)# Records events for new lists and versions\.\n/m, `$1${reference}\n$&`],
    [/^( *)port: \{ \$env: PORT/m, `$1${reference}\n$&`],
  ] as const
  const referring = noted.reduce((changed, [what, by]) => replaced(changed, what, by), migrated)
  return replaced(referring, /^# The only way to keys and DIDs/m, `${publicationSection(publish)}$&`)
}

const loginSection = (issuer: string): string =>
  [
    '# Bearer tokens of an identity provider are accepted besides API keys. See docs/login.md.',
    'login:',
    "  $require: '@vidimus/oidc#IdentityProviders'",
    '  $args:',
    '    - { $ref: /accounts }',
    '    - # where sessions of the console are kept, and what seals them',
    '      database: { $ref: /database }',
    '      envelope: { $ref: /envelope }',
    '      providers:',
    '        # Each provider needs an id of its own, such as `staff`.',
    '        - id: default',
    `          issuer: ${JSON.stringify(issuer)}`,
    '          # in `aud` of tokens for this service',
    '          audience: { $env: OIDC_AUDIENCE }',
    '          # The client of the console, with the redirect address <public URL>/console/callback/default, and what its button says;',
    '          # null: the console takes API keys only.',
    '          clientId: { $env: OIDC_CLIENT_ID, $default: null }',
    '          clientSecret: { $env: OIDC_CLIENT_SECRET, $default: null }',
    '          name: { $env: OIDC_NAME, $default: null }',
    '          # the client of `vidimus login`, with the device flow; null: none',
    '          deviceClientId: { $env: OIDC_DEVICE_CLIENT_ID, $default: null }',
    '          # How long API keys may live that are created with a token, such as P90D; null: as long as the token.',
    '          apiKeyLife: null',
    '          # The first rule that applies decides; scopes and networks that it omits are those of the claims vidimus_scopes',
    '          # and vidimus_networks. A rule may have conditions and fixed values:',
    '          #   - when: [{ claim: groups, is: status-list-editors }]',
    '          #     account: default',
    '          #     scopes: [status-lists, read]',
    '          #     networks: [testnet]',
    '          rules:',
    '            - account: { claim: vidimus_account }',
    '',
    '',
  ].join('\n')

/** Whoever is not known by an API key is looked for there. */
function withLogin(text: string, issuer: string): string {
  const migrated = replaced(
    text,
    /^( *)- \{ \$require: '@vidimus\/status-list-store\?t=object#migrations' \}\n/m,
    "$&$1- { $require: '@vidimus/oidc?t=object#migrations' }\n",
  )
  const entrusted = replaced(migrated, /rights: \{ \$ref: \/accounts \}/g, 'rights: { $ref: /login }')
  const authenticated = replaced(
    entrusted,
    'authenticator: { $ref: /accounts }',
    'authenticator: { $ref: /login }',
  )
  return replaced(
    authenticated,
    /^# The HTTP server in front of it\./m,
    `${loginSection(issuer).replaceAll('$', '$$$$')}$&`,
  )
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
      '        # Maximum cost of one message, in CHEQ.',
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
