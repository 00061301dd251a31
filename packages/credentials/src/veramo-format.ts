import type {
  IAgentContext,
  ICreateVerifiableCredentialArgs,
  IResolver,
  IVerifyCredentialArgs,
  IVerifyResult,
  VerifiableCredential,
  W3CVerifiableCredential,
} from '@veramo/core-types'
import {
  isAgentError,
  isJsonObject,
  problemsError,
  requireMethods,
  type CredentialFormat,
  type CredentialIssueArgs,
  type NewCredentialStatus,
  type ReadCredential,
  type SigningContext,
} from '@vidimus/core-types'
import { checkTrueToJwt, mayHoldJwt, presentedJwt } from './jwt/presented-form.js'
import { readCredential } from './jwt/read-credential.js'
import { contextsOf1, sharedMembers } from './new-credential.js'
import { readCredentialObject } from './read-credential-object.js'

/** The members of an `AbstractCredentialProvider` of `@veramo/credential-w3c` that a format needs. */
export interface VeramoProvider {
  canVerifyDocumentType(query: { document: W3CVerifiableCredential }): boolean
  createVerifiableCredential(
    args: ICreateVerifiableCredentialArgs,
    context: SigningContext,
  ): Promise<VerifiableCredential>
  verifyCredential(args: IVerifyCredentialArgs, context: IAgentContext<IResolver>): Promise<IVerifyResult>
}

export interface VeramoFormatOptions {
  /** the name of the format, and Veramo's `proofFormat` */
  id: string
  /** media types under which its credentials are served and accepted */
  mediaTypes?: readonly string[]
}

/** The engine checks time and status itself. */
const SIGNATURE_ALONE = {
  credentialStatus: false,
  issuanceDate: false,
  expirationDate: false,
  nbf: false,
  iat: false,
  exp: false,
}

/**
 * A credential format based on a provider for Veramo's credential plugin, for `credentialFormats` in `agent.yml`. The
 * provider signs and verifies; the key is chosen here, by the current DID document.
 *
 * @throws AgentError `invalid_configuration` if it is not such a provider
 */
export function veramoFormat(
  provider: VeramoProvider,
  { id, mediaTypes = [] }: VeramoFormatOptions,
): CredentialFormat {
  requireMethods(
    provider,
    ['canVerifyDocumentType', 'createVerifiableCredential', 'verifyCredential'],
    'a provider for the credential plugin of @veramo/credential-w3c',
  )
  return {
    id,
    mediaTypes,
    recognises: (shown) => recognises(provider, shown),
    read: (shown) => (mayHoldJwt(shown) ? readJwt(shown) : readCredentialObject(shown)),
    checkShown(shown) {
      if (!mayHoldJwt(shown)) return
      const { credential, parsed } = readCredential(presentedJwt(shown))
      checkTrueToJwt(shown, credential, parsed.payload, 'vc')
    },
    verify: ({ secured, issuer }, { context }) => verify(provider, { secured, issuer }, context),
    async prepareIssue(args, now, context) {
      const { key } = await context.agent.didHeldKey({ did: args.issuerDid, act: 'assertionMethod' })
      return async (status) => {
        const credential = veramoCredential(args, status, now)
        const request = { credential, proofFormat: id, keyRef: key.kid }
        return provider.createVerifiableCredential(request, context)
      }
    },
  }
}

const readJwt = (shown: unknown): ReadCredential => readCredential(presentedJwt(shown))

function recognises(provider: VeramoProvider, shown: unknown): boolean {
  try {
    return Boolean(provider.canVerifyDocumentType({ document: shown as W3CVerifiableCredential }))
  } catch {
    return false
  }
}

/** @returns the verification method named in its proof, or else the issuer */
async function verify(
  provider: VeramoProvider,
  { secured, issuer }: Pick<ReadCredential, 'secured' | 'issuer'>,
  context: IAgentContext<IResolver>,
): Promise<string> {
  const credential = secured as W3CVerifiableCredential
  const { verified, error } = await outcome(() =>
    provider.verifyCredential({ credential, policies: SIGNATURE_ALONE }, context),
  )
  if (!verified) {
    const message = error?.message ?? 'its signature is invalid'
    throw problemsError('invalid_credential', [{ path: 'credential', message }])
  }
  const proof = isJsonObject(secured) ? secured.proof : undefined
  const method = isJsonObject(proof) ? proof.verificationMethod : undefined
  return typeof method === 'string' ? method : issuer
}

/** Providers throw plain errors for unreadable documents; outages of this service are rethrown. */
async function outcome(
  work: () => Promise<IVerifyResult>,
): Promise<Pick<IVerifyResult, 'verified' | 'error'>> {
  try {
    return await work()
  } catch (error) {
    if (isAgentError(error)) throw error
    return { verified: false, error: { message: 'its signature could not be verified' } }
  }
}

function veramoCredential(
  args: CredentialIssueArgs,
  status: NewCredentialStatus,
  now: Date,
): ICreateVerifiableCredentialArgs['credential'] {
  const { issuerDid, credentialId: id, validFrom, validUntil } = args
  return {
    '@context': contextsOf1(args, status),
    ...(id !== undefined && { id }),
    ...sharedMembers(args, status),
    issuer: { id: issuerDid },
    issuanceDate: (validFrom === undefined ? now : new Date(validFrom)).toISOString(),
    ...(status.status && { status: status.status }),
    ...(validUntil !== undefined && { expirationDate: validUntil }),
  }
}
