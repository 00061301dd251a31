import { createInterface } from 'node:readline/promises'
import { AgentError, isHttpUrl, NETWORKS, type Network } from '@vidimus/core-types'
import { Command, InvalidArgumentError, Option } from 'commander'
import { configurationArgument, configurationOption } from '../installation.js'
import { USUAL_CHOICES, writeConfiguration } from '../new-configuration.js'
import { neededVariables, type Choices } from '../starting-configuration.js'

const DATABASES = ['sqlite', 'postgres'] as const
const KMSS = ['local', 'pkcs11', 'vault'] as const
const PUBLISHERS = ['none', 'directory', 's3'] as const

interface Options {
  config: string
  database?: Choices['database']
  cheqd?: Network[]
  kms?: Choices['kms']
  publish?: Choices['publish']
  login?: string
  force?: boolean
}

/** `vidimus init` */
export const initCommand = () =>
  new Command('init')
    .description('write a commented agent.yml; on a terminal, prompts for missing options')
    .addOption(new Option('--database <kind>', 'database (default: sqlite)').choices(DATABASES))
    .addOption(
      new Option(
        '--cheqd <networks...>',
        'did:cheqd networks to connect to (default: none, both are embedded)',
      ).choices(NETWORKS),
    )
    .addOption(
      new Option(
        '--kms <kind>',
        'where to create keys: in this service, in a PKCS#11 token, or in OpenBao or Vault (default: local)',
      ).choices(KMSS),
    )
    .addOption(
      new Option(
        '--publish <kind>',
        'where to write lists and DID documents for static publication (default: none)',
      ).choices(PUBLISHERS),
    )
    .option(
      '--login <issuer>',
      'identity provider whose tokens are accepted besides API keys, such as https://login.example',
      issuer,
    )
    .addOption(configurationOption())
    .option('--force', 'overwrite an existing file')
    .action(init)

async function init({ config, force, ...given }: Options): Promise<void> {
  const choices = await readChoices(given)
  await writeConfiguration(config, choices, { force })
  console.log(`Wrote ${config}.\n\nNext:\n\n${steps(choices, config).join('\n')}\n`)
}

function steps(choices: Choices, config: string): string[] {
  const argument = configurationArgument(config)
  return [
    ...neededPackages(choices).map((name) => `    npm install ${name}`),
    ...neededVariables(choices).map(([name, example]) => `    export ${name}='${example}'`),
    `    npx vidimus doctor${argument}`,
    `    npx vidimus start${argument}`,
  ]
}

/** @throws InvalidArgumentError if it cannot be an issuer */
function issuer(text: string): string {
  if (isHttpUrl(text)) return text
  throw new InvalidArgumentError('It must be an http(s) URL.')
}

function neededPackages({ cheqd, kms, publish, login }: Choices): string[] {
  return [
    ...(cheqd.length > 0 ? ['@vidimus/ledger-cheqd'] : []),
    ...(kms === 'local' ? [] : [`@vidimus/kms-${kms}`]),
    ...(publish === 's3' ? ['@vidimus/publisher-s3'] : []),
    ...(login === undefined ? [] : ['@vidimus/oidc']),
  ].filter((name) => !isInstalled(name))
}

/** A clone of the repository has all packages. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

async function readChoices({ database, cheqd, kms, publish, login }: Partial<Choices>): Promise<Choices> {
  const nobodyToAsk = !process.stdin.isTTY || !process.stdout.isTTY
  const isAllSaid = [database, cheqd, kms, publish].every((choice) => choice !== undefined)
  if (nobodyToAsk || isAllSaid) {
    return {
      database: database ?? USUAL_CHOICES.database,
      cheqd: cheqd ?? USUAL_CHOICES.cheqd,
      kms: kms ?? USUAL_CHOICES.kms,
      publish: publish ?? USUAL_CHOICES.publish,
      login,
    }
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  // Keeps lines that arrive before they are asked for, as when they are pasted.
  const lines = terminal[Symbol.asyncIterator]()
  const ask = async (question: string, answers: readonly string[]): Promise<string> => {
    for (;;) {
      process.stdout.write(`${question} (${answers.join(', ')}) [${answers[0]}] `)
      const line = await lines.next()
      if (line.done)
        throw new AgentError('invalid_configuration', 'nothing was written: a prompt was not answered')
      const answer = line.value.trim().toLowerCase()
      const meant = answer === '' ? answers[0] : answers.find((one) => one.startsWith(answer))
      if (meant !== undefined) return meant
      console.log(`Please answer ${answers.join(' or ')}.`)
    }
  }
  try {
    return {
      database: database ?? ((await ask('Which database?', DATABASES)) as (typeof DATABASES)[number]),
      cheqd:
        cheqd ?? parseNetworks(await ask('Which ledger for did:cheqd?', ['embedded', ...NETWORKS, 'both'])),
      kms: kms ?? ((await ask('Which KMS for new keys?', KMSS)) as Choices['kms']),
      publish:
        publish ??
        ((await ask('Where to publish lists for others to serve?', PUBLISHERS)) as Choices['publish']),
      login,
    }
  } finally {
    terminal.close()
  }
}

function parseNetworks(answer: string): readonly Network[] {
  if (answer === 'both') return NETWORKS
  return NETWORKS.filter((network) => network === answer)
}
