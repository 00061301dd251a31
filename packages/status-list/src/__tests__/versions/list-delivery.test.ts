import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { createAgent } from '@veramo/core'
import type { IStatusListDelivery, StatusListType } from '@vidimus/core-types'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { deliveryOf } from '../../versions/list-delivery.js'
import { StatusList2021 } from '../../types/status-list-2021.js'
import { StatusListPlugin } from '../../status-list-plugin.js'
import { refused } from '../refused.js'

const types = [StatusList2021, BitstringStatusList]
const BITSTRING = 'BitstringStatusListCredential'
const base64Url = (text: string) => Buffer.from(text).toString('base64url')
const encodedList = gzipSync(Buffer.alloc(16_384)).toString('base64url')

const jwt = (subject: object, members: object = {}) => {
  const claims = {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiableCredential', BITSTRING],
    issuer: 'did:example:a',
    ...members,
    credentialSubject: {
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${encodedList}`,
      ...subject,
    },
  }
  const header = { typ: 'vc+jwt', alg: 'EdDSA' }
  return base64Url(`${base64Url(JSON.stringify(header))}.${base64Url(JSON.stringify(claims))}.c2ln`)
}
const list2021 = (members: object = {}, encrypted = false) =>
  base64Url(
    JSON.stringify({
      StatusList2021: { statusPurpose: 'suspension', encodedList, ...members },
      metadata: { encoding: 'base64url', encrypted },
    }),
  )
const older = base64Url(
  JSON.stringify({
    bitstringStatusListCredential: {
      expirationDate: '2030-01-01T00:00:00Z',
      credentialSubject: { statusPurpose: 'message', encodedList },
    },
    metadata: {},
  }),
)

describe('deliveryOf', () => {
  const delivery = (resourceType: string, data: string) => deliveryOf(types, { resourceType, data })

  it('returns the media type of signed lists and how long a copy may be used', () => {
    const validUntil = '2030-01-01T00:00:00Z'
    assert.deepEqual(delivery(BITSTRING, jwt({})), { mediaType: 'application/vc+jwt' })
    assert.deepEqual(delivery(BITSTRING, jwt({ ttl: 300_000 }, { validUntil })), {
      mediaType: 'application/vc+jwt',
      ttlMs: 300_000,
      validUntil,
    })
  })

  it('does not use the media type of signed lists for the older layout', () => {
    assert.deepEqual(delivery(BITSTRING, older), { validUntil: '2030-01-01T00:00:00Z' })
  })

  it('recognises JSON lists, including encrypted ones', () => {
    assert.deepEqual(delivery('StatusList2021Suspension', list2021()), {})
    const validUntil = '2030-01-01T00:00:00Z'
    assert.deepEqual(delivery('StatusList2021Revocation', list2021({ validUntil }, true)), { validUntil })
  })

  it('ignores other resources', () => {
    assert.equal(delivery('Picture', jwt({})), null)
    assert.equal(delivery('StatusList2021Revocation', jwt({})), null)
    for (const data of ['', 'AA', base64Url('{}'), base64Url('a.b.c')]) {
      assert.equal(delivery(BITSTRING, data), null)
    }
  })

  it('uses the media type of types that do not sign', () => {
    const type = { ...StatusList2021, mediaType: 'application/acme+json' } as StatusListType
    const data = list2021()
    assert.deepEqual(deliveryOf([type], { resourceType: 'StatusList2021Suspension', data }), {
      mediaType: 'application/acme+json',
    })
  })

  it('passes on the failure of a type', () => {
    const parse = () => {
      throw new TypeError('a mistake of the type')
    }
    const type = { ...BitstringStatusList, parse } as StatusListType
    assert.throws(() => deliveryOf([type], { resourceType: BITSTRING, data: 'AA' }), TypeError)
  })
})

describe('statusListDelivery', () => {
  it('is an agent method', async () => {
    const agent = createAgent<IStatusListDelivery>({ plugins: [new StatusListPlugin({ types })] })
    assert.deepEqual(await agent.statusListDelivery({ resourceType: BITSTRING, data: jwt({ ttl: 1000 }) }), {
      mediaType: 'application/vc+jwt',
      ttlMs: 1000,
    })
    assert.equal(await agent.statusListDelivery({ resourceType: 'Picture', data: 'AA' }), null)
    await refused(() => agent.statusListDelivery({ resourceType: 5 } as never), {
      code: 'invalid_input',
      path: 'resourceType',
    })
  })
})
