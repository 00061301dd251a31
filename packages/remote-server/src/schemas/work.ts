import * as schemas from '@vidimus/core-types/schemas'

export const ListedWork = schemas.ListedWork.meta({ id: 'ListedWork', description: 'Something that waits' })

export const OperatedWork = schemas.OperatedWork.meta({
  id: 'OperatedWork',
  description: 'Something that waits, of any account',
})

export const exampleWork = {
  id: 'WyJwdWJsaWNhdGlvbiIsIjM2IiwiW1wiZGlkXCIsXCJkaWQ6d2ViOmV4YW1wbGUuY29tXCIsXCJcIixcIlwiXSJd',
  kind: 'publication' as const,
  subject: 'did:web:example.com',
  state: 'failed' as const,
  since: '2026-05-01T12:00:00.000Z',
  dueAt: '2026-05-01T12:04:10.000Z',
  attempts: 6,
  failure: 'the location of the publication cannot be used',
  can: ['retry' as const, 'pause' as const],
}
