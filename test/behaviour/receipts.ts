import assert from 'node:assert/strict'
import { verifyReceipt, type ReceiptVerdict, type StatusReceipt } from '@vidimus/client'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import type { Client } from '../support/client.js'
import { createDid, createList, freshName, listTypesOn, type Setup } from './suite.js'

const TYP = 'status-receipt+jwt'
const VERIFY = '/credential-status/receipts/verify'

interface Updated {
  receipt?: string
  changed: number[]
  resourceMetadata: { resourceId: string; resourceVersion: string; checksum: string }
}
interface List {
  did: string
  statusListName: string
}
interface Verdict {
  verified: boolean
  receipt?: StatusReceipt
  checks: { check: string; ok: boolean }[]
  problems?: { path: string; message: string }[]
}

/** The receipts of updates: verified here, and offline with fetched evidence. */
export function receiptSuite(setup: Setup): void {
  const { client, stranger } = setup

  const update = async (list: List, statusAction: string, indices: number[], more: object = {}) => {
    const { listType = 'BitstringStatusList', encrypted = false, ...body } = more as Record<string, unknown>
    return (await client().ok('POST', `/credential-status/update/${encrypted ? '' : 'un'}encrypted`, {
      query: { listType: String(listType), statusAction },
      json: { ...list, indices, receipt: true, ...body },
    })) as Updated
  }
  const receiptOf = ({ receipt }: Updated): string => receipt ?? assert.fail('it has a receipt')
  const verified = async (receipt: string, by: Client = stranger()) =>
    (await by.ok('POST', VERIFY, { json: { receipt } })) as Verdict
  const fetched = async (didUrl: string, accept: string) => {
    const response = await fetch(`${client().url}/1.0/identifiers/${didUrl}`, { headers: { accept } })
    assert.equal(response.status, 200, didUrl)
    return new Uint8Array(await response.arrayBuffer())
  }
  const documentOf = async (did: string) => {
    const text = Buffer.from(await fetched(did, 'application/did-resolution')).toString()
    return (JSON.parse(text) as { didDocument: object }).didDocument
  }
  const versionOf = (did: string, { resourceMetadata }: Updated) =>
    fetched(`${did}/resources/${resourceMetadata.resourceId}`, '*/*')
  /** Without any request: making one fails. */
  const offline = async (receipt: string, evidence: Parameters<typeof verifyReceipt>[1]) => {
    const { fetch: online } = globalThis
    globalThis.fetch = () => assert.fail('a request was made')
    try {
      return await verifyReceipt(receipt, evidence)
    } finally {
      globalThis.fetch = online
    }
  }
  const checksOf = ({ checks }: Verdict | ReceiptVerdict) =>
    checks.map(({ check, ok }) => (ok ? check : `not ${check}`))
  const ALL = ['format', 'signature', 'version', 'status']

  for (const listType of listTypesOn(setup)) {
    it(`is signed by the publisher of a ${listType}, and verifies here and offline`, async () => {
      const list = await createList(client(), { listType })
      const answer = await update(list, 'revoke', [94, 7, 94], { listType, statusListVersion: '2' })
      const receipt = receiptOf(answer)
      const { typ, kid = '' } = decodeProtectedHeader(receipt)
      assert.equal(typ, TYP)
      const { didDocument } = JSON.parse(
        Buffer.from(
          await fetched(`${list.did}?transformKeys=JsonWebKey2020`, 'application/did-resolution'),
        ).toString(),
      ) as { didDocument: { verificationMethod: { id: string; publicKeyJwk: object }[] } }
      const keys = didDocument.verificationMethod.map(({ id, publicKeyJwk }) => ({
        ...publicKeyJwk,
        kid: id,
      }))
      const { payload } = await jwtVerify(receipt, createLocalJWKSet({ keys }), {
        typ: TYP,
        issuer: list.did,
      })
      const { iat, list: address, ...said } = payload
      const { resourceId, checksum } = answer.resourceMetadata
      assert.deepEqual(said, {
        iss: list.did,
        indices: [7, 94],
        action: 'revoke',
        status: 1,
        resourceId,
        resourceVersion: '2',
        checksum,
      })
      assert.ok(kid.startsWith(`${list.did}#`) && Math.abs(Number(iat) - Date.now() / 1000) < 600)
      assert.match(String(address), new RegExp(`^${list.did}\\?resourceName=${list.statusListName}&`))

      const online = await verified(receipt)
      assert.deepEqual([online.verified, checksOf(online)], [true, ALL], JSON.stringify(online))
      for (const document of [didDocument, await documentOf(list.did)]) {
        const content = await versionOf(list.did, answer)
        const verdict = await offline(receipt, { didDocument: document, list: content })
        assert.deepEqual([verdict.verified, checksOf(verdict)], [true, ALL], JSON.stringify(verdict))
        assert.deepEqual(verdict.receipt, online.receipt)
      }
    })
  }

  it('is available for entries that already had the status, and only on request', async () => {
    const list = await createList(client())
    const first = await update(list, 'revoke', [3])
    const again = await update(list, 'revoke', [3])
    assert.deepEqual(again.changed, [])
    assert.equal((await verified(receiptOf(again))).receipt?.resourceId, first.resourceMetadata.resourceId)
    assert.equal((await update(list, 'revoke', [4], { receipt: false })).receipt, undefined)
  })

  it('is also available when revoking a credential', async () => {
    const list = await createList(client())
    const credential = (await client().ok('POST', '/credential/issue', {
      json: {
        issuerDid: list.did,
        attributes: { name: 'Bob' },
        credentialStatus: { statusListName: list.statusListName },
      },
    })) as { id: string; credentialStatus: { statusListIndex: string } }
    const answer = (await client().ok('POST', '/credential/revoke', {
      json: { credentialId: credential.id, receipt: true },
    })) as Updated
    const verdict = await verified(receiptOf(answer))
    assert.equal(verdict.verified, true)
    assert.deepEqual(verdict.receipt?.indices, [Number(credential.credentialStatus.statusListIndex)])
  })

  it('is about one version, whatever comes later', async () => {
    const list = await createList(client(), {
      listType: 'TokenStatusList',
      statusPurpose: ['revocation', 'suspension'],
    })
    const listType = 'TokenStatusList'
    const suspended = await update(list, 'suspend', [8], { listType })
    const reinstated = await update(list, 'reinstate', [8], { listType })
    for (const [answer, status] of [
      [suspended, 2],
      [reinstated, 0],
    ] as const) {
      const verdict = await verified(receiptOf(answer))
      assert.deepEqual([verdict.verified, verdict.receipt?.status], [true, status])
      const evidence = { didDocument: await documentOf(list.did), list: await versionOf(list.did, answer) }
      assert.equal((await offline(receiptOf(answer), evidence)).verified, true)
    }
    const later = { didDocument: await documentOf(list.did), list: await versionOf(list.did, reinstated) }
    const verdict = await offline(receiptOf(suspended), later)
    assert.deepEqual(checksOf(verdict), ['format', 'signature', 'not version'])
  })

  it('is correct for its version even if others change the same entries concurrently', async () => {
    const list = await createList(client(), { statusPurpose: 'suspension' })
    const actions = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? 'suspend' : 'reinstate'))
    const answers = await Promise.all(
      actions.map((action, n) => update(list, action, [5, 6 + (n % 3)], { receipt: n % 3 !== 0 })),
    )
    for (const answer of answers.filter(({ receipt }) => receipt !== undefined)) {
      const verdict = await verified(receiptOf(answer))
      assert.equal(verdict.verified, true, JSON.stringify(verdict))
    }
  })

  it('identifies the version of an encrypted list, whose entries only its readers can see', async () => {
    const list = { did: await createDid(client()), statusListName: freshName('sealed') }
    const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
    await client().ok('POST', '/credential-status/create/encrypted', { query, json: list })
    const answer = await update(list, 'revoke', [5], { encrypted: true })
    const receipt = receiptOf(answer)
    const evidence = { didDocument: await documentOf(list.did), list: await versionOf(list.did, answer) }
    for (const verdict of [
      await verified(receipt),
      await verified(receipt, client()),
      await offline(receipt, evidence),
    ]) {
      assert.deepEqual([verdict.verified, checksOf(verdict)], [true, ['format', 'signature', 'version']])
    }
  })

  it('is refused if it was changed or is something else', async () => {
    const list = await createList(client())
    const answer = await update(list, 'revoke', [5])
    const receipt = receiptOf(answer)
    const other = await createList(client())
    const otherReceipt = receiptOf(await update(other, 'revoke', [5]))
    const [header = '', payload = '', signature = ''] = receipt.split('.')
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const objectIn = (part: string) =>
      JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
    const claims = objectIn(payload)
    const changes: Record<string, unknown> = {
      iss: other.did,
      iat: 1,
      list: `${list.did}?resourceName=x&resourceType=BitstringStatusListCredential`,
      indices: [6],
      action: 'reinstate',
      status: 0,
      resourceId: '00000000-0000-4000-8000-000000000000',
      resourceVersion: 'x',
      checksum: '0'.repeat(64),
    }
    const evidence = { didDocument: await documentOf(list.did), list: await versionOf(list.did, answer) }
    const bytes = Buffer.from(evidence.list)
    const hostile: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [
          `with another ${name}`,
          `${header}.${encoded({ ...claims, [name]: value })}.${signature}`,
        ]),
      ),
      ...Object.fromEntries(
        ['none', 'HS256', 'RS256', 'ES256', 'toString'].map((alg) => [
          `with alg ${alg}`,
          `${encoded({ ...objectIn(header), alg })}.${payload}.${signature}`,
        ]),
      ),
      'without a signature': `${encoded({ ...objectIn(header), alg: 'none' })}.${payload}.`,
      'with the kid of another': `${encoded({ ...objectIn(header), kid: decodeProtectedHeader(otherReceipt).kid })}.${payload}.${signature}`,
      'with the signature of another': `${header}.${payload}.${otherReceipt.split('.')[2]}`,
      'with crit': `${encoded({ ...objectIn(header), crit: ['x'] })}.${payload}.${signature}`,
      'with another typ': `${encoded({ ...objectIn(header), typ: 'JWT' })}.${payload}.${signature}`,
      'with a part more': `${receipt}.x`,
      'with a blank behind it': `${receipt} `,
      'a list': Buffer.from(bytes).toString(),
      'no JWS': 'receipt',
    }
    for (const [what, text] of Object.entries(hostile)) {
      const online = await verified(text)
      assert.equal(online.verified, false, what)
      assert.ok(
        online.problems?.every(({ path, message }) => path === 'receipt' && message !== ''),
        what,
      )
      assert.equal((await offline(text, evidence)).verified, false, `${what}, offline`)
    }
    const broken = Buffer.from(bytes)
    broken[broken.length - 1] = (broken.at(-1) ?? 0) ^ 1
    const offlineHostile = {
      'another list': { ...evidence, list: broken },
      'the document of another': { ...evidence, didDocument: await documentOf(other.did) },
      'no document': { ...evidence, didDocument: [] },
      'a document without keys': { ...evidence, didDocument: { id: list.did } },
    }
    for (const [what, given] of Object.entries(offlineHostile))
      assert.equal((await offline(receipt, given)).verified, false, what)
    assert.equal((await offline(receipt, evidence)).verified, true)
  })

  it('is refused if its own publisher signed false statements', async () => {
    const list = await createList(client())
    const answer = await update(list, 'revoke', [5])
    const foreign = await createList(client())
    const theirs = await update(foreign, 'revoke', [5])
    const claims = (await verified(receiptOf(answer))).receipt ?? assert.fail('it verifies')
    const foreignClaims = (await verified(receiptOf(theirs))).receipt ?? assert.fail('it verifies')
    const sign = (payload: object, typ = TYP) =>
      client().ok('POST', '/agent/didJwtCreate', {
        json: { did: list.did, payload: { ...claims, ...payload }, header: { typ } },
      }) as Promise<string>
    const evidence = { didDocument: await documentOf(list.did), list: await versionOf(list.did, answer) }
    const lies = {
      'an entry that is not revoked': await sign({ indices: [5, 6] }),
      'an index behind the end': await sign({ indices: [10_000_000] }),
      'an action with another outcome': await sign({ action: 'reinstate' }),
      'an action that the list has not': await sign({ action: 'suspend' }),
      'a status that is not there': await sign({ action: 'x', status: 7 }),
      'no indices': await sign({ indices: [] }),
      'indices that are none': await sign({ indices: ['5'] }),
      'another purpose': await sign({}, 'vc+jwt'),
    }
    for (const [what, receipt] of Object.entries(lies)) {
      assert.equal((await verified(receipt)).verified, false, what)
      assert.equal((await offline(receipt, evidence)).verified, false, `${what}, offline`)
    }
    const ofAnother = await sign({ ...foreignClaims, iss: list.did })
    assert.deepEqual(checksOf(await verified(ofAnother)), ['format', 'signature', 'not version'])
    assert.equal((await verified(await sign({}))).verified, true)
  })
}
