import assert from 'node:assert/strict'
import type { IDIDManager, IIdentifier, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { createAgentFromConfig, loadConfiguration } from '../index.js'
import { ConfigurationFolder, configurationError } from './support/configuration-folder.js'

// In the style of the files that Veramo's own command line makes. The packages of /server are not installed here.
const VERAMO_FILE = `version: 3.0

constants:
  baseUrl: http://localhost:3332
  port: 3332
  databaseFile: DATABASE_FILE
  secretKey: 29739248cad1bd1a0fc4d9b75cd4d2990de535baf5caadfdf8d8f86664aa830c
  methods:
    - keyManagerCreate
    - didManagerCreate
    - resolveDid

dbConnection:
  $require: typeorm#DataSource
  $args:
    - type: sqlite
      database:
        $ref: /constants/databaseFile
      synchronize: false
      migrationsRun: true
      migrations:
        $require: '@veramo/data-store?t=object#migrations'
      logging: false
      entities:
        $require: '@veramo/data-store?t=object#Entities'

server:
  baseUrl:
    $ref: /constants/baseUrl
  port:
    $ref: /constants/port
  use:
    - - $require: 'cors?t=function'
    - - $require: express?t=function#json
        $args:
          - limit: 5mb
    - - /agent
      - $require: '@veramo/remote-server?t=function#apiKeyAuth'
        $args:
          - apiKey: test123
      - $require: '@veramo/remote-server?t=function#AgentRouter'
        $args:
          - exposedMethods:
              $ref: /constants/methods
  init:
    - $require: '@veramo/remote-server?t=function#createDefaultDid'
      $args:
        - agent:
            $ref: /agent

keyManager:
  $require: '@veramo/key-manager#KeyManager'
  $args:
    - store:
        $require: '@veramo/data-store#KeyStore'
        $args:
          - $ref: /dbConnection
      kms:
        local:
          $require: '@veramo/kms-local#KeyManagementSystem'
          $args:
            - $require: '@veramo/data-store#PrivateKeyStore'
              $args:
                - $ref: /dbConnection
                - $require: '@veramo/kms-local#SecretBox'
                  $args:
                    - $ref: /constants/secretKey

didManager:
  $require: '@veramo/did-manager#DIDManager'
  $args:
    - store:
        $require: '@veramo/data-store#DIDStore'
        $args:
          - $ref: /dbConnection
      defaultProvider: did:key
      providers:
        did:key:
          $require: '@veramo/did-provider-key#KeyDIDProvider'
          $args:
            - defaultKms: local
        did:web:
          $require: '@veramo/did-provider-web#WebDIDProvider'
          $args:
            - defaultKms: local

didResolver:
  $require: '@veramo/did-resolver#DIDResolverPlugin'
  $args:
    - key:
        $require: '@veramo/did-provider-key?t=function&p=/key#getDidKeyResolver'
      web:
        $require: web-did-resolver?t=function&p=/web#getResolver

credentialPlugin:
  $require: '@veramo/credential-w3c#CredentialPlugin'
  $args:
    - - $require: '@veramo/credential-jwt#CredentialProviderJWT'

agent:
  $require: '@veramo/core#Agent'
  $args:
    - schemaValidation: false
      plugins:
        - $ref: /didResolver
        - $ref: /keyManager
        - $ref: /didManager
        - $ref: /credentialPlugin
        - $require: '@veramo/data-store#DataStore'
          $args:
            - $ref: /dbConnection
        - $require: '@veramo/data-store#DataStoreORM'
          $args:
            - $ref: /dbConnection
`

type VeramoAgent = TAgent<IDIDManager & IKeyManager & IResolver>

describe('creating an agent', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())
  const veramoFile = (name: string) =>
    folder.write(`${name}.yml`, VERAMO_FILE.replace('DATABASE_FILE', `${folder.path}/${name}.sqlite`))

  it("accepts a configuration file of Veramo's command line", async () => {
    const configuration = await loadConfiguration(await veramoFile('veramo'))
    const [agent, connection] = (await configuration.build('/agent', '/dbConnection')) as [
      VeramoAgent,
      { initialize(): Promise<unknown>; destroy(): Promise<void> },
    ]
    await connection.initialize()
    try {
      const { did }: IIdentifier = await agent.didManagerCreate()
      assert.match(did, /^did:key:z/)
      const { didDocument } = await agent.resolveDid({ didUrl: did })
      assert.equal(didDocument?.id, did)
      assert.equal((await agent.didManagerFind()).length, 1)
    } finally {
      await connection.destroy()
    }
    assert.equal(configuration.notices.length, 3, configuration.notices.join('\n'))
    assert.ok(configuration.notices.every((notice) => notice.includes('@veramo/data-store#')))
  })

  it('shows no secrets in its errors', async () => {
    const text = VERAMO_FILE.replace('#KeyManager\n', '#KeyManger\n').replace(
      'secretKey: 297',
      'secretKey: [nonsense-297',
    )
    const file = await folder.write('wrong.yml', text)
    assert.doesNotMatch((await configurationError(loadConfiguration(file))).message, /nonsense|aa830c/)
  })

  it('starts what was built', async () => {
    await folder.write(
      'plugin.mjs',
      'export class P { methods = { started: async () => this.on }; on = false; lifecycle = { start: async () => { this.on = true } } }',
    )
    const file = await folder.write(
      'small.yml',
      "version: 3\nagent: { $require: '@veramo/core#Agent', $args: [{ plugins: [{ $require: './plugin.mjs#P' }] }] }",
    )
    const agent = await createAgentFromConfig(file)
    assert.equal(await agent.execute('started', {}), true)
  })

  it('refuses anything that is not an agent', async () => {
    const file = await folder.write('none.yml', 'version: 3\nagent: { plugins: [] }')
    assert.match(
      (await configurationError(createAgentFromConfig(file))).message,
      /agent: this is not an agent/,
    )
  })
})
