import assert from 'node:assert/strict'
import type { VerifiableCredential } from '@veramo/core-types'
import { foreignLdp, type Suite } from '../../../../../test/support/digitalbazaar.js'
import { agentOf, encodedBits, ListHost, NOW } from './list-host.js'

const V1 = 'https://www.w3.org/2018/credentials/v1'
const V2 = 'https://www.w3.org/ns/credentials/v2'
const PROOFS = 'https://w3id.org/security/data-integrity/v2'
const LISTS_2021 = 'https://w3id.org/vc/status-list/2021/v1'

describe('external lists with Data Integrity proofs', function () {
  const host = new ListHost()
  before(() => host.start())
  after(() => host.stop())

  /** As their specifications have them, with entry 1 revoked. */
  const LISTS = {
    BitstringStatusListEntry: (issuer: string) => ({
      '@context': [V2],
      id: host.url(),
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer,
      validFrom: '2026-01-01T00:00:00Z',
      credentialSubject: {
        id: `${host.url()}#list`,
        type: 'BitstringStatusList',
        statusPurpose: 'revocation',
        encodedList: `u${encodedBits([1])}`,
      },
    }),
    StatusList2021Entry: (issuer: string) => ({
      '@context': [V1, LISTS_2021, PROOFS],
      id: host.url(),
      type: ['VerifiableCredential', 'StatusList2021Credential'],
      issuer,
      issuanceDate: '2026-01-01T00:00:00Z',
      credentialSubject: {
        id: `${host.url()}#list`,
        type: 'StatusList2021',
        statusPurpose: 'revocation',
        encodedList: encodedBits([1]),
      },
    }),
  }
  type EntryType = keyof typeof LISTS

  /** The list as `@digitalbazaar/vc` signs it. */
  async function published(entryType: EntryType, suite: Suite = 'eddsa-rdfc-2022', options: object = {}) {
    const test = agentOf()
    const { did } = test.issuer
    const { credential: list, method } = await foreignLdp(LISTS[entryType](did), suite, did, NOW, options)
    test.ledger.documents.set(did, {
      id: did,
      verificationMethod: [method],
      assertionMethod: [method.id],
    })
    const serve = (content: unknown, mediaType = 'application/vc') =>
      host.serves(mediaType, JSON.stringify(content))
    const statusOf = (index: number) =>
      test.agent.checkCredentialStatus({
        credential: {
          issuer: { id: did },
          credentialStatus: {
            type: entryType,
            statusPurpose: 'revocation',
            statusListIndex: String(index),
            statusListCredential: host.url(),
          },
        } as unknown as VerifiableCredential,
      })
    return { list: list as typeof list & { proof: object }, serve, statusOf }
  }

  const FORMS: [EntryType, Suite][] = [
    ['BitstringStatusListEntry', 'eddsa-rdfc-2022'],
    ['BitstringStatusListEntry', 'ecdsa-rdfc-2019'],
    ['StatusList2021Entry', 'eddsa-rdfc-2022'],
    ['StatusList2021Entry', 'ecdsa-rdfc-2019'],
  ]
  for (const [entryType, suite] of FORMS) {
    it(`determine the status of a ${entryType}, signed with ${suite}`, async () => {
      const { list, serve, statusOf } = await published(entryType, suite)
      for (const mediaType of ['application/vc', 'application/vc+ld+json', 'application/ld+json']) {
        serve(list, mediaType)
        const [good, revoked] = [await statusOf(0), await statusOf(1)]
        assert.deepEqual([good.verified, good.revoked], [true, false], JSON.stringify(good))
        assert.deepEqual([revoked.verified, revoked.revoked], [false, true], mediaType)
      }
    })
  }

  it('fail verification if changed, unsigned, expired or with unknown contexts', async () => {
    const { list, serve, statusOf } = await published('BitstringStatusListEntry')
    const subject = list.credentialSubject as object
    const changed: [object, RegExp][] = [
      [{ ...list, credentialSubject: { ...subject, encodedList: `u${encodedBits([])}` } }, /signature/],
      [{ ...list, id: host.url('/other') }, /signature/],
      [{ ...list, proof: undefined }, /credential/],
      [{ ...list, proof: { ...list.proof, proofPurpose: 'authentication' } }, /must be assertionMethod/],
      [{ ...list, '@context': [V2, 'https://evil.example/v1'] }, /not known here|unknown/],
    ]
    for (const [content, reason] of changed) {
      serve(content)
      const { verified, message } = await statusOf(0)
      assert.equal(verified, false, JSON.stringify(content))
      assert.match(String(message), reason)
    }
    const ended = await published('BitstringStatusListEntry', 'eddsa-rdfc-2022', {
      expires: '2026-03-01T11:00:00Z',
    })
    ended.serve(ended.list)
    const { verified, message } = await ended.statusOf(0)
    assert.equal(verified, false)
    assert.match(String(message), /expired/)
  })
})
