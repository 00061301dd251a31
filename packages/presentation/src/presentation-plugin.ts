import { documentSource } from '@vidimus/verification-methods'
import type { IAgentContext, IAgentPlugin, IResolver, VerifiableCredential } from '@veramo/core-types'
import {
  checkArguments,
  parseOptions,
  pluginSchema,
  type CredentialIssueArgs,
  type CredentialVerifyResult,
  type IPresentation,
  type PresentationCreateArgs,
  type PresentationCreateResult,
  type PresentationVerifyArgs as VerifyArgs,
  type PresentationVerifyResult,
} from '@vidimus/core-types'
import { z } from 'zod'
import { createPresentation } from './create-presentation.js'
import { issueCredential } from './issue-credential.js'
import type { MethodsInContext } from './methods-in-context.js'
import * as schemas from './schemas.js'
import type { SigningContext } from './sign-jwt.js'
import { StatusFees } from './status-fees.js'
import { verifyCredential, type Verification } from './verify-credential.js'
import { verifyPresentation } from './verify-presentation.js'

export interface PresentationPluginOptions {
  /** credentials in one presentation, made or verified: 1 to 1000, default 100 */
  maxCredentials?: number
  /** the time now; default: the clock of the system */
  clock?: () => Date
}

export const Options = z.strictObject({
  maxCredentials: z.int().min(1).max(1000).default(100),
  clock: z
    .custom<() => Date>((value) => typeof value === 'function', { error: 'has to be a function' })
    .optional(),
})

/**
 * Agent plugin for credentials and presentations as JWT (VC data model 1.1). It signs and verifies by itself instead
 * of through Veramo's credential plugin: there the key is chosen without a look at the DID document, the header has
 * no `kid`, what is inside a presentation is not verified, and the status of a credential in JWT form is not checked.
 * Both can stand in one agent; their methods have different names.
 *
 * The status of credentials is checked through the agent method `checkCredentialStatus`. An agent without it refuses
 * credentials that name a status.
 */
export class PresentationPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<IPresentation, SigningContext> = {
    credentialIssue: (args: CredentialIssueArgs, context: SigningContext) => this.#issue(args, context),
    credentialVerify: (args: { credential: unknown } & FeeArgs, context: IAgentContext<IResolver>) =>
      this.#verifyCredential(args, context),
    presentationCreate: (args: PresentationCreateArgs, context: SigningContext) =>
      this.#create(args, context),
    presentationVerify: (args: PresentationVerifyArgs, context: IAgentContext<IResolver>) =>
      this.#verifyPresentation(args, context),
  }

  readonly schema
  readonly #maxCredentials: number
  readonly #clock: () => Date

  /** @throws AgentError `invalid_configuration` */
  constructor(options: PresentationPluginOptions = {}) {
    const { maxCredentials, clock = () => new Date() } = parseOptions(Options, options)
    this.#maxCredentials = maxCredentials
    this.#clock = clock
    this.schema = describedMethods(maxCredentials)
  }

  async #issue(args: CredentialIssueArgs, context: SigningContext): Promise<VerifiableCredential> {
    return issueCredential(checkArguments(schemas.CredentialIssueArguments, args), this.#clock(), context)
  }

  async #verifyCredential(
    args: { credential: unknown } & FeeArgs,
    context: IAgentContext<IResolver>,
  ): Promise<CredentialVerifyResult> {
    checkArguments(schemas.VerifyArgumentsSchema, args)
    const verification = this.#verification(context, args)
    const { result } = await verifyCredential(args.credential, 'credential', verification)
    return result
  }

  async #create(args: PresentationCreateArgs, context: SigningContext): Promise<PresentationCreateResult> {
    const { documentOf, now } = this.#verification(context)
    return createPresentation(args, { context, documentOf, now, maxCredentials: this.#maxCredentials })
  }

  async #verifyPresentation(
    args: PresentationVerifyArgs,
    context: IAgentContext<IResolver>,
  ): Promise<PresentationVerifyResult> {
    const { presentation, ...expected } = checkArguments(schemas.VerifyArgumentsSchema, args)
    const { verifierDid, audience, nonce, requireHolderIsSubject = false } = expected
    const expectation = {
      maxCredentials: this.#maxCredentials,
      audiences: Object.entries({ verifierDid, audience }).filter(isGiven),
      nonce,
      requireHolderIsSubject,
    }
    return verifyPresentation(presentation, expectation, this.#verification(context, args))
  }

  #verification(context: IAgentContext<IResolver>, { makeFeePayment, maxFee }: FeeArgs = {}): Verification {
    const fees = new StatusFees(makeFeePayment, maxFee)
    return { context, documentOf: documentSource(context), now: this.#clock(), fees }
  }
}

interface FeeArgs {
  makeFeePayment?: boolean
  maxFee?: number
}

interface PresentationVerifyArgs extends Omit<VerifyArgs, 'presentation'>, FeeArgs {
  presentation: unknown
}

const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined

const describedMethods = (maxCredentials: number) =>
  pluginSchema({
    credentialIssue: {
      description: 'Issues a credential as JWT, signed with a key of a DID that the account holds',
      arguments: schemas.CredentialIssueSchema,
      returns: schemas.IssuedCredentialSchema,
    },
    credentialVerify: {
      description: 'Verifies a credential: signature, validity in time and status',
      arguments: schemas.CredentialVerifySchema,
      returns: schemas.CredentialVerifyResultSchema,
    },
    presentationCreate: {
      description: 'Makes a presentation of credentials, signed by their holder; for testing',
      arguments: schemas.presentationCreateSchema(maxCredentials),
      returns: schemas.PresentationCreateResultSchema,
    },
    presentationVerify: {
      description: 'Verifies a presentation with everything in it',
      arguments: schemas.PresentationVerifySchema,
      returns: schemas.PresentationVerifyResultSchema,
    },
  })
