import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfiguration } from '@vidimus/agent-config'
import { neededVariables, startingConfiguration, type Choices } from '../starting-configuration.js'

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const KMS = [
  ['local', 'none', undefined],
  ['pkcs11', 'directory', 'https://login.example/$&'],
  ['vault', 's3', undefined],
] as const

/** Every two of them together: each is put into places of its own. */
const CHOICES: Choices[] = ([[], ['testnet'], ['mainnet'], ['testnet', 'mainnet']] as const).flatMap(
  (cheqd, n) =>
    KMS.map(([kms, publish, login], m) => {
      const database = (n + m) % 2 === 0 ? ('sqlite' as const) : ('postgres' as const)
      return { database, cheqd, kms, publish, login }
    }),
)

describe('initial configuration', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-init-'))
  })
  after(() => rm(folder, { recursive: true }))

  const inspect = async (text: string, environment: Record<string, string>) => {
    const file = join(folder, 'agent.yml')
    await writeFile(file, text)
    const configuration = await loadConfiguration(file, {
      environment: { VIDIMUS_DATA_DIR: folder, ...environment },
      resolveFrom: [import.meta.url],
    })
    return configuration.inspect()
  }
  const valueOf = (name: string) => {
    if (name === 'DATABASE_URL') return 'postgres://vidimus@127.0.0.1/vidimus'
    if (name.startsWith('PKCS11_')) return 'of the token'
    if (name === 'VIDIMUS_PUBLISH_DIRECTORY') return folder
    if (name === 'S3_BUCKET') return 'published'
    if (name === 'S3_ENDPOINT') return 'http://127.0.0.1:9000'
    if (name === 'OIDC_AUDIENCE') return 'https://vidimus.example'
    if (name === 'VAULT_ADDR') return 'http://127.0.0.1:8200'
    return name.endsWith('RPC') ? 'http://127.0.0.1:26657' : WORDS
  }

  it('is the standard one by default', async () => {
    const standard = await readFile(new URL('../../../../agent.yml', import.meta.url), 'utf8')
    assert.equal(
      startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'local', publish: 'none' }),
      standard,
      'cp agent.yml packages/cli/templates/',
    )
  })

  for (const choices of CHOICES) {
    const { database, cheqd, kms } = choices
    it(`is valid with ${database}, ${cheqd.join(' and ') || 'nothing'} on cheqd and keys in ${kms}`, async () => {
      const text = startingConfiguration(choices)
      const needed = neededVariables(choices).map(([name]) => name)
      const { parts, problems } = await inspect(
        text,
        Object.fromEntries(needed.map((name) => [name, valueOf(name)])),
      )
      assert.deepEqual(problems, [])
      assert.equal([...text.matchAll(/defaultKms: (\w+)/g)].filter(([, name]) => name !== kms).length, 0)
      const ledgers = parts.filter(({ role }) => role === 'ledger').map(({ name, module }) => [name, module])
      assert.deepEqual(
        ledgers,
        ['testnet', 'mainnet'].map((network) => [
          network,
          cheqd.some((one) => one === network) ? '@vidimus/ledger-cheqd' : '@vidimus/ledger-local',
        ]),
      )
    })

    it(`asks for the settings of ${database}, ${cheqd.join(' and ') || 'nothing'} on cheqd and keys in ${kms}`, async () => {
      const text = startingConfiguration(choices)
      const { problems } = await inspect(text, {})
      const missing = new Set(
        problems.flatMap(({ message }) => /\b([A-Z\d]+(?:_[A-Z]+)+)\b/.exec(message)?.slice(1) ?? []),
      )
      assert.deepEqual(
        [...missing].sort(),
        neededVariables(choices)
          .map(([name]) => name)
          // one of several ways to log in
          .filter((name) => text.includes(`{ $env: ${name} }`))
          .sort(),
      )
    })
  }
})
