import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { parseLog } from '../did-log.js'
import { verifyLog } from '../verified-log.js'

/** Made by did-webvh 1.0.1 for Python: two changes of a DID. */
const history = readFileSync(new URL('./vectors/history.jsonl', import.meta.url))

describe('a DID log created by another implementation', () => {
  it('verifies in every version', async () => {
    const log = parseLog(history)
    const did = log.entries[0]?.state.id ?? ''
    const expected = { did, scid: did.split(':')[2] ?? '', witnessProofs: [] }
    for (const versionNumber of [1, 2, 3]) {
      const { document, metadata } = await verifyLog(log, { ...expected, version: { versionNumber } })
      assert.equal(document?.id, did)
      assert.equal(metadata.versionId, log.entries[versionNumber - 1]?.versionId)
    }
    const { document } = await verifyLog(log, { ...expected, version: {} })
    assert.equal(document?.service?.[0]?.serviceEndpoint, 'https://issuer.example.com')
  })
})
