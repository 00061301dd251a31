import assert from 'node:assert/strict'
import { createDid, createList, type Setup } from './suite.js'

/** Every form of credentials that the service is shipped with, and the form in which its holders show it. */
const LIST_TYPES = ['BitstringStatusList', 'StatusList2021', 'TokenStatusList']
const FORMATS: { format: string; shownAs: string; asked?: object; listTypes: string[] }[] = [
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
]

interface Issued {
  proof: { jwt: string }
}
interface Verdict {
  verified: boolean
  statuses?: { index: number; valid: boolean }[]
  problems?: { message: string }[]
}

/** What each form of credentials can do here. */
export function credentialFormatsSuite({ client, stranger }: Setup): void {
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

  for (const { format, shownAs, asked, listTypes } of FORMATS) {
    describe(`credentials in ${format}`, () => {
      const issue = async (credentialStatus?: object) =>
        (await client().ok('POST', '/credential/issue', {
          json: { format, issuerDid, subjectDid, attributes: { name: 'Bob' }, ...asked, credentialStatus },
        })) as Issued
      const act = (action: string, credential: unknown) =>
        client().ok('POST', `/credential/${action}`, { json: { credential } })

      for (const listType of listTypes) {
        it(`are suspended, reinstated and revoked in a ${listType}`, async () => {
          const purposes = listType === 'StatusList2021' ? ['suspension'] : ['revocation', 'suspension']
          const { statusListName } = await createList(client(), {
            did: issuerDid,
            listType,
            statusPurpose: purposes,
          })
          const statusPurpose = listType === 'TokenStatusList' ? undefined : purposes
          const credential = await issue({ statusListName, listType, statusPurpose })
          const { verified, statuses = [] } = await verify(credential.proof.jwt)
          assert.deepEqual([verified, statuses[0]?.valid], [true, true])
          await act('suspend', credential.proof.jwt)
          assert.match(String(await saysWhy(credential)), /suspended/)
          await act('reinstate', credential)
          assert.equal((await verify(credential)).verified, true)
          if (listType === 'StatusList2021') return
          await act('revoke', credential.proof.jwt)
          assert.match(String(await saysWhy(credential.proof.jwt)), /revoked/)
          assert.equal((await verify(credential, stranger())).verified, false)
        })
      }

      for (const listType of LIST_TYPES.filter((one) => !listTypes.includes(one))) {
        it(`take no index of a ${listType}, for which they have no member`, async () => {
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

      it('are shown by their holder', async () => {
        const credential = await issue()
        const { proof } = (await client().ok('POST', '/presentation/create', {
          json: {
            format: shownAs,
            credentials: [credential],
            audience: 'https://verifier.example',
            nonce: 'n',
          },
        })) as Issued
        const shown = async (json: object) =>
          (await stranger().ok('POST', '/presentation/verify', {
            json: { presentation: proof.jwt, audience: 'https://verifier.example', nonce: 'n', ...json },
          })) as Verdict
        const { verified, problems } = await shown({ requireHolderIsSubject: true })
        assert.deepEqual([verified, problems], [true, undefined])
        assert.equal((await shown({ nonce: 'other' })).verified, false)
        assert.equal((await shown({ audience: 'https://other.example' })).verified, false)
      })
    })
  }
}
