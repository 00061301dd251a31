import type { CredentialIssueArgs } from '@vidimus/core-types'
import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder, exampleJwt, exampleListUrl, VerifiableCredential } from '../schemas/credential.js'
import { requestedStatus } from '../schemas/requested-status.js'
import { exampleDid } from '../schemas/did.js'
import { described, did, object, uriList, words } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const asked = schemas.CredentialIssueArgs.shape

const MOST_ENTRIES = 1000

function entries(entry: z.ZodType, description: string, what: string) {
  const needed = `must be ${what} or a list of at least one of them`
  return z
    .union([entry, z.array(entry).min(1, needed).max(MOST_ENTRIES)], { error: needed })
    .optional()
    .meta({ description })
}

const anything = (description: string) => entries(object('One'), description, 'a JSON object')

const exampleEntry = {
  type: 'BitstringStatusListEntry',
  id: `${exampleListUrl}#94567`,
  statusPurpose: 'revocation',
  statusListIndex: '94567',
  statusListCredential: exampleListUrl,
}

export const credentialIssue = defineOperation({
  id: 'credential-issue',
  method: 'post',
  path: '/credential/issue',
  tag: 'Credentials',
  summary: 'Issue a credential',
  description: [
    'Signs a credential with a DID of the account, in the form that `format` names: `jwt_vc` is a JWT of the VC data model',
    '1.1, `vc+jwt` one of the data model 2.0 (VC-JOSE-COSE), `dc+sd-jwt` an SD-JWT VC and `vc+sd-jwt` an SD-JWT of the data model',
    '2.0, in which `disclosureFrame` makes claims selectively disclosable: give the holder the text in `proof.jwt` of the response.',
    '`ldp_vc` is a credential of the data model 2.0 with a Data Integrity proof: give the holder the response itself.',
    'With `credentialStatus` it gets an entry of a status list, so that it can be revoked: a random index',
    'that no other credential gets. A rejected call uses none. Such a credential has an id, and is in the',
    'register of the account under a hash of it.',
  ].join('\n'),
  needs: ['credentialIssue'],
  changes: true,
  body: z.strictObject({
    ...asked,
    issuerDid: did(described(asked.issuerDid)),
    subjectDid: did(described(asked.subjectDid)).optional(),
    '@context': uriList(described(asked['@context'])).optional(),
    type: words(described(asked.type)).optional(),
    format: asked.format.meta({ description: `${described(asked.format)}. \`jwt\` is \`jwt_vc\`` }),
    credentialSchema: anything(described(asked.credentialSchema)),
    credentialStatus: requestedStatus(),
    termsOfUse: anything(described(asked.termsOfUse)),
    refreshService: anything(described(asked.refreshService)),
    evidence: anything(described(asked.evidence)),
  }),
  response: VerifiableCredential,
  responseExample: {
    '@context': ['https://www.w3.org/2018/credentials/v1', 'https://www.w3.org/ns/credentials/status/v1'],
    type: ['VerifiableCredential', 'Person'],
    issuer: { id: exampleDid },
    credentialSubject: { id: exampleHolder, name: 'Bob' },
    issuanceDate: '2026-01-31T09:30:00.000Z',
    credentialStatus: exampleEntry,
    proof: { type: 'JwtProof2020', jwt: exampleJwt },
  },
  examples: [
    {
      summary: 'A person',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        type: ['Person'],
        attributes: { name: 'Bob' },
        expirationDate: '2027-01-31T00:00:00Z',
      },
    },
    {
      summary: 'Revocable, by a list of the issuer',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        type: ['Person'],
        attributes: { name: 'Bob' },
        credentialStatus: { statusListName: 'employees', statusPurpose: 'revocation' },
      },
    },
    {
      summary: 'Can be suspended and revoked, with one index in both lists',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        attributes: { name: 'Bob' },
        credentialStatus: {
          statusListName: 'members',
          statusListType: 'StatusList2021',
          statusPurpose: ['revocation', 'suspension'],
        },
      },
    },
    {
      summary: 'Of the data model 2.0',
      body: {
        format: 'vc+jwt',
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        attributes: { name: 'Bob' },
        validUntil: '2027-01-31T00:00:00Z',
      },
    },
    {
      summary: 'An SD-JWT VC with a selectively disclosable name',
      body: {
        format: 'dc+sd-jwt',
        vct: 'https://credentials.example.com/person',
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        attributes: { name: 'Bob', country: 'GB' },
        disclosureFrame: { _sd: ['name'] },
      },
    },
    {
      summary: 'With a ready entry',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        attributes: { name: 'Bob' },
        credentialStatus: exampleEntry,
      },
    },
  ],
  run: ({ body: { format, ...body }, agent }) =>
    agent.credentialIssue(
      withoutUndefined({ ...body, format: format === 'jwt' ? 'jwt_vc' : format }) as CredentialIssueArgs,
    ),
})
