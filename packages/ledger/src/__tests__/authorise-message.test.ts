import assert from 'node:assert/strict'
import { constants, generateKeyPairSync, sign } from 'node:crypto'
import { jwkOf } from '../../../../test/support/outside-key.js'
import {
  authoriseMessage,
  normaliseMessage,
  signBytes,
  subjectOf,
  validateMessage,
  type DidDocWithMetadata,
  type LedgerDidDoc,
  type LedgerMessage,
} from '../index.js'
import {
  createDid,
  createResource,
  deactivateDid,
  didDoc,
  ed25519Key,
  methodOf,
  newDid,
  signed,
  updateDid,
} from './signing.js'

const key = ed25519Key()
const other = ed25519Key()

/** A ledger that holds these documents and nothing else. */
function ledgerOf(...docs: LedgerDidDoc[]) {
  const rows = new Map<string, DidDocWithMetadata>()
  for (const doc of docs) {
    const metadata = {
      created: new Date(),
      deactivated: false,
      versionId: 'v',
      nextVersionId: '',
      previousVersionId: '',
    }
    rows.set(doc.id, { didDoc: doc, metadata })
  }
  const submit = (message: LedgerMessage) => {
    validateMessage('testnet', message)
    return authoriseMessage('testnet', message, { findDidDoc: async (did) => rows.get(did) })
  }
  const deactivate = (did: string) => {
    const row = rows.get(did)
    if (row) rows.set(did, { ...row, metadata: { ...row.metadata, deactivated: true } })
  }
  return { submit, deactivate }
}

const refused = (message: Promise<unknown>, codespace: string, code: number, detail: string) =>
  assert.rejects(
    message,
    (error: { codespace?: string; code?: number; phase?: string; message?: string }) => {
      assert.deepEqual([error.codespace, error.code, error.phase], [codespace, code, 'deliver'])
      assert.ok(error.message?.startsWith(`${detail}: `), error.message)
      return true
    },
  )

describe('authoriseMessage: creating', () => {
  const did = newDid()
  const doc = didDoc(did, [key])

  it('accepts the signature of a key of the document itself', async () => {
    assert.equal(await ledgerOf().submit(signed(createDid(doc), [`${did}#key-1`, key])), undefined)
  })

  it('accepts a signature by a method without a relationship', async () => {
    await ledgerOf().submit(signed(createDid({ ...doc, authentication: [] }), [`${did}#key-1`, key]))
  })

  it('refuses a DID that exists', async () => {
    await refused(ledgerOf(doc).submit(signed(createDid(doc), [`${did}#key-1`, key])), 'cheqd', 1200, did)
  })

  it('refuses a DID that exists in another case', async () => {
    const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
    const message = signed(createDid(didDoc(upper, [key])), [`${upper}#key-1`, key])
    await refused(ledgerOf(doc).submit(message), 'cheqd', 1200, did)
  })

  it('verifies the bytes as sent, before UUIDs are normalised', async () => {
    const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
    const message = createDid(didDoc(upper, [key]))
    await ledgerOf().submit(signed(message, [`${upper}#key-1`, key]))
    await ledgerOf().submit(signed(message, [`${did}#key-1`, key]))
    const { signatures } = signed(normaliseMessage(message), [`${upper}#key-1`, key])
    await refused(ledgerOf().submit({ ...message, signatures }), 'cheqd', 1100, `method id: ${did}#key-1`)
  })

  it('refuses an unsigned message', async () => {
    await refused(ledgerOf().submit(signed(createDid(doc))), 'cheqd', 1101, `signer: ${did}`)
  })

  it('refuses a signature by an unrelated signer', async () => {
    const stranger = didDoc(newDid(), [other])
    const message = signed(createDid(doc), [`${stranger.id}#key-1`, other])
    await refused(ledgerOf(stranger).submit(message), 'cheqd', 1101, `signer: ${did}`)
  })

  it('refuses a signature by another key', async () => {
    const message = signed(createDid(doc), [`${did}#key-1`, other])
    await refused(ledgerOf().submit(message), 'cheqd', 1100, `method id: ${did}#key-1`)
  })

  it('refuses a signature over other bytes', async () => {
    const { signatures } = signed(createDid(doc), [`${did}#key-1`, key])
    await refused(
      ledgerOf().submit({ ...createDid(doc), signatures }),
      'cheqd',
      1100,
      `method id: ${did}#key-1`,
    )
  })

  it('refuses a method missing in the document', async () => {
    const message = signed(createDid(doc), [`${did}#key-2`, key])
    await refused(ledgerOf().submit(message), 'cheqd', 1202, `${did}#key-2`)
  })

  it('refuses a wrong signature even next to a valid one of the same signer', async () => {
    const two = didDoc(did, [key, other])
    await ledgerOf().submit(signed(createDid(two), [`${did}#key-1`, key], [`${did}#key-2`, other]))
    const message = signed(createDid(two), [`${did}#key-1`, key], [`${did}#key-2`, key])
    await refused(ledgerOf().submit(message), 'cheqd', 1100, `method id: ${did}#key-2`)
  })

  it('ignores signatures of signers that are not required', async () => {
    const message = signed(createDid(doc), [`${did}#key-1`, key], [`${newDid()}#key-1`, key])
    await ledgerOf().submit(message)
  })

  it('refuses a missing controller of the document or of a method', async () => {
    const nobody = newDid()
    for (const changed of [
      { ...doc, controller: [nobody] },
      { ...doc, verificationMethod: [methodOf(did, key, 'key-1', nobody)] },
    ]) {
      await refused(
        ledgerOf().submit(signed(createDid(changed), [`${did}#key-1`, key])),
        'cheqd',
        1201,
        nobody,
      )
    }
  })

  it('requires every controller', async () => {
    const controller = didDoc(newDid(), [other])
    const controlled = createDid({ ...doc, controller: [did, controller.id] })
    const ledger = ledgerOf(controller)
    await refused(
      ledger.submit(signed(controlled, [`${did}#key-1`, key])),
      'cheqd',
      1101,
      `signer: ${controller.id}`,
    )
    await ledger.submit(signed(controlled, [`${did}#key-1`, key], [`${controller.id}#key-1`, other]))
  })

  it('requires only the controller if the document has no keys of its own', async () => {
    const controller = didDoc(newDid(), [other])
    const controlled = createDid(didDoc(did, [], { controller: [controller.id] }))
    await ledgerOf(controller).submit(signed(controlled, [`${controller.id}#key-1`, other]))
  })
})

describe('authoriseMessage: key types', () => {
  const did = newDid()
  const jwkDoc = (jwk: object) =>
    didDoc(did, [], {
      verificationMethod: [
        {
          id: `${did}#key-1`,
          verificationMethodType: 'JsonWebKey2020',
          controller: did,
          verificationMaterial: JSON.stringify(jwk),
        },
      ],
    })

  it('accepts P-256 in DER and refuses the JOSE form', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const message = createDid(jwkDoc(jwkOf(publicKey)))
    const submit = (dsaEncoding: 'der' | 'ieee-p1363') => {
      const signature = sign('sha256', signBytes(message), { key: privateKey, dsaEncoding })
      return ledgerOf().submit({
        ...message,
        signatures: [{ verificationMethodId: `${did}#key-1`, signature }],
      })
    }
    await submit('der')
    await refused(submit('ieee-p1363'), 'cheqd', 1100, `method id: ${did}#key-1`)
  })

  it('accepts RSA with PSS', async () => {
    const { privateKey: rsa, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const message = createDid(jwkDoc(jwkOf(publicKey)))
    const signature = sign('sha256', signBytes(message), {
      key: rsa,
      padding: constants.RSA_PKCS1_PSS_PADDING,
    })
    await ledgerOf().submit({ ...message, signatures: [{ verificationMethodId: `${did}#key-1`, signature }] })
  })
})

describe('authoriseMessage: updating', () => {
  const did = newDid()
  const before = didDoc(did, [key])
  const id = `${did}#key-1`

  it('returns the previous version', async () => {
    const previous = await ledgerOf(before).submit(
      signed(updateDid({ ...before, alsoKnownAs: ['a:b'] }), [id, key]),
    )
    assert.equal(previous?.didDoc, before)
  })

  it('refuses a missing or deactivated DID', async () => {
    const message = signed(updateDid(before), [id, key])
    await refused(ledgerOf().submit(message), 'cheqd', 1201, did)
    const ledger = ledgerOf(before)
    ledger.deactivate(did)
    await refused(ledger.submit(message), 'cheqd', 1207, did)
  })

  it('refuses a message that is unsigned or signed by another key', async () => {
    await refused(
      ledgerOf(before).submit(signed(updateDid(before))),
      'cheqd',
      1101,
      `there should be at least one signature by ${did} (old version)`,
    )
    await refused(
      ledgerOf(before).submit(signed(updateDid(before), [id, other])),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${did} (old version)`,
    )
  })

  it('rotates a key under the same id with two signatures, of the old and the new key', async () => {
    const rotated = updateDid(didDoc(did, [other]))
    await ledgerOf(before).submit(signed(rotated, [id, key], [id, other]))
    await ledgerOf(before).submit(signed(rotated, [id, other], [id, key]))
    await refused(
      ledgerOf(before).submit(signed(rotated, [id, key])),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${did} (new version)`,
    )
    await refused(
      ledgerOf(before).submit(signed(rotated, [id, other])),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${did} (old version)`,
    )
  })

  it('adds a method with the signature of a remaining key', async () => {
    await ledgerOf(before).submit(signed(updateDid(didDoc(did, [key, other])), [id, key]))
  })

  it('does not add a method with its own signature alone', async () => {
    const message = signed(updateDid(didDoc(did, [key, other])), [`${did}#key-2`, other])
    await refused(
      ledgerOf(before).submit(message),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${did} (old version)`,
    )
  })

  it('removes a method with the signature of a remaining one', async () => {
    await ledgerOf(didDoc(did, [key, other])).submit(signed(updateDid(before), [id, key]))
  })

  it('replaces the only method with signatures by both', async () => {
    const replaced = updateDid(didDoc(did, [], { verificationMethod: [methodOf(did, other, 'new')] }))
    await ledgerOf(before).submit(signed(replaced, [id, key], [`${did}#new`, other]))
    await refused(
      ledgerOf(before).submit(signed(replaced, [`${did}#new`, other])),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${did} (old version)`,
    )
  })

  it('replaces the controller with signatures by the old and the new one', async () => {
    const controller = didDoc(newDid(), [other])
    const message = updateDid({ ...before, controller: [controller.id] })
    const ledger = ledgerOf(before, controller)
    await ledger.submit(signed(message, [id, key], [`${controller.id}#key-1`, other]))
    await refused(
      ledger.submit(signed(message, [id, key])),
      'cheqd',
      1101,
      `there should be at least one signature by ${controller.id}`,
    )
    await refused(
      ledger.submit(signed(message, [`${controller.id}#key-1`, other])),
      'cheqd',
      1101,
      `there should be at least one signature by ${did} (old version)`,
    )
    await refused(
      ledger.submit(signed(message, [id, key], [`${controller.id}#key-1`, key])),
      'cheqd',
      1100,
      `there should be at least one valid signature by ${controller.id}`,
    )
  })

  it("accepts the controller's signature alone if nothing else changes", async () => {
    const controller = didDoc(newDid(), [other])
    const controlled = { ...before, controller: [controller.id] }
    const message = updateDid({ ...controlled, alsoKnownAs: ['a:b'] })
    await ledgerOf(controlled, controller).submit(signed(message, [`${controller.id}#key-1`, other]))
    await refused(
      ledgerOf(controlled, controller).submit(signed(message, [id, key])),
      'cheqd',
      1101,
      `there should be at least one signature by ${controller.id}`,
    )
  })

  it('requires both controllers of a method that changes controllers', async () => {
    const controller = didDoc(newDid(), [other])
    const message = updateDid({ ...before, verificationMethod: [methodOf(did, key, 'key-1', controller.id)] })
    const ledger = ledgerOf(before, controller)
    await refused(
      ledger.submit(signed(message, [id, key])),
      'cheqd',
      1101,
      `there should be at least one signature by ${controller.id}`,
    )
    await ledger.submit(signed(message, [id, key], [`${controller.id}#key-1`, other]))
  })

  it('refuses a missing new controller', async () => {
    const nobody = newDid()
    await refused(
      ledgerOf(before).submit(signed(updateDid({ ...before, controller: [nobody] }), [id, key])),
      'cheqd',
      1201,
      nobody,
    )
  })

  it('ignores a wrong signature next to a valid one', async () => {
    await ledgerOf(before).submit(signed(updateDid(before), [`${did}#nothing`, other], [id, key]))
  })
})

describe('authoriseMessage: deactivating and publishing', () => {
  const did = newDid()
  const doc = didDoc(did, [key, other])
  const id = `${did}#key-1`

  for (const [what, unsigned, missing] of [
    ['a deactivation', deactivateDid(did), ['cheqd', 1201]],
    ['a resource', createResource(did), ['sdk', 38]],
  ] as const) {
    it(`accepts ${what} signed by any key of the DID`, async () => {
      assert.equal((await ledgerOf(doc).submit(signed(unsigned, [id, key])))?.didDoc, doc)
      await ledgerOf(doc).submit(signed(unsigned, [`${did}#key-2`, other]))
    })

    it(`refuses ${what} of a missing or deactivated DID`, async () => {
      const message = signed(unsigned, [id, key])
      await refused(ledgerOf().submit(message), missing[0], missing[1], did)
      const ledger = ledgerOf(doc)
      ledger.deactivate(did)
      await refused(ledger.submit(message), 'cheqd', 1207, did)
    })

    it(`refuses ${what} unsigned, signed by another key or under an unknown method`, async () => {
      const ledger = ledgerOf(doc)
      await refused(ledger.submit(signed(unsigned)), 'cheqd', 1101, `signer: ${did}`)
      await refused(ledger.submit(signed(unsigned, [id, other])), 'cheqd', 1100, `method id: ${id}`)
      await refused(ledger.submit(signed(unsigned, [`${did}#x`, key])), 'cheqd', 1202, `${did}#x`)
      await refused(
        ledger.submit(signed(unsigned, [id, key], [`${did}#key-2`, key])),
        'cheqd',
        1100,
        `method id: ${did}#key-2`,
      )
    })

    it(`requires the controllers and those of the methods for ${what}`, async () => {
      const controller = didDoc(newDid(), [other])
      const controlled = didDoc(did, [key], { controller: [controller.id] })
      const ledger = ledgerOf(controlled, controller)
      await ledger.submit(signed(unsigned, [id, key], [`${controller.id}#key-1`, other]))
      await assert.rejects(ledger.submit(signed(unsigned, [id, key])), { code: 1101 })
      await assert.rejects(ledger.submit(signed(unsigned, [`${controller.id}#key-1`, other])), { code: 1101 })
    })
  }

  it('finds the publisher through the collection, in any case', () => {
    const message = signed(
      createResource(did.toUpperCase().replace('DID:CHEQD:TESTNET', 'did:cheqd:testnet')),
    )
    assert.equal(subjectOf('testnet', message), did)
  })
})
