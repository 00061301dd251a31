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

/** The name of an account in a path. */
export const accountName = z.strictObject({
  name: schemas.operatorMethods.operatorAccountEnable.arguments.shape.name,
})
