import { z } from 'zod'
import type { DescribedMethod } from '../plugin-schema.js'
import * as credentials from './credentials.js'
import * as jwts from './did-jwt.js'
import * as presentations from './presentations.js'

/** The agent methods of JWTs that DIDs sign. */
export const didJwtMethods = {
  didJwtCreate: {
    description: 'Signs a JWT with a key of a DID that the account holds',
    arguments: jwts.DIDJwtCreateArgs,
    returns: z.string(),
  },
  didJwtVerify: {
    description: 'Verifies the signature of a JWT against the DID document of its signer',
    arguments: jwts.DIDJwtVerifyArgs,
    returns: jwts.DIDJwtVerifyResult,
  },
} satisfies Record<string, DescribedMethod>

/** The argument `format`: one of these ids; the default is the first. */
const formatAmong = (ids: readonly string[]) =>
  z.enum(ids, { error: `must be one of ${ids.join(', ')}` }).optional()

/**
 * The agent methods of credentials.
 *
 * @param formats - ids of those that are configured
 */
export const credentialMethods = (formats: readonly string[]) =>
  ({
    credentialIssue: {
      description: 'Issues a credential, signed with a key of a DID that the account holds',
      arguments: credentials.CredentialIssueArgs.extend({ format: formatAmong(formats) }),
      returns: credentials.IssuedCredential,
    },
    credentialSign: {
      description:
        'Signs an unsigned credential of the data model 2.0 (in `ldp_vc` also 1.1) as it is; returns it with its proof, or enveloped',
      arguments: credentials.CredentialSignArgs.extend({ format: formatAmong(formats) }),
      returns: credentials.SecuredCredential,
    },
    credentialVerify: {
      description: 'Verifies a credential: signature, validity in time and status',
      arguments: credentials.CredentialVerifyArgs,
      returns: credentials.CredentialVerifyResult,
    },
  }) satisfies Record<string, DescribedMethod>

/**
 * The agent methods of presentations.
 *
 * @param maxCredentials - in one presentation, at least 1
 * @param formats - ids of those that are configured
 */
export const presentationMethods = (maxCredentials: number, formats: readonly string[]) =>
  ({
    presentationCreate: {
      description: 'Creates a presentation of credentials, signed by their holder; for testing',
      arguments: presentations
        .presentationCreateArgs(maxCredentials)
        .extend({ format: formatAmong(formats) }),
      returns: presentations.PresentationCreateResult,
    },
    presentationVerify: {
      description: 'Verifies a presentation and every credential in it',
      arguments: presentations.PresentationVerifyArgs,
      returns: presentations.PresentationVerifyResult,
    },
  }) satisfies Record<string, DescribedMethod>
