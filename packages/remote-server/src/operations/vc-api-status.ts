import { AgentError, BOUNDS, problemsError, type CredentialAction } from '@vidimus/core-types'
import { credentialId, mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleListUrl } from '../schemas/credential.js'
import { object, text } from '../schemas/primitives.js'
import type { ServiceAgent } from '../service-agent.js'
import { VC_API_REFUSAL } from '../vc-api/vc-api-refusal.js'

/** The action by status purpose and by whether to set or clear it. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, CredentialAction>>>> = {
  revocation: { true: 'revoke' },
  suspension: { true: 'suspend', false: 'reinstate' },
}

const CredentialStatus = z.strictObject({
  id: text('Id of the entry').optional(),
  type: text('Type of the entry'),
  statusPurpose: text('`revocation` or `suspension`'),
  statusListIndex: text('Index in the list; default: as registered').optional(),
  statusListCredential: text('Address of the list; default: as registered').optional(),
  statusSize: z.int('must be a whole number').optional(),
  statusMessage: z.array(object('A value and its meaning')).max(BOUNDS.statusEntries).optional(),
  statusReference: z.unknown().optional(),
})

export const vcApiStatus = defineOperation({
  id: 'vc-api-status',
  method: 'post',
  path: '/credentials/status',
  tag: 'VC API',
  switch: 'vcApi',
  summary: 'Update the status of a credential (VC API)',
  description:
    'Revokes, suspends or reinstates a credential that is in the register of the account, by its id, in the status list that it names. A revoked credential stays revoked.',
  needs: ['statusListUpdateCredential', 'credentialEntries'],
  changes: true,
  mayCost: true,
  jsonOnly: true,
  body: z.strictObject({
    credentialId,
    credentialStatus: CredentialStatus,
    status: z.boolean('must be true or false').meta({ description: 'Whether it is revoked or suspended' }),
  }),
  response: z.object({ status: z.boolean(), ...mayCost }),
  responseExample: { status: true },
  notFound: ['not_registered', 'did_not_found', 'list_not_found'],
  refusal: VC_API_REFUSAL,
  examples: [
    {
      summary: 'Revoke',
      body: {
        credentialId: 'urn:uuid:0fc754bc-fc32-46a0-aec1-a5ef385e7ea0',
        credentialStatus: {
          type: 'BitstringStatusListEntry',
          statusPurpose: 'revocation',
          statusListIndex: '94567',
          statusListCredential: exampleListUrl,
        },
        status: true,
      },
    },
  ],
  async run({ body: { credentialId: id, credentialStatus, status }, agent }) {
    const action = actionOn(credentialStatus.statusPurpose, status)
    await demandRegistered(id, credentialStatus, agent)
    await agent.statusListUpdateCredential({ credentialId: id, statusAction: action })
    return { status }
  },
})

/** @throws AgentError `invalid_input` */
function actionOn(purpose: string, status: boolean): CredentialAction {
  const actions = (Object.hasOwn(ACTIONS, purpose) ? ACTIONS[purpose] : undefined) ?? {}
  const action = actions[String(status)]
  if (action) return action
  const isKnown = actions.true !== undefined
  const path = isKnown ? 'status' : 'credentialStatus.statusPurpose'
  const message = isKnown
    ? 'must be true: a revoked credential stays revoked'
    : 'must be revocation or suspension'
  throw problemsError('invalid_input', [{ path, message }])
}

/**
 * A named entry must be part of the credential.
 *
 * @throws AgentError `not_registered`
 */
async function demandRegistered(
  id: string,
  { statusListCredential: list, statusListIndex: index }: z.output<typeof CredentialStatus>,
  agent: ServiceAgent,
): Promise<void> {
  if (list === undefined && index === undefined) return
  const { entries } = await agent.credentialEntries({ credentialId: id })
  const isItsOwn = entries.some(
    (entry) =>
      (list === undefined || entry.list === list) && (index === undefined || String(entry.index) === index),
  )
  if (entries.length === 0 || isItsOwn) return
  const message = 'is not a registered entry of the credential'
  throw new AgentError('not_registered', `credentialStatus: ${message}`, {
    details: [{ path: 'credentialStatus', message }],
  })
}
