import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder } from '../schemas/credential.js'
import { did, object, uriList, words } from '../schemas/primitives.js'
import { presentationCreateArgs } from '@vidimus/core-types/schemas'
import { BOUNDS } from '@vidimus/core-types'
import { asked, exampleCredential, exampleProof, Options, Secured } from '../schemas/vc-api.js'
import { vcApiPaths } from '../vc-api/vc-api-paths.js'
import { VC_API_REFUSAL } from '../vc-api/vc-api-refusal.js'
import { withoutUndefined } from './without-undefined.js'

const V2 = 'https://www.w3.org/ns/credentials/v2'

const examplePresentation = {
  '@context': [V2],
  type: ['VerifiablePresentation'],
  holder: exampleHolder,
  verifiableCredential: [{ ...exampleCredential, proof: exampleProof }],
}

export const vcApiCreatePresentation = defineOperation({
  id: 'vc-api-create-presentation',
  method: 'post',
  path: '/presentations',
  tag: 'VC API',
  switch: 'vcApi',
  summary: 'Create a presentation (VC API, for testing)',
  description:
    'Signs a presentation with a Data Integrity proof of its `holder`, a DID of the account, as `POST /presentation/create` does with `ldp_vp`. Members other than these are refused.',
  testOnly: true,
  needs: ['presentationCreate'],
  changes: true,
  status: 201,
  jsonOnly: true,
  body: z.strictObject({
    presentation: z.strictObject({
      '@context': uriList('That of the data model 2.0').refine(
        ([first, ...others]) => first === V2 && others.length === 0,
        `must be "${V2}" alone`,
      ),
      type: words('VerifiablePresentation').refine(
        ([first, ...others]) => first === 'VerifiablePresentation' && others.length === 0,
        'must be VerifiablePresentation alone',
      ),
      holder: did(
        'DID of the holder, held by the account; default: the subject of the credentials',
      ).optional(),
      verifiableCredential: z
        .preprocess(
          (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value),
          z.array(object('A credential')).min(1).max(BOUNDS.credentials),
        )
        .meta({ description: 'The credentials, with their proofs or enveloped' }),
    }),
    options: Options({
      ...asked,
      expiresIn: presentationCreateArgs(BOUNDS.credentials).shape.expiresIn,
    }),
  }),
  response: z.object({ verifiablePresentation: Secured('The presentation') }),
  responseExample: {
    verifiablePresentation: {
      ...examplePresentation,
      proof: { ...exampleProof, proofPurpose: 'authentication' },
    },
  },
  refusal: VC_API_REFUSAL,
  examples: [
    {
      summary: 'For one verifier',
      body: {
        presentation: examplePresentation,
        options: { challenge: 'n-0S6', domain: 'https://verifier.example' },
      },
    },
  ],
  async run({ body: { presentation, options = {} }, agent }) {
    const { verifiableCredential: credentials, holder: holderDid } = presentation
    const { challenge: nonce, domain: audience, expiresIn } = options
    const args = withoutUndefined({ holderDid, nonce, audience, expiresIn })
    const { vp } = await vcApiPaths(() =>
      agent.presentationCreate({ credentials, format: 'ldp_vp', ...args }),
    )
    return { verifiablePresentation: vp }
  },
})
