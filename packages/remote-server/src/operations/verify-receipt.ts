import * as schemas from '@vidimus/core-types/schemas'
import { defineOperation } from '../operation.js'
import { exampleJwt, exampleListUrl } from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'

export const verifyReceipt = defineOperation({
  id: 'verify-receipt',
  method: 'post',
  path: '/credential-status/receipts/verify',
  tag: 'Status lists',
  summary: 'Verify the receipt of an update',
  description: [
    'Verifies the receipt of an update with `receipt: true`, whoever publishes the list: its publisher signed it and',
    'published that version, and the entries of the version have the status that the action sets. A receipt that does not',
    'verify is a 200 with `verified: false` and the reason. It covers one version: use a check for the current status.',
  ].join('\n'),
  needs: ['statusListReceiptVerify', 'didJwtVerify'],
  changes: false,
  body: schemas.StatusListReceiptVerifyArgs,
  response: schemas.StatusListReceiptVerifyResult.meta({ id: 'ReceiptVerification' }),
  responseExample: {
    verified: true,
    receipt: {
      iss: exampleDid,
      iat: 1769851800,
      list: exampleListUrl,
      indices: [94567],
      action: 'revoke',
      status: 1,
      resourceId: '9f6a2b1c-3d4e-4f5a-8b6c-7d8e9f0a1b2c',
      resourceVersion: '',
      checksum: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    checks: [
      { check: 'format', ok: true },
      { check: 'signature', ok: true },
      { check: 'version', ok: true },
      { check: 'status', ok: true },
    ],
  },
  examples: [{ summary: 'A receipt', body: { receipt: exampleJwt } }],
  run: ({ body, agent }) => agent.statusListReceiptVerify(body),
})
