import type { CredentialAction, Problem } from '@vidimus/core-types'
import { StatusListUpdateCredentialArgs as TakenByAgent } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation, type Operation } from '../operation.js'
import { exampleCredentialId, exampleJwt } from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'
import { exampleResource, exampleResourceMetadata, UpdateCredentialResult } from '../schemas/status-list.js'
import { described } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const taken = TakenByAgent.shape

/** Other services let the caller delay the publication; here the list decides. */
const alwaysPublished = () =>
  z
    .boolean()
    .refine(
      (wanted) => wanted,
      'every change is published, at once or at the next beat of its list; omit it or send true',
    )
    .optional()
    .meta({ description: 'Must be true or omitted: every change is published' })

const NOT_ONE = 'must be one credential, a JWT string or a JSON object; call once for each credential'

const oneCredential = () =>
  z
    .union([z.string().min(1, NOT_ONE), z.record(z.string(), z.unknown())], {
      error: NOT_ONE,
    })
    .optional()
    .meta({ description: described(taken.credential) })

function bodyProblems({ credential, credentialId }: Readonly<Record<string, unknown>>): Problem[] {
  if (credential === undefined && credentialId === undefined)
    return [{ path: 'credential', message: 'is required, or its credentialId' }]
  if (credential === undefined || credentialId === undefined) return []
  return [{ path: 'credentialId', message: 'and credential are mutually exclusive' }]
}

/** The three operations differ only in their effect on the credential's entry. */
function credentialUpdate(
  statusAction: CredentialAction,
  wording: { summary: string; description: string; flag: Record<string, boolean> },
): Operation {
  return defineOperation({
    id: `credential-${statusAction}`,
    method: 'post',
    path: `/credential/${statusAction}`,
    tag: 'Credentials',
    summary: wording.summary,
    description: [
      wording.description,
      'The list must belong to the account. The credential must have a valid signature of its issuer; it may',
      'have expired. A credential that was issued here can be named by its id instead (`credentialId`). Retrying',
      'is safe. A list with `publishEvery` publishes the change at its next beat, `visibleFrom`.',
    ].join('\n'),
    needs: ['statusListUpdateCredential', 'credentialVerify'],
    changes: true,
    mayCost: true,
    withoutResource: true,
    query: z.strictObject({
      listType: taken.listType,
      publish: alwaysPublished(),
    }),
    body: z.strictObject({
      credential: oneCredential(),
      credentialId: taken.credentialId,
      statusListVersion: taken.statusListVersion,
      publication: taken.publication,
      receipt: taken.receipt,
    }),
    response: UpdateCredentialResult,
    responseExample: {
      updated: true,
      changed: [94567],
      ...wording.flag,
      published: true,
      did: exampleDid,
      statusListName: 'my-list',
      listType: 'StatusList2021',
      index: 94567,
      resource: exampleResource,
      resourceMetadata: exampleResourceMetadata,
    },
    examples: [
      { summary: 'A JWT', body: { credential: exampleJwt } },
      {
        summary: 'A credential that was issued here, by its id',
        body: { credentialId: exampleCredentialId },
      },
    ],
    bodyProblems,
    async run({ query, body, agent }) {
      const { publish: _publish, ...selection } = query
      const result = await agent.statusListUpdateCredential({
        ...withoutUndefined({ ...selection, ...body }),
        statusAction,
      })
      return { published: true, ...result }
    },
  })
}

export const credentialRevoke = credentialUpdate('revoke', {
  summary: 'Revoke a credential',
  description: 'Revokes a credential in the status list that it names, permanently.',
  flag: { revoked: true },
})

export const credentialSuspend = credentialUpdate('suspend', {
  summary: 'Suspend a credential',
  description: 'Suspends a credential in the status list that it names.',
  flag: { suspended: true },
})

export const credentialReinstate = credentialUpdate('reinstate', {
  summary: 'Reinstate a credential',
  description: 'Ends the suspension of a credential. A revoked credential stays revoked.',
  flag: { unsuspended: true },
})
