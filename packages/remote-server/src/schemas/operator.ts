import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'

export const OperatedAccount = schemas.OperatedAccount.meta({
  id: 'OperatedAccount',
  description: 'An account of the service',
})

export const exampleAccount = {
  id: '5f0c1f7e-3a3d-4f0e-9a35-6a1b9d2c4e10',
  name: 'acme',
  createdAt: '2026-05-01T12:00:00.000Z',
}

export const ListedSession = schemas.ListedSession.meta({
  id: 'ListedSession',
  description: 'A session of the console',
})

export const exampleSession = {
  id: '3d1c0b7e-8f57-4b5e-9a4c-2f6f0c1d7e22',
  issuer: 'https://login.example',
  subject: 'ann',
  account: 'acme',
  scopes: ['read'],
  createdAt: '2026-05-01T12:00:00.000Z',
  usedAt: '2026-05-01T12:10:00.000Z',
  endsAt: '2026-05-02T00:00:00.000Z',
}

/** The name of an account in a path. */
export const accountName = z.strictObject({
  name: schemas.operatorMethods.operatorAccountEnable.arguments.shape.name,
})
