import assert from 'node:assert/strict'
import {
  createDid,
  createList,
  LIST_TYPES,
  itOnDatabases,
  listTypesOn,
  type ListType,
  type Setup,
} from './suite.js'

/** Every form of credentials that the service is shipped with, and the form in which its holders show it. */
const FORMATS: { format: string; shownAs: string; asked?: object; listTypes: readonly ListType[] }[] = [
  { format: 'jwt_vc', shownAs: 'jwt_vp', listTypes: LIST_TYPES },
  { format: 'vc+jwt', shownAs: 'vp+jwt', listTypes: LIST_TYPES },
  {
    format: 'dc+sd-jwt',
    shownAs: 'dc+sd-jwt',
    asked: { vct: 'https://credentials.example/person', disclosureFrame: { _sd: ['name'] } },
    listTypes: ['TokenStatusList'],
  },
  {
    format: 'vc+sd-jwt',
    shownAs: 'dc+sd-jwt',
    asked: { disclosureFrame: { _sd: ['name'] } },
    listTypes: LIST_TYPES,
  },
  { format: 'ldp_vc', shownAs: 'ldp_vp', listTypes: ['BitstringStatusList', 'StatusList2021'] },
]

/** Issuers with each type of keys that can be made for them; the table of docs/credentials.md. */
const ISSUERS: [provider: string, types: string[]][] = [
  ['did:cheqd', ['Ed25519', 'Secp256r1']],
  ['did:key', ['Ed25519', 'Secp256k1']],
  ['did:jwk', ['Ed25519', 'Secp256r1', 'Secp256k1']],
]
const WITHOUT_SECP256K1 = 'ldp_vc'

interface Issued {
  proof: { jwt?: string }
}

/** As it is handed out: the text that was signed, where there is one. */
const handedOut = (credential: Issued) => credential.proof.jwt ?? credential
interface Key {
  kid: string
}
interface Verdict {
  verified: boolean
  statuses?: { index: number; valid: boolean }[]
  problems?: { message: string }[]
}

/** The capabilities of each credential format. */
export function credentialFormatsSuite(setup: Setup): void {
  const { client, stranger } = setup
  let issuerDid: string
  let subjectDid: string
  before(async () => {
    issuerDid = await createDid(client())
    const holder = (await client().ok('POST', '/did/create', { json: { providerId: 'did:key' } })) as {
      did: string
    }
    subjectDid = holder.did
  })

  const verify = async (credential: unknown, by = client()) =>
    (await by.ok('POST', '/credential/verify', { json: { credential } })) as Verdict
  const saysWhy = async (credential: unknown) =>
    (await verify(credential)).problems?.map(({ message }) => message).join('; ')

  for (const [provider, types] of ISSUERS) {
    for (const type of types) {
      it(`credentials of a ${provider} with a ${type} key are issued in every supported format`, async () => {
        const { kid } = (await client().ok('POST', '/key/create', { query: { type }, json: {} })) as Key
        const did = await createDid(client(), {
          providerId: provider,
          ...(provider !== 'did:cheqd' && { network: undefined }),
          options: {
            key: kid,
            ...(provider === 'did:cheqd' && { verificationMethodType: 'JsonWebKey2020' }),
          },
        })
        for (const { format, asked } of FORMATS) {
          const { status, body } = await client().post('/credential/issue', {
            json: { format, issuerDid: did, subjectDid, attributes: { name: 'Bob' }, ...asked },
          })
          const isRefused = type === 'Secp256k1' && format === WITHOUT_SECP256K1
          assert.equal(status, isRefused ? 400 : 200, `${format}: ${JSON.stringify(body)}`)
          if (isRefused) continue
          const { verified, problems } = await verify(handedOut(body as Issued), stranger())
          assert.deepEqual([verified, problems], [true, undefined], format)
        }
      })
    }
  }

  for (const { format, shownAs, asked, listTypes } of FORMATS) {
    describe(`credentials in ${format}`, () => {
      const issue = async (credentialStatus?: object) =>
        (await client().ok('POST', '/credential/issue', {
          json: { format, issuerDid, subjectDid, attributes: { name: 'Bob' }, ...asked, credentialStatus },
        })) as Issued
      const act = (action: string, credential: unknown) =>
        client().ok('POST', `/credential/${action}`, { json: { credential } })

      for (const listType of listTypesOn(setup, listTypes)) {
        it(`are suspended, reinstated and revoked in a ${listType}`, async () => {
          const purposes = listType === 'StatusList2021' ? ['suspension'] : ['revocation', 'suspension']
          const { statusListName } = await createList(client(), {
            did: issuerDid,
            listType,
            statusPurpose: purposes,
          })
          const statusPurpose = listType === 'TokenStatusList' ? undefined : purposes
          const credential = await issue({ statusListName, listType, statusPurpose })
          const { verified, statuses = [] } = await verify(handedOut(credential))
          assert.deepEqual([verified, statuses[0]?.valid], [true, true])
          await act('suspend', handedOut(credential))
          assert.match(String(await saysWhy(credential)), /suspended/)
          await act('reinstate', credential)
          assert.equal((await verify(credential)).verified, true)
          if (listType === 'StatusList2021') return
          await act('revoke', handedOut(credential))
          assert.match(String(await saysWhy(handedOut(credential))), /revoked/)
          assert.equal((await verify(credential, stranger())).verified, false)
        })
      }

      for (const listType of LIST_TYPES.filter((one) => !listTypes.includes(one))) {
        it(`take no index of a ${listType}, which they have no member for`, async () => {
          const { statusListName } = await createList(client(), { did: issuerDid, listType })
          for (const named of [{ listType }, {}]) {
            const answer = await client().post('/credential/issue', {
              json: {
                ...{ format, issuerDid, subjectDid, attributes: { name: 'Bob' }, ...asked },
                credentialStatus: { statusListName, ...named },
              },
            })
            assert.equal(answer.status, 400, JSON.stringify(answer.body))
          }
        })
      }

      it('are presented by their holder', async () => {
        const credential = await issue()
        const { proof, vp } = (await client().ok('POST', '/presentation/create', {
          json: {
            format: shownAs,
            credentials: [credential],
            audience: 'https://verifier.example',
            nonce: 'n',
          },
        })) as Issued & { vp: unknown }
        const shown = async (json: object) =>
          (await stranger().ok('POST', '/presentation/verify', {
            json: {
              presentation: proof.jwt ?? vp,
              audience: 'https://verifier.example',
              nonce: 'n',
              ...json,
            },
          })) as Verdict
        const { verified, problems } = await shown({ requireHolderIsSubject: true })
        assert.deepEqual([verified, problems], [true, undefined])
        assert.equal((await shown({ nonce: 'other' })).verified, false)
        assert.equal((await shown({ audience: 'https://other.example' })).verified, false)
      })
    })
  }

  itOnDatabases(
    setup,
    'a Data Integrity document that costs too much is refused through every interface',
    async () => {
      const context = [
        'https://www.w3.org/ns/credentials/v2',
        'https://www.w3.org/ns/credentials/undefined-terms/v2',
      ]
      const courses = Array.from({ length: 1000 }, (_, n) => ({
        ...{ name: `Course ${n}`, credits: n % 10, semester: n % 8, level: 'BSc' },
        result: { grade: 'ABCDE'[n % 5], passed: true },
      }))
      const issue = (attributes: object) =>
        client().post('/credential/issue', {
          json: { format: 'ldp_vc', issuerDid, subjectDid, attributes, '@context': context.slice(1) },
        })
      const transcript = await issue({ courses })
      assert.equal(transcript.status, 200, JSON.stringify(transcript.body))
      assert.equal((await verify(transcript.body)).verified, true, 'an honest transcript verifies')

      const graph = Array.from({ length: 2501 }, () => ({}))
      const reason = 'more than 2500 blank nodes'
      const issued = await issue({ graph })
      assert.deepEqual([issued.status, JSON.stringify(issued.body).includes(reason)], [400, true])
      const dear = { ...(transcript.body as object), credentialSubject: { graph } }
      const { proof } = dear as unknown as { proof: object }
      const presentation = {
        ...{ '@context': context, type: ['VerifiablePresentation'], holder: issuerDid },
        proof: { ...proof, proofPurpose: 'authentication' },
        verifiableCredential: [dear],
      }
      const doors: [path: string, json: object][] = [
        ['/credential/verify', { credential: dear }],
        ['/presentation/verify', { presentation }],
        ['/agent/credentialVerify', { credential: dear }],
        ['/agent/presentationVerify', { presentation }],
        ['/credentials/verify', { verifiableCredential: dear }],
        ['/presentations/verify', { verifiablePresentation: presentation }],
      ]
      for (const [path, json] of doors) {
        const { body } = await client().post(path, { json })
        assert.equal((body as { verified?: boolean }).verified, false, `${path}: ${JSON.stringify(body)}`)
        assert.ok(JSON.stringify(body).includes(reason), path)
      }
    },
  )
}
