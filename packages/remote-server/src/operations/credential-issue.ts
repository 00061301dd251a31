import { isPointInTime, NO_TIME, type CredentialIssueArgs } from '@vidimus/core-types'
import { word } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder, exampleJwt, exampleListUrl, VerifiableCredential } from '../schemas/credential.js'
import { requestedStatus } from '../schemas/requested-status.js'
import { exampleDid } from '../schemas/did.js'
import { did, object, uriList, words } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const MOST_ENTRIES = 1000

function entries(entry: z.ZodType, description: string, what: string) {
  const needed = `must be ${what} or a list of at least one of them`
  return z
    .union([entry, z.array(entry).min(1, needed).max(MOST_ENTRIES)], { error: needed })
    .optional()
    .meta({ description })
}

const time = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: NO_TIME })
    .refine(isPointInTime, NO_TIME)
    .optional()
    .meta({ description })

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
    '1.1, `vc+jwt` one of the data model 2.0 (VC-JOSE-COSE). The text to hand out is in `proof.jwt` of the answer.',
    'With `credentialStatus` it is given an entry of a status list, by which it can be revoked: an index that nobody can',
    'foretell and that no other credential gets. A refused call uses up none.',
  ].join('\n'),
  needs: ['credentialIssue'],
  changes: true,
  body: z.strictObject({
    issuerDid: did('DID of the issuer, held by the account'),
    subjectDid: did('DID of the subject').optional(),
    attributes: object('Claims about the subject: at least one beside its `id`'),
    '@context': uriList('Contexts beside that of the data model').optional(),
    type: words('Types beside VerifiableCredential').optional(),
    name: z.unknown().optional().meta({ description: 'Name of the credential, in one language or several' }),
    description: z.unknown().optional().meta({ description: 'As `name`' }),
    validFrom: time('Begin of the validity; default: now'),
    validUntil: time('End of the validity, in the future'),
    expirationDate: time('Another name of `validUntil`'),
    format: word(
      'Form of the credential, one of the configured ones; default: the first. `jwt` is `jwt_vc`',
      ['jwt_vc', 'vc+jwt', 'jwt'],
    ).optional(),
    credentialSchema: anything('See VC data model 2.0, 4.11; kept as it is'),
    credentialStatus: requestedStatus(),
    termsOfUse: anything('See VC data model 1.1, 5.5'),
    refreshService: anything('See VC data model 1.1, 5.4'),
    evidence: anything('See VC data model 1.1, 5.6'),
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
      summary: 'One that can be revoked, by a list of the issuer',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        type: ['Person'],
        attributes: { name: 'Bob' },
        credentialStatus: { statusListName: 'employees', statusPurpose: 'revocation' },
      },
    },
    {
      summary: 'One that can be suspended and revoked, with one index in both lists',
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
      summary: 'One of the data model 2.0',
      body: {
        format: 'vc+jwt',
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        attributes: { name: 'Bob' },
        validUntil: '2027-01-31T00:00:00Z',
      },
    },
    {
      summary: 'With an entry that the caller wrote',
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
