import assert from 'node:assert/strict'
import fc from 'fast-check'
import { DocumentMembers, type Members } from '../../registrar/document-members.js'

const DID = 'did:example:1'

/** Entries with ids of their own, absolute or relative. */
const entries = fc
  .uniqueArray(fc.record({ n: fc.nat(20), relative: fc.boolean(), type: fc.string() }), {
    selector: ({ n }) => n,
    maxLength: 6,
  })
  .map((list) => list.map(({ n, relative, type }) => ({ id: `${relative ? '' : DID}#e${n}`, type })))
const texts = fc.uniqueArray(fc.webUrl(), { maxLength: 5 })
const documents = fc.record({ service: entries, verificationMethod: entries, alsoKnownAs: texts })
const lengths = (document: Members) => Object.values(document).map((list) => (list as unknown[]).length)

const changed = (document: Members, change: (members: DocumentMembers) => void) => {
  const members = new DocumentMembers(DID, document)
  change(members)
  return members
}
const pathsOf = ({ problems }: DocumentMembers) => problems.map(({ path }) => path)

describe('DocumentMembers', () => {
  it('removes what it added, and nothing else', () => {
    fc.assert(
      fc.property(documents, documents, (document, addition) => {
        const members = new DocumentMembers(DID, document)
        members.add(addition, 'd')
        if (members.problems.length > 0) return
        const idOf = (entry: unknown) =>
          typeof entry === 'string' ? entry : (entry as { id: string }).id.replace(/^#/, `${DID}#`)
        const known = Object.values(document).flat().map(idOf)
        const fresh = Object.fromEntries(
          Object.entries(addition).map(([name, list]) => [
            name,
            list.filter((entry) => !known.includes(idOf(entry))),
          ]),
        )
        members.remove(fresh, 'd')
        if (Object.values(fresh).flat().length === Object.values(addition).flat().length) {
          assert.deepEqual(members.problems, [])
          assert.deepEqual(lengths(members.document), lengths(document))
        }
      }),
    )
  })

  it('adds the same member only once', () => {
    fc.assert(
      fc.property(documents, (addition) => {
        const members = new DocumentMembers(DID, { id: DID })
        members.add(addition, 'd')
        const once = members.document
        members.add(addition, 'd')
        assert.deepEqual(members.document, once)
        assert.deepEqual(members.problems, [])
      }),
    )
  })

  it('can remove everything', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const members = changed(document, (one) => one.remove(document, 'd'))
        assert.deepEqual(members.problems, [])
        assert.deepEqual(lengths(members.document), [0, 0, 0])
      }),
    )
  })

  it('removes a verification method with all references to it', () => {
    const embedded = { id: '#key-1', type: 'Embedded' }
    const { document, problems } = changed(
      {
        verificationMethod: [{ id: `${DID}#key-1` }, { id: '#key-2' }],
        authentication: ['#key-1', `${DID}#key-1`, '#key-2'],
        assertionMethod: [embedded, `${DID}#key-1`],
        capabilityInvocation: `${DID}#key-1`,
        service: [{ id: `${DID}#key-1` }],
      },
      (one) => one.remove({ verificationMethod: { id: '#key-1' } }, 'd'),
    )
    assert.deepEqual(problems, [])
    assert.deepEqual(document, {
      verificationMethod: [{ id: '#key-2' }],
      authentication: ['#key-2'],
      assertionMethod: [embedded],
      capabilityInvocation: [],
      service: [{ id: `${DID}#key-1` }],
    })
  })

  it('supports members that are not lists', () => {
    const document = { id: DID, note: 'a', more: { a: 1 } }
    assert.deepEqual(changed(document, (one) => one.add({ other: 'b', note: 'a' }, 'd')).document, {
      ...document,
      other: 'b',
    })
    assert.deepEqual(changed(document, (one) => one.remove({ more: { a: 1 } }, 'd')).document, {
      id: DID,
      note: 'a',
    })
    assert.deepEqual(pathsOf(changed(document, (one) => one.add({ note: 'b' }, 'd'))), ['d.note'])
    assert.deepEqual(pathsOf(changed(document, (one) => one.remove({ note: 'b', gone: 1 }, 'd'))), [
      'd.note',
      'd.gone',
    ])
  })

  it('locates every problem', () => {
    const members = new DocumentMembers(DID, { id: DID, service: [{ id: '#a', type: 'A' }] })
    members.remove(
      { id: 'did:example:2', service: [{ id: '#b' }, '#a', { type: 'B' }], controller: DID },
      'd[0]',
    )
    members.add({ service: { id: '#a', type: 'A' } }, 'd[1]')
    members.add({ service: [{ id: `${DID}#a`, type: 'B' }], constructor: ['x'], toString: 'x' }, 'd[2]')
    assert.deepEqual(pathsOf(members), [
      'd[0].id',
      'd[0].service[0]',
      'd[0].service[2]',
      'd[0].controller',
      'd[2].service[0]',
    ])
  })

  it('starts over with a replaced document', () => {
    const { document } = changed({ id: DID, service: [{ id: '#a' }] }, (one) => {
      one.set({ id: DID })
      one.add({ alsoKnownAs: 'a:b' }, 'd')
    })
    assert.deepEqual(document, { id: DID, alsoKnownAs: ['a:b'] })
  })
})
