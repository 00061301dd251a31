import { StatusListPayment, pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { pageFields } from '../schemas/page.js'
import { withoutUndefined } from './without-undefined.js'

const Payment = StatusListPayment.meta({ id: 'StatusListPayment' })

export const statusListPayments = defineOperation({
  id: 'status-list-payments',
  method: 'get',
  path: '/credential-status/payments',
  tag: 'Status lists',
  summary: 'List the fees paid for encrypted status lists',
  description: 'Fees that the service paid for the account to check encrypted lists of others; newest first.',
  needs: ['statusListPayments'],
  changes: false,
  query: z.strictObject(pageFields('payments')),
  response: z.object({ ...pageEnd, payments: z.array(Payment) }).meta({ id: 'StatusListPayments' }),
  responseExample: {
    total: 1,
    payments: [
      {
        id: '0b8f4f0e-5f0b-4c39-9f19-9a4a5c9a7a11',
        network: 'testnet',
        did: exampleDid,
        statusListName: 'my-list',
        feePaymentAddress: 'cheqd18as2jngwqpqp5hjadecg25mh8rtjt4l0vzczu5',
        feePaymentAmount: '20000000000ncheq',
        txHash: '5A7A7E2C9B0D4C1FA4C3B4F1E6D2C8B7A6F5E4D3C2B1A0F9E8D7C6B5A4F3E2D1',
        paidAt: '2026-01-31T09:30:00.000Z',
      },
    ],
  },
  run: ({ query, agent }) => agent.statusListPayments(withoutUndefined(query)),
})
