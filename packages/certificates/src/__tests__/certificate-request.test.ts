import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createPublicKey, sign, verify } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { certificateRequest } from '../certificate-request.js'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe('certificate request', () => {
  for (const type of ['Ed25519', 'Secp256r1', 'Secp256k1'] as const) {
    it(`is signed by its own ${type} key`, async () => {
      for (let n = 0; n < 20; n += 1) {
        const { privateKey, jwk, publicKeyHex } = outsideKey(type)
        const digest = type === 'Ed25519' ? null : 'sha256'
        const pem = await certificateRequest({ type, publicKeyHex }, async (data) =>
          Promise.resolve(sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
        )
        const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
        const request = AsnConvert.parse(der, CertificationRequest)
        const info = Buffer.from(request.certificationRequestInfoRaw ?? new ArrayBuffer(0))
        const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
        const spki = key.export({ type: 'spki', format: 'der' })
        assert.ok(info.includes(spki), 'it holds the key as OpenSSL writes it')
        assert.ok(verify(digest, info, key, Buffer.from(request.signature)))
        if (hasOpenssl && n === 0) {
          const { status, stderr } = spawnSync('openssl', ['req', '-verify', '-noout'], { input: pem })
          assert.equal(status, 0, String(stderr))
        }
      }
    })
  }

  it('requires a key that can sign', async () => {
    const { publicKeyHex } = outsideKey('X25519')
    await assert.rejects(
      certificateRequest({ type: 'X25519', publicKeyHex }, () => Promise.reject(new Error())),
      RangeError,
    )
  })
})
