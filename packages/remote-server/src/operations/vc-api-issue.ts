import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { object } from '../schemas/primitives.js'
import { exampleCredential, exampleProof, IssueOptions, Secured } from '../schemas/vc-api.js'
import { VC_API_REFUSAL } from '../vc-api/vc-api-refusal.js'
import { vcApiPaths } from '../vc-api/vc-api-paths.js'
import { withoutUndefined } from './without-undefined.js'

export const vcApiIssue = defineOperation({
  id: 'vc-api-issue',
  method: 'post',
  path: '/credentials/issue',
  tag: 'VC API',
  switch: 'vcApi',
  summary: 'Issue a credential (VC API)',
  description:
    'Signs a credential of the data model 2.0, in `ldp_vc` also of 1.1, as it is, with a key of its `issuer`, a DID of the account. Enveloping formats return an `EnvelopedVerifiableCredential`. Issued credentials are not stored.',
  needs: ['credentialSign'],
  changes: true,
  status: 201,
  jsonOnly: true,
  body: z.strictObject({
    credential: object('The credential, without a proof'),
    options: IssueOptions,
  }),
  response: z.object({ verifiableCredential: Secured('The credential') }),
  responseExample: { verifiableCredential: { ...exampleCredential, proof: exampleProof } },
  refusal: VC_API_REFUSAL,
  examples: [{ summary: 'A person', body: { credential: exampleCredential } }],
  async run({ body: { credential, options = {} }, agent }) {
    const { credentialId, format = 'ldp_vc', credentialStatus } = options
    const asked = withoutUndefined({ credential, format, credentialId, credentialStatus })
    return { verifiableCredential: await vcApiPaths(() => agent.credentialSign(asked)) }
  },
})
