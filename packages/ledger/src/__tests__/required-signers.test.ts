import assert from 'node:assert/strict'
import { requiredSigners } from '../index.js'
import {
  createDid,
  createResource,
  deactivateDid,
  didDoc,
  ed25519Key,
  methodOf,
  newDid,
  updateDid,
} from './signing.js'

const [did, a, b] = [newDid(), newDid(), newDid()].sort() as [string, string, string]
const key = ed25519Key()
const other = ed25519Key()

describe('requiredSigners', () => {
  it('includes controllers and controllers of methods for a creation, sorted and without duplicates', () => {
    const doc = didDoc(did, [], {
      controller: [b, did],
      verificationMethod: [methodOf(did, key, 'k', a), methodOf(did, key, 'l', b)],
    })
    assert.deepEqual(requiredSigners(createDid(doc)), [did, a, b])
  })

  it('is the subject without a controller', () => {
    assert.deepEqual(requiredSigners(createDid(didDoc(did, [], { controller: [] }))), [did])
    assert.deepEqual(requiredSigners(createDid(didDoc(did, [], { controller: [a] }))), [a])
  })

  it('are the signers of the current document for a deactivation or a resource', () => {
    const previous = didDoc(did, [], { controller: [a], verificationMethod: [methodOf(did, key, 'k', b)] })
    assert.deepEqual(requiredSigners(deactivateDid(did), previous), [a, b])
    assert.deepEqual(requiredSigners(createResource(did), previous), [a, b])
  })

  it('includes old and new controllers, and those of changed methods, for an update', () => {
    const before = didDoc(did, [], {
      controller: [a],
      verificationMethod: [methodOf(did, key, 'k', b), methodOf(did, key, 'l')],
    })
    assert.deepEqual(requiredSigners(updateDid({ ...before, alsoKnownAs: ['x:y'] }), before), [a])
    assert.deepEqual(requiredSigners(updateDid({ ...before, controller: [b] }), before), [a, b])
    const rotated = { ...before, verificationMethod: [methodOf(did, other, 'k', b), methodOf(did, key, 'l')] }
    assert.deepEqual(requiredSigners(updateDid(rotated), before), [a, b])
    const removed = { ...before, verificationMethod: [methodOf(did, key, 'k', b)] }
    assert.deepEqual(requiredSigners(updateDid(removed), before), [did, a])
    const added = {
      ...before,
      verificationMethod: [...before.verificationMethod, methodOf(did, key, 'm', b)],
    }
    assert.deepEqual(requiredSigners(updateDid(added), before), [a, b])
  })

  it('compares normalised ids', () => {
    const before = didDoc(did, [key])
    const upper = did.replace(/[^:]+$/, (id) => id.toUpperCase())
    assert.deepEqual(requiredSigners(updateDid(didDoc(upper, [key])), before), [did])
    assert.deepEqual(requiredSigners(createDid(didDoc(upper, [key]))), [did])
  })

  it('refuses like the ledger if there is no document', () => {
    assert.throws(() => requiredSigners(updateDid(didDoc(did, [key]))), { codespace: 'cheqd', code: 1201 })
    assert.throws(() => requiredSigners(deactivateDid(did)), { codespace: 'cheqd', code: 1201 })
    assert.throws(() => requiredSigners(createResource(did)), { codespace: 'sdk', code: 38 })
  })
})
