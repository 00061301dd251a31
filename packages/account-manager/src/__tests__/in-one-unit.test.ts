import assert from 'node:assert/strict'
import { KeyManagementSystem } from '@veramo/kms-local'
import { KeyManager } from '@veramo/key-manager'
import { inOneUnit } from '../index.js'
import { hasCode, install, removeFolder, temporaryFolder, type Installation } from './set-up.js'

describe('a key manager in one unit', () => {
  let folder: string
  let installation: Installation
  before(async () => {
    folder = await temporaryFolder()
    installation = await install(folder)
  })
  after(async () => {
    await installation.stop()
    await removeFolder(folder)
  })

  it('hands no algorithm but those of the service to a KMS, whichever that is', async () => {
    const { unit, keyStore, privateKeyStore } = installation
    const kms = { local: new KeyManagementSystem(privateKeyStore) }
    const { methods = {} } = inOneUnit(unit, new KeyManager({ store: keyStore, kms }))
    const sign = (args: object) => methods.keyManagerSign?.({ keyRef: 'any', data: 'x', ...args }, {})
    for (const algorithm of [
      'eth_signTypedData',
      'EthereumEip712Signature2021',
      'signTx',
      'ES256K-R',
      '',
      null,
    ]) {
      await assert.rejects(async () => sign({ algorithm }), hasCode('invalid_input'), String(algorithm))
    }
    const transaction = { to: null, value: 1 }
    await assert.rejects(
      async () => methods.keyManagerSignEthTX?.({ kid: 'any', transaction }, {}),
      hasCode('invalid_input'),
    )
    // The others reach the store.
    for (const algorithm of [undefined, 'EdDSA', 'Ed25519', 'ES256', 'ES256K']) {
      await assert.rejects(async () => sign({ algorithm }), hasCode('no_account_scope'), String(algorithm))
    }
  })
})
