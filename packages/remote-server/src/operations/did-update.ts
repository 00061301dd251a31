import { BOUNDS, didAsKept, problemsError, type Problem } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import type { Members } from '../registrar/document-members.js'
import { writeUpdate } from '../registrar/document-update.js'
import { mustBeWritable, registeredDid } from '../registrar/registrar-method.js'
import { inDidQueue } from '../registrar/did-queue.js'
import { DidResult, documentList, exampleDid, exampleDidResult, NewServices } from '../schemas/did.js'
import { did, isDid, object } from '../schemas/primitives.js'
import { didResult } from './did-result.js'
import { mustHoldSigners, signers } from './signers.js'

const services = [
  { idFragment: 'service-1', type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] },
]

const Body = z.strictObject({
  did: did('The DID; required unless `didDocument` is given').optional(),
  service: NewServices.optional(),
  verificationMethod: z
    .array(object('A verification method; its key must belong to the account'))
    .max(BOUNDS.documentEntries)
    .optional()
    .meta({ description: 'All verification methods of the document' }),
  authentication: documentList('All references of the relationship "authentication"').optional(),
  didDocument: object('The complete new document with its `id`, instead of the parts above').optional(),
  publicKeyHexs: signers(),
})
type Body = z.output<typeof Body>

export const didUpdate = defineOperation({
  id: 'did-update',
  method: 'post',
  path: '/did/update',
  tag: 'DIDs',
  summary: 'Update a DID document',
  description: [
    'Replaces the given parts of the DID document: `service`, `verificationMethod`, `authentication`. Other parts',
    'are kept, including concurrent changes. A `didDocument` replaces the whole document. New keys must belong to',
    'the account (POST /key/create). POST /1.0/update adds and removes single entries.',
  ].join('\n'),
  needs: ['didManagerGet', 'didManagerUpdate', 'keyManagerGet', 'resolveDid'],
  changes: true,
  mayCost: true,
  body: Body,
  response: DidResult,
  responseExample: exampleDidResult,
  examples: [{ summary: 'Other services', body: { did: exampleDid, service: services } }],
  async run({ body, agent }) {
    const { did, change } = toUpdateArgs(body)
    const held = await registeredDid(agent, { did })
    mustBeWritable(held, 'updated')
    await mustHoldSigners(agent, body.publicKeyHexs)
    return didResult((await inDidQueue(agent, did, () => writeUpdate({ did, ...change }, agent))) ?? held)
  },
})

/** @throws AgentError `invalid_input` with every problem */
function toUpdateArgs({ did: sentDid, didDocument, publicKeyHexs: _signers, ...parts }: Body) {
  const problems: Problem[] = []
  const documentId = isDid(didDocument?.id) ? didAsKept(didDocument.id) : undefined
  const did = sentDid ?? documentId ?? ''
  const sent = Object.entries(parts).filter(([, part]) => part !== undefined)
  if (did === '') {
    const path = didDocument ? 'didDocument.id' : 'did'
    problems.push({ path, message: 'must be the DID to change' })
  } else if (didDocument?.id !== undefined && documentId !== did) {
    problems.push({ path: 'didDocument.id', message: 'differs from did' })
  }
  if (!didDocument && sent.length === 0) {
    const message = 'is required, unless service, verificationMethod or authentication is given'
    problems.push({ path: 'didDocument', message })
  }
  for (const [name] of didDocument ? sent : []) {
    problems.push({ path: name, message: 'cannot be combined with a didDocument' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (didDocument) {
    const operations = ['setDidDocument'] as const
    return { did, change: { operations, documents: [didDocument], place: 'didDocument' } }
  }
  const document: Members = Object.fromEntries(
    sent.map(([name, part]) => [name, name === 'service' ? parts.service?.map(withId(did)) : part]),
  )
  return { did, change: { operations: ['setMembers'] as const, documents: [document], place: '' } }
}

type NewService = z.output<typeof NewServices>[number]

const withId =
  (did: string) =>
  ({ idFragment, id, ...service }: NewService) => ({
    id: id ?? (idFragment === undefined ? undefined : `${did}#${idFragment}`),
    ...service,
  })
