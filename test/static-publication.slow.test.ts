import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list'
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { Verifier } from './behaviour/verifier.js'
import { Client } from './support/client.js'
import { Nginx, nginxPath } from './support/nginx.js'
import { root } from './support/repository.js'
import { endOfVidimus, Service } from './support/service.js'
import { didOf, listOf, publishesIntoFolder, publishing } from './support/static-publication-suite.js'

publishesIntoFolder('PostgreSQL')

const configure = publishing('directory')

const load = async (name: string): Promise<unknown> => import(name)

interface Issued {
  jwt: string
  revoked: boolean
}

describe('static publication served by nginx alone', () => {
  let folder: string
  let nginx: Nginx | undefined
  let resolver: string
  const issued = new Map<string, Issued[]>()
  const LIST_TYPES = ['BitstringStatusList', 'StatusList2021', 'TokenStatusList']

  before(async function () {
    if (nginxPath() === undefined) {
      assert.equal(process.env.CI, undefined, 'nginx is missing: apt-get install nginx-light, or NGINX_PATH')
      this.skip()
    }
    folder = await mkdtemp(join(tmpdir(), 'vidimus-published-'))
    const options = { configure, environment: { VIDIMUS_PUBLISH_DIRECTORY: folder } }
    const service = await Service.start(options)
    const client = await Client.of(service.url, service.apiKey)
    const did = await didOf(client)
    for (const listType of LIST_TYPES) {
      const { statusListName } = await listOf(client, did, listType)
      const ofList: Issued[] = []
      for (let n = 0; n < 6; n += 1) {
        const { proof } = (await client.ok('POST', '/credential/issue', {
          json: {
            issuerDid: did,
            attributes: { n },
            credentialStatus: { did, statusListName, statusPurpose: 'revocation' },
          },
        })) as { proof: { jwt: string } }
        ofList.push({ jwt: proof.jwt, revoked: n % 2 === 1 })
        if (n % 2 === 1) {
          await client.ok('POST', '/credential/revoke', {
            json: { credential: proof.jwt, publication: 'wait' },
          })
        }
      }
      issued.set(listType, ofList)
    }
    assert.match(await service.command('publish', '--verify'), /^\d+ compared, 0 files differ/)
    await rm(join(folder, 'status-lists'), { recursive: true })
    const found = await endOfVidimus(['publish', '--verify', '--json'], {
      ...options,
      dataDirectory: service.dataDirectory,
    })
    assert.equal(found.code, 1)
    assert.ok((JSON.parse(found.printed) as { differences: unknown[] }).differences.length > 0)
    assert.match(await service.command('publish', '--all'), /^(\d+) of \1 republished: directory /)
    // From here on there is nothing but files.
    await service.stop()
    nginx = await Nginx.start(folder)
    resolver = `${nginx.url}/1.0/identifiers/`
  })
  after(async () => {
    await nginx?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const keyOf = async (kid: string) => {
    const [did = ''] = kid.split('#')
    const response = await fetch(`${resolver}${did}?transformKeys=JsonWebKey2020`, {
      headers: { accept: 'application/did+ld+json' },
    })
    const { verificationMethod } = (await response.json()) as {
      verificationMethod: { id: string; publicKeyJwk: JWK }[]
    }
    const method = verificationMethod.find(({ id }) => id === kid) ?? assert.fail(`no ${kid}`)
    return importJWK(method.publicKeyJwk, 'EdDSA')
  }
  /** The claims of a credential that jose has verified. */
  const claimsOf = async (jwt: string) => {
    await compactVerify(jwt, await keyOf(decodeProtectedHeader(jwt).kid ?? ''))
    return decodeJwt<{ iss: string; vc: { credentialStatus: never }; status: never }>(jwt)
  }
  const each = async (listType: string, isSet: (jwt: string) => Promise<boolean>) => {
    const credentials = issued.get(listType) ?? assert.fail(listType)
    for (const { jwt, revoked } of credentials) assert.equal(await isSet(jwt), revoked)
    assert.equal(credentials.length, 6)
  }

  it('lets jose and digitalbazaar verify every credential of a BitstringStatusList', () =>
    each('BitstringStatusList', async (jwt) => {
      const { iss, vc } = await claimsOf(jwt)
      return new Verifier(resolver).isSet(iss, vc.credentialStatus)
    }))

  it('lets jose and digitalbazaar verify every credential of a StatusList2021', () =>
    each('StatusList2021', async (jwt) => {
      const { vc } = await claimsOf(jwt)
      const entry = vc.credentialStatus as { id: string; statusListIndex: string }
      const response = await fetch(resolver + entry.id.replace(/#.*/, ''))
      assert.equal(response.headers.get('content-type'), 'application/json')
      const { StatusList2021: list } = (await response.json()) as { StatusList2021: { encodedList: string } }
      const module = (await load('@digitalbazaar/vc-status-list')) as {
        decodeList(options: { encodedList: string }): Promise<{ getStatus(index: number): boolean }>
      }
      const decoded = await module.decodeList({ encodedList: list.encodedList })
      return decoded.getStatus(Number(entry.statusListIndex))
    }))

  it('lets jose and sd-jwt verify every credential of a TokenStatusList', () =>
    each('TokenStatusList', async (jwt) => {
      const claims = await claimsOf(jwt)
      const { status_list: entry } = claims.status as { status_list: { uri: string; idx: number } }
      const response = await fetch(resolver + entry.uri, {
        headers: { accept: 'application/statuslist+jwt' },
      })
      assert.equal(response.headers.get('content-type'), 'application/statuslist+jwt')
      const list = await response.text()
      await compactVerify(list, await keyOf(decodeProtectedHeader(list).kid ?? ''))
      return getListFromStatusListJWT(list).getStatus(entry.idx) !== 0
    }))

  it('is accepted by the example verifier', async () => {
    const file = join(root, 'examples/verifier/verify.mjs')
    for (const { jwt, revoked } of (issued.get('BitstringStatusList') ?? []).slice(0, 2)) {
      const child = execFile(process.execPath, [file, jwt], { env: { ...process.env, RESOLVER: resolver } })
      const [code] = (await once(child, 'close')) as [number]
      assert.equal(code, revoked ? 1 : 0)
    }
  })

  it('has headers, compression on request, and 304 for cached copies', async () => {
    const [{ jwt } = assert.fail()] = issued.get('TokenStatusList') ?? []
    const { status_list: entry } = decodeJwt<{ status: { status_list: { uri: string } } }>(jwt).status
    const url = resolver + encodeURIComponent(entry.uri)
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    assert.equal(plain.headers.get('access-control-allow-origin'), '*')
    assert.equal(plain.headers.get('cache-control'), 'public, no-cache')
    assert.equal(plain.headers.get('vary'), 'accept, accept-encoding')
    const gzip = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(gzip.headers.get('content-encoding'), 'gzip')
    assert.equal(await gzip.text(), await plain.text())
    const etag = plain.headers.get('etag') ?? ''
    const known = await fetch(url, { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } })
    assert.equal(known.status, 304)
    const asked = await fetch(url, { method: 'OPTIONS' })
    assert.deepEqual([asked.status, asked.headers.get('access-control-allow-methods')], [204, 'GET, HEAD'])
    for (const path of [
      '/.vidimus/nginx-server.conf',
      '/1.0/identifiers/did:cheqd:testnet:x',
      '/status-lists/x',
    ]) {
      assert.equal((await fetch((nginx?.url ?? '') + path)).status, 404, path)
    }
  })
})
