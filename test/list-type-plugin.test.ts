import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { Client } from './support/client.js'
import { PLUGIN_TYPE, withPluginType } from './support/plugin-type.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'

const listType = PLUGIN_TYPE

interface Published {
  resource: { jwt: string; revocationList2020Credential: { credentialSubject: { encodedList: string } } }
  resourceMetadata: { resourceType: string; previousVersionId: string | null }
}

/** A list type of another author, in a service that knows of it by a line in agent.yml alone. */
describe('an external list type', () => {
  let service: Service
  let client: Client
  let did: string
  const list = () => ({ did, statusListName: 'staff' })
  const update = (statusAction: string, indices: number[]) =>
    client.post('/credential-status/update/unencrypted', {
      query: { listType, statusAction },
      json: { ...list(), indices },
    })

  before(async () => {
    service = await Service.start({ configure: withPluginType })
    client = await Client.of(service.url, service.apiKey)
    const created = (await client.ok('POST', '/did/create', { json: { network: 'testnet' } })) as {
      did: string
    }
    did = created.did
    await client.ok('POST', '/credential-status/create/unencrypted', {
      query: { listType, statusPurpose: 'revocation' },
      json: list(),
    })
  })
  after(() => service.stop())

  it('is updated, checked and found like any other', async () => {
    const answer = await update('revoke', [0, 9])
    assert.equal(answer.status, 200)
    const { changed, revoked, resourceMetadata } = answer.body as Published & {
      changed: number[]
      revoked: boolean
    }
    assert.deepEqual([changed, revoked], [[0, 9], true])
    assert.equal(resourceMetadata.resourceType, 'RevocationList2020Credential')
    assert.ok(resourceMetadata.previousVersionId)
    const checked = (await client.ok('POST', '/credential-status/check', {
      query: { listType, statusPurpose: 'revocation' },
      json: { ...list(), indices: [0, 1, 9] },
    })) as { results: { revoked: boolean }[] }
    assert.deepEqual(
      checked.results.map(({ revoked }) => revoked),
      [true, false, true],
    )
    const { resource } = (await client.ok('GET', '/credential-status/search', {
      query: { ...list(), listType },
    })) as Published
    assert.equal(decodeProtectedHeader(resource.jwt).kid, `${did}#key-1`)
    assert.equal(decodeJwt(resource.jwt).iss, did)
    const { encodedList } = resource.revocationList2020Credential.credentialSubject
    const bits = gunzipSync(Buffer.from(encodedList, 'base64url'))
    assert.deepEqual([...bits.subarray(0, 2)], [0b1000_0000, 0b0100_0000])
  })

  it('shares updates, and refuses impossible ones', async () => {
    const indices = Array.from({ length: 40 }, (_, n) => 100 + n)
    const answers = await Promise.all(indices.map((index) => update('revoke', [index])))
    assert.ok(answers.every(({ status }) => status === 200))
    assertRefused(await update('reinstate', [100]), { code: 'irreversible', path: 'indices[0]' })
    assertRefused(await update('suspend', [1]), { code: 'purpose_mismatch', path: 'statusAction' })
    assertRefused(await update('explode', [1]), { code: 'unknown_action', path: 'statusAction' })
    assertRefused(await update('revoke', [131_072]), { code: 'index_out_of_range', path: 'indices[0]' })
  })

  it('decides about credentials with its entries', async () => {
    const url = `${did}?resourceName=staff&resourceType=RevocationList2020Credential`
    const credentialStatus = {
      id: `${url}#5`,
      type: 'RevocationList2020Status',
      revocationListIndex: '5',
      revocationListCredential: url,
    }
    const { proof } = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { name: 'Bob' }, credentialStatus },
    })) as { proof: { jwt: string } }
    const verified = async () => {
      const answer = await client.ok('POST', '/credential/verify', { json: { credential: proof.jwt } })
      return (answer as { verified: boolean }).verified
    }
    assert.equal(await verified(), true)
    await update('revoke', [5])
    assert.equal(await verified(), false)
  })
})
