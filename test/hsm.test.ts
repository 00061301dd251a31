import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { Database } from '@vidimus/database'
import { sql } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { Party, pemOf, uri } from '../packages/certificates/src/__tests__/authority.js'
import { Client } from './support/client.js'
import { assertRefused } from './support/refused.js'
import { NO_SOFT_HSM, SoftHsm } from './support/soft-hsm.js'
import { until } from './support/until.js'
import { VaultDouble } from './support/vault-double.js'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { createDid, createList } from './behaviour/suite.js'

const root = resolve(import.meta.dirname, '..')
const ENVIRONMENT = { PORT: '0', LOG_LEVEL: 'silent' }

interface ListedKms {
  name: string
  isDefault: boolean
  keyTypes?: string[]
  importsKeys?: boolean
}

interface Kms {
  /** under which keys remember it */
  name: string
  /** of agent.yml */
  configuration(): Promise<string> | string
  environment(): Record<string, string>
  before?(): Promise<void>
  after?(): Promise<void>
  /** why it is not tried on this machine */
  obstacle?: string | undefined
}

const opaque: Kms = {
  name: 'local',
  async configuration() {
    const standard = await readFile(join(root, 'agent.yml'), 'utf8')
    const line =
      "  $require: '@vidimus/kms-node#NodeKeyManagementSystem'\n  $args: [{ $ref: /privateKeyStore }]\n"
    assert.ok(standard.includes(line), 'docs/hsm.md and this test name other lines than agent.yml')
    const kms = join(import.meta.dirname, 'support/opaque-key-management-system.ts')
    return standard.replace(line, `  $require: '${kms}#OpaqueKeyManagementSystem'\n`)
  },
  environment: () => ({}),
}

let token: SoftHsm | undefined
const pkcs11: Kms = {
  name: 'pkcs11',
  obstacle: SoftHsm.library() === undefined ? NO_SOFT_HSM : undefined,
  configuration: () =>
    startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'pkcs11', publish: 'none' }),
  environment: () => ({
    PKCS11_LIBRARY: token?.library ?? '',
    PKCS11_TOKEN: 'the service',
    PKCS11_PIN: SoftHsm.pin,
  }),
  before: async () => {
    token = await SoftHsm.withToken('the service')
  },
  after: async () => token?.remove(),
}

let double: VaultDouble | undefined
const vault: Kms = {
  name: 'vault',
  configuration: () =>
    startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'vault', publish: 'none' }),
  environment: () => ({ VAULT_ADDR: double?.url ?? '', VAULT_TOKEN: double?.token() ?? '' }),
  before: async () => {
    double = await VaultDouble.start()
  },
  after: async () => double?.stop(),
}

for (const kms of [opaque, pkcs11, vault]) {
  describe(`keys in a KMS that never reveals private keys (${kms.name})`, () => {
    let folder: string
    let configuration: Configuration | undefined
    let database: Database
    let accounts: Accounts
    let client: Client

    before(async function () {
      if (kms.obstacle !== undefined) {
        if (process.env.CI) throw new Error(kms.obstacle)
        this.skip()
      }
      folder = await mkdtemp(join(tmpdir(), 'vidimus-hsm-'))
      await kms.before?.()
      const file = join(folder, 'agent.yml')
      // The root of its certificate is made by the test.
      const text = await kms.configuration()
      await writeFile(file, text.replace('unanchoredCertificates: false', 'unanchoredCertificates: true'))
      configuration = await loadConfiguration(file, {
        environment: { ...ENVIRONMENT, VIDIMUS_DATA_DIR: folder, ...kms.environment() },
        resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
      })
      const [ofService, server, built] = (await configuration.build('/accounts', '/server', '/database')) as [
        Accounts,
        RemoteServer,
        Database,
      ]
      database = built
      accounts = ofService
      await configuration.start()
      const { url } = await server.listen()
      const firstKey = await accounts.firstStart()
      client = await Client.of(url, firstKey?.apiKey)
    })
    after(async () => {
      await configuration?.stop()
      await kms.after?.()
      if (folder) await rm(folder, { recursive: true, force: true })
    })

    it('create DIDs and sign lists, credentials and presentations, with no private key stored', async () => {
      const did = await createDid(client)
      const list = await createList(client)
      const { changed } = (await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { ...list, indices: [42] },
      })) as { changed: number[] }
      assert.deepEqual(changed, [42])
      const credential = (await client.ok('POST', '/credential/issue', {
        json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
      })) as { proof: { jwt: string } }
      const presentation = (await client.ok('POST', '/presentation/create', {
        json: { credentials: [credential.proof.jwt], holderDid: did },
      })) as { proof: { jwt: string } }
      const { verified } = (await client.ok('POST', '/presentation/verify', {
        json: { presentation: presentation.proof.jwt },
      })) as { verified: boolean }
      assert.equal(verified, true)
      assert.deepEqual(await database.query(sql`SELECT alias FROM "private-key"`), [])
    })

    const withP256 = kms === opaque ? () => undefined : it
    withP256('request and carry certificates', async () => {
      const { kid } = (await client.ok('POST', '/key/create', {
        query: { type: 'Secp256r1' },
        json: { kms: kms.name },
      })) as { kid: string }
      const { certificateRequest } = (await client.ok('POST', '/key/csr', { json: { kid } })) as {
        certificateRequest: string
      }
      const der = Buffer.from(certificateRequest.replace(/-----[^-]+-----|\s/g, ''), 'base64')
      const request = AsnConvert.parse(der, CertificationRequest)
      const signed = Buffer.from(request.certificationRequestInfoRaw ?? new ArrayBuffer(0))
      const publicKey = Buffer.from(AsnConvert.serialize(request.certificationRequestInfo.subjectPKInfo))
      const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' })
      assert.ok(verify('sha256', signed, key, Buffer.from(request.signature)))
      const leaf = Party.root('Root').certify('Issuer', { publicKey, names: [uri('https://issuer.example')] })
      const carried = await client.ok('POST', '/key/certificate', {
        json: { kid, certificateChain: pemOf(leaf) },
      })
      assert.equal((carried as { kid: string }).kid, kid)
    })

    const withDelay = kms === vault ? it : () => undefined
    withDelay('signs a version once for all who update a list while signatures take 150 ms', async () => {
      assert.ok(double)
      const list = await createList(client)
      const before = double.signed.length
      double.signatureMs = 150
      const answers = (await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          client.ok('POST', '/credential-status/update/unencrypted', {
            query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
            json: { ...list, indices: [index] },
          }),
        ),
      )) as { resourceMetadata: { resourceId: string } }[]
      double.signatureMs = 0
      const versions = new Set(answers.map(({ resourceMetadata }) => resourceMetadata.resourceId)).size
      assert.ok(versions <= 6, `${versions} versions of 60 updates`)
      // the list, and the message to the ledger
      assert.equal(double.signed.length - before, 2 * versions)
    })

    it('are created in a chosen KMS, with the known ones listed in errors', async () => {
      const made = (await client.ok('POST', '/key/create', { json: { kms: kms.name } })) as { kms: string }
      assert.equal(made.kms, kms.name)
      const did = (await client.ok('POST', '/did/create', {
        json: { network: 'testnet', kms: kms.name },
      })) as { keys: { kms: string }[] }
      assert.deepEqual(
        did.keys.map((key) => key.kms),
        [kms.name],
      )
      for (const path of ['/key/create', '/did/create']) {
        assertRefused(
          await client.post(path, {
            json: { kms: 'cloud', ...(path === '/did/create' && { network: 'testnet' }) },
          }),
          {
            code: 'invalid_input',
            path: 'kms',
            says: /must be one of the configured KMSs: local/,
          },
        )
      }
    })

    it("are created in the account's KMS, and its capabilities are listed", async () => {
      const list = async () => {
        const { kms: listed } = (await client.ok('GET', '/key/kms')) as { kms: ListedKms[] }
        return Object.fromEntries(listed.map((one) => [one.name, one])) as Partial<Record<string, ListedKms>>
      }
      const usual = await list()
      assert.equal(usual[kms.name]?.isDefault, true)
      assert.equal(usual[kms.name]?.importsKeys, kms === opaque ? undefined : false)
      assert.deepEqual(usual[kms.name]?.keyTypes?.includes('Ed25519'), kms === opaque ? undefined : true)
      await accounts.update('default', {}, { kms: 'local' })
      assert.equal((await list()).local?.isDefault, true)
      const [key, did, ofAgent] = (await Promise.all([
        client.ok('POST', '/key/create', { json: {} }),
        client.ok('POST', '/did/create', { json: { network: 'testnet' } }),
        client.ok('POST', '/agent/didManagerCreate', { json: {} }),
      ])) as [{ kms: string }, { keys: { kms: string }[] }, { keys: { kms: string }[] }]
      assert.deepEqual(
        [key, ...did.keys, ...ofAgent.keys].map((made) => made.kms),
        ['local', 'local', 'local'],
      )
      const named = (await client.ok('POST', '/key/create', { json: { kms: kms.name } })) as {
        kms: string
      }
      assert.equal(named.kms, kms.name)
      await accounts.update('default', {}, { kms: null })
      assert.deepEqual(await list(), usual)
    })

    it('can take over a DID with a key elsewhere, whose earlier signatures still verify', async () => {
      const { did } = (await client.ok('POST', '/did/create', {
        json: { network: 'testnet', kms: 'local' },
      })) as { did: string }
      const { statusListName } = await createList(client, { did })
      const credentialStatus = { statusListName, statusPurpose: 'revocation' }
      const issue = async () =>
        (
          (await client.ok('POST', '/credential/issue', {
            json: { issuerDid: did, attributes: { degree: 'Master' }, credentialStatus },
          })) as { proof: { jwt: string } }
        ).proof.jwt
      const before = await issue()
      const { publicKeyHex } = (await client.ok('POST', '/key/create', { json: { kms: kms.name } })) as {
        publicKeyHex: string
      }
      const x = Buffer.from(publicKeyHex, 'hex').toString('base64url')
      const method = {
        id: `${did}#key-2`,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x },
      }
      await client.ok('POST', '/1.0/update', {
        json: {
          did,
          didDocumentOperation: ['addToDidDocument', 'removeFromDidDocument', 'addToDidDocument'],
          didDocument: [
            { verificationMethod: [method], authentication: ['#key-2'], assertionMethod: ['#key-2'] },
            { authentication: ['#key-1'], assertionMethod: ['#key-1'] },
            { assertionMethod: ['#key-1'] },
          ],
        },
      })
      const after = await issue()
      assert.deepEqual([before, after].map(methodOf), [`${did}#key-1`, `${did}#key-2`])
      await client.ok('POST', '/credential/revoke', { json: { credential: after } })
      const verdicts = await Promise.all(
        [before, after].map((credential) =>
          client.ok('POST', '/credential/verify', { json: { credential } }),
        ),
      )
      assert.deepEqual(
        verdicts.map((verdict) => (verdict as { verified: boolean }).verified),
        [true, false],
      )
    })

    it('can take over a DID in one operation that re-signs its lists', async () => {
      const { did } = (await client.ok('POST', '/did/create', {
        json: { network: 'testnet', kms: 'local' },
      })) as { did: string }
      const { statusListName } = await createList(client, { did })
      const rotation = (await client.ok('POST', '/did/rotate-key', {
        json: { did, kms: kms.name, gracePeriod: 'PT0S' },
      })) as { kms: string; key: string }
      assert.equal(rotation.kms, kms.name)
      await until(
        async () => ((await client.ok('GET', `/did/rotations/${did}`)) as { state: string }).state === 'done',
      )
      const { didDocument } = (await client.ok('GET', `/did/search/${did}`)) as {
        didDocument: { assertionMethod: string[]; verificationMethod: { id: string }[] }
      }
      assert.equal(didDocument.verificationMethod.length, 1)
      const list = await fetch(
        `${client.url}/1.0/identifiers/${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`,
        { headers: { accept: 'application/vc+jwt' } },
      )
      assert.equal(methodOf(await list.text()), didDocument.assertionMethod[0])
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { did, statusListName, indices: [3] },
      })
    })

    it('cannot be imported, and the error says so', async () => {
      assertRefused(await client.post('/key/import', { json: { privateKeyHex: 'a7'.repeat(32) } }), {
        code: 'invalid_input',
        path: 'privateKeyHex',
        says: /takes no private keys|does not import keys/,
      })
    })
  })
}

/** The verification method that a JWT names. */
function methodOf(jwt: string): unknown {
  const [header = ''] = jwt.split('.')
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: unknown }).kid
}
