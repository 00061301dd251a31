import assert from 'node:assert/strict'
import type { VerifiableCredential } from '@veramo/core-types'
import type { CredentialAction, StatusListUpdateCredentialArgs } from '@vidimus/core-types'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { SharedFolder, type CredentialsAgent } from '../credentials-set-up.js'
import { refused } from '../refused.js'
import { createTestAgent, newKey, setKey } from '../test-agent.js'

type Action = CredentialAction

describe('updating by a credential', () => {
  let folder: SharedFolder
  let test: CredentialsAgent
  let did: string
  beforeEach(async () => {
    folder = await SharedFolder.create()
    test = await folder.agent()
    ;({ did } = await test.createDid())
  })
  afterEach(() => folder.remove())

  const create = (
    statusListName: string,
    statusPurpose: string | string[],
    listType = 'BitstringStatusList',
  ) => test.scoped((agent) => agent.statusListCreate({ did, statusListName, listType, statusPurpose }))
  const issue = (credentialStatus: object, by = test, issuerDid = did) =>
    by.scoped((agent) =>
      agent.credentialIssue({
        issuerDid,
        attributes: { a: 1 },
        credentialStatus: credentialStatus as { type: string },
      }),
    )
  const act = (
    action: Action,
    credential: VerifiableCredential,
    args: Partial<StatusListUpdateCredentialArgs> = {},
  ) =>
    test.scoped((agent) =>
      agent.statusListUpdateCredential({ credential: { ...credential }, statusAction: action, ...args }),
    )
  const wanted = (statusListName: string, statusPurpose: string | string[]) => ({
    statusListName,
    statusPurpose,
  })

  it('selects the entry with the purpose of the action', async () => {
    await create('one', 'revocation')
    await create('two', 'suspension')
    await create('three', 'message')
    await create('four', 'refresh')
    const credential = await issue([
      wanted('four', 'refresh'),
      wanted('three', 'message'),
      wanted('two', 'suspension'),
      wanted('one', 'revocation'),
    ])
    assert.equal((await act('revoke', credential)).statusListName, 'one')
    assert.equal((await act('suspend', credential)).statusListName, 'two')
    assert.equal((await act('reinstate', credential)).statusListName, 'two')
    const open = await issue([wanted('four', 'refresh'), wanted('three', 'message')])
    assert.equal((await act('suspend', open)).statusListName, 'three')
    assert.equal((await act('revoke', open)).revoked, true)
    const closed = await issue(wanted('four', 'refresh'))
    await refused(() => act('revoke', closed), { code: 'purpose_mismatch', path: 'credential' })
  })

  it('follows the list if no entry has the purpose', async () => {
    await create('both', ['revocation', 'suspension'])
    const credential = await issue(wanted('both', 'revocation'))
    assert.equal((await act('suspend', credential)).suspended, true)
    assert.equal((await act('reinstate', credential)).unsuspended, true)
    await act('revoke', credential)
    await refused(() => act('reinstate', credential), { code: 'irreversible', path: 'credential' })
  })

  it('asks for a choice if several entries match', async () => {
    await create('one', 'revocation')
    await create('two', 'revocation', 'StatusList2021')
    const mixed = await issue([wanted('one', 'revocation'), wanted('two', 'revocation')])
    await refused(() => act('revoke', mixed), {
      code: 'invalid_input',
      path: 'credential',
      says: /BitstringStatusList "one" revocation \d+, StatusList2021 "two" revocation \d+\); choose one with listType/,
    })
    assert.equal((await act('revoke', mixed, { listType: 'StatusList2021' })).statusListName, 'two')
    await refused(() => act('revoke', mixed, { listType: 'Other' }), {
      code: 'unknown_list_type',
      path: 'listType',
    })
    const same = await issue([wanted('one', 'revocation'), wanted('one', 'revocation')])
    await refused(() => act('revoke', same), { code: 'invalid_input', says: /by its name and index/ })
    const [first] = [same.credentialStatus].flat()
    const twice = await issue([first, first] as object)
    assert.equal((await act('revoke', twice)).revoked, true)
  })

  it('answers like an update, including the location of the entry', async () => {
    await create('one', 'revocation')
    const credential = await issue({ statusListName: 'one', statusListIndex: 42 })
    const { resource, resourceMetadata, ...told } = await act('revoke', credential, {
      statusListVersion: '2.0',
    })
    assert.deepEqual(told, {
      updated: true,
      changed: [42],
      revoked: true,
      did,
      statusListName: 'one',
      listType: 'BitstringStatusList',
      index: 42,
    })
    assert.ok('jwt' in resource)
    assert.equal(resourceMetadata.resourceVersion, '2.0')
    const byJwt = await act('revoke', credential, { credential: String(credential.proof.jwt) })
    assert.deepEqual([byJwt.updated, byJwt.changed], [true, []])
  })

  it('shares versions with other calls without losing changes', async () => {
    await create('one', 'revocation')
    const credentials = await Promise.all(
      Array.from({ length: 20 }, () => issue(wanted('one', 'revocation'))),
    )
    const results = await Promise.all(credentials.map((credential) => act('revoke', credential)))
    const changed = results.flatMap((result) => result.changed)
    assert.equal(new Set(changed).size, 20)
    const { results: checked = [] } = await test.scoped((agent) =>
      agent.statusListCheck({
        did,
        statusListName: 'one',
        listType: 'BitstringStatusList',
        statusPurpose: 'revocation',
        indices: changed,
      }),
    )
    assert.ok(checked.every(({ revoked }) => revoked))
    assert.ok(new Set(results.map(({ resourceMetadata }) => resourceMetadata.resourceId)).size < 20)
  })

  it('requires an account that holds the list, and a credential of its own issuers', async () => {
    await create('one', 'revocation')
    const credential = await issue(wanted('one', 'revocation'))
    const stranger = await folder.agent({}, { ledger: test.ledger })
    const theirs = await stranger.createDid()
    const byStranger = () =>
      stranger.scoped((agent) =>
        agent.statusListUpdateCredential({ credential: { ...credential }, statusAction: 'revoke' }),
      )
    await refused(byStranger, { code: 'did_not_found', path: 'credential' })
    await act('revoke', credential)
    // also where there is nothing left to be done
    await refused(byStranger, { code: 'did_not_found', path: 'credential' })
    const planted = await issue(credential.credentialStatus ?? {}, stranger, theirs.did)
    await refused(() => act('revoke', planted), {
      code: 'invalid_credential',
      path: 'credential',
      says: /issuer/,
    })
    const second = await test.createDid()
    const own = await issue({ ...wanted('one', 'revocation'), did }, test, second.did)
    assert.equal((await act('revoke', own)).did, did)
  })

  it('trusts nothing that the issuer did not sign', async () => {
    await create('one', 'revocation')
    const credential = await issue({ statusListName: 'one', statusListIndex: 42 })
    const entry = credential.credentialStatus as unknown as { id: string; statusListIndex: string }
    const other = { ...entry, id: entry.id.replace('#42', '#43'), statusListIndex: '43' }
    const jwt = String(credential.proof.jwt)
    const flipped = jwt.slice(0, -5) + (jwt.at(-5) === 'A' ? 'B' : 'A') + jwt.slice(-4)
    for (const forged of [
      { ...credential, credentialStatus: other },
      { ...credential, proof: { ...credential.proof, jwt: flipped } },
      { ...credential, credentialSubject: { a: 2 } },
    ]) {
      const asked = () => act('revoke', credential, { credential: forged as Record<string, unknown> })
      await refused(asked, { code: 'invalid_credential', path: 'credential' })
    }
    assert.deepEqual((await act('revoke', credential)).changed, [42])
  })

  it('trusts only current keys of the issuer', async () => {
    await create('one', 'revocation')
    const credential = await issue(wanted('one', 'revocation'))
    setKey(test.ledger, newKey(did, 'key-2'))
    await refused(() => act('revoke', credential), { code: 'invalid_credential', path: 'credential' })
  })

  it('refuses malformed arguments', async () => {
    await create('one', 'revocation')
    const credential = await issue(wanted('one', 'revocation'))
    const wrong: object[] = [
      { statusAction: 'destroy' },
      { statusAction: undefined },
      { action: 'revoke' },
      { credential: [credential] },
      { credential: 5 },
      { x: 1 },
    ]
    for (const args of wrong) await refused(() => act('revoke', credential, args), { code: 'invalid_input' })
  })

  it('requires a plugin that verifies credentials', async () => {
    const { agent, scoped } = createTestAgent({ options: { types: [BitstringStatusList] } })
    assert.ok(agent.availableMethods().includes('statusListUpdateCredential'))
    const asked = () =>
      scoped((one) =>
        (one as unknown as CredentialsAgent['agent']).statusListUpdateCredential({
          credential: 'a.b.c',
          action: 'revoke',
        }),
      )
    await refused(asked, { code: 'invalid_configuration', says: /verifies credentials/ })
  })
})
