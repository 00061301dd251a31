import assert from 'node:assert/strict'
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { search, update } from './status-list.js'
import { createDid, createList, type Setup } from './suite.js'

interface BitstringClass {
  new (options: { buffer: Uint8Array }): { get(index: number): boolean }
  decodeBits(options: { encoded: string }): Promise<Uint8Array>
}
// The package comes without types.
const load = async (name: string): Promise<unknown> => import(name)

interface Published {
  resource: { jwt: string }
}

/** A list conforms to the Recommendation according to independent libraries. */
export function publishedListSuite({ client }: Setup): void {
  it('is a signed vc+jwt whose bits an independent library reads, after every update', async () => {
    const did = await createDid(client(), { verificationMethodType: 'JsonWebKey2020' })
    const { didDocument } = (await client().ok('GET', `/did/search/${did}`)) as {
      didDocument: { verificationMethod: { publicKeyJwk: JWK }[] }
    }
    const key = await importJWK(didDocument.verificationMethod[0]?.publicKeyJwk ?? {}, 'EdDSA')
    const list = await createList(client(), { did })
    for (const [indices, set] of [
      [
        [0, 7],
        [0, 7],
      ],
      [[131071], [0, 7, 131071]],
    ] as const) {
      await update(client(), list, [...indices])
      const { jwt } = ((await search(client(), list)) as unknown as Published).resource
      const { payload } = await compactVerify(jwt, key)
      assert.equal(decodeProtectedHeader(jwt).typ, 'vc+jwt')
      assert.equal(decodeProtectedHeader(jwt).kid, `${did}#key-1`)
      const credential = JSON.parse(new TextDecoder().decode(payload)) as {
        type: string[]
        issuer: string
        credentialSubject: { type: string; statusPurpose: string; encodedList: string }
      }
      assert.ok(credential.type.includes('BitstringStatusListCredential'))
      assert.equal(credential.issuer, did)
      const { encodedList } = credential.credentialSubject
      assert.ok(encodedList.startsWith('u'))
      const { Bitstring } = (await load('@digitalbazaar/bitstring')) as { Bitstring: BitstringClass }
      const bytes = await Bitstring.decodeBits({ encoded: encodedList.slice(1) })
      const bits = new Bitstring({ buffer: new Uint8Array(bytes) })
      for (const index of [0, 1, 7, 8, 131070, 131071]) {
        assert.equal(bits.get(index), (set as readonly number[]).includes(index), String(index))
      }
      const [header = '', body = '', signature = ''] = jwt.split('.')
      const forged = `${header}.${body.slice(0, -8)}${body.slice(-8).split('').reverse().join('')}.${signature}`
      await assert.rejects(compactVerify(forged, key))
    }
  })
}
