import { documentSource } from '@vidimus/verification-methods'
import type { IAgentContext, IAgentPlugin, IResolver, VerifiableCredential } from '@veramo/core-types'
import {
  checkArguments,
  parseOptions,
  pluginSchema,
  type CredentialFormat,
  type CredentialIssueArgs,
  type CredentialSignArgs,
  type CredentialVerifyArgs,
  type CredentialVerifyResult,
  type ICredentials,
  type SecuredCredential,
  type SigningContext,
} from '@vidimus/core-types'
import { credentialMethods, statusTerms } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { FormatsOption } from './format-of.js'
import { issueCredential } from './issue-credential.js'
import type { MethodsInContext } from './methods-in-context.js'
import { signCredential } from './sign-credential.js'
import { StatusFees } from './status/status-fees.js'
import { verifyCredential } from './verify-credential.js'
import { requestedStatusProblems } from './status/requested-status.js'

export interface CredentialsPluginOptions {
  /** issued and verified formats; new credentials use the first unless they name another. Default: JwtCredentials */
  formats?: readonly CredentialFormat[]
  /** current time; default: the system clock */
  clock?: () => Date
}

export const Options = z.strictObject({
  formats: FormatsOption,
  clock: z
    .custom<() => Date>((value) => typeof value === 'function', { error: 'must be a function' })
    .optional(),
})

/**
 * Agent plugin that issues and verifies credentials. It does not use Veramo's credential plugin for signing and
 * verification: that one chooses the key without checking the DID document, sets no `kid` in the header, and does not
 * check the status of credentials in JWT form. Both can be used in one agent, as their methods have different names.
 *
 * The status of credentials is checked through the agent method `checkCredentialStatus`. An agent without it refuses
 * credentials with a status.
 */
export class CredentialsPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<ICredentials, SigningContext> = {
    credentialIssue: (args: CredentialIssueArgs, context: SigningContext) => this.#issue(args, context),
    credentialSign: (args: CredentialSignArgs, context: SigningContext) => this.#sign(args, context),
    credentialVerify: (args: VerifyArgs, context: IAgentContext<IResolver>) => this.#verify(args, context),
  }

  readonly schema
  readonly #formats: readonly [CredentialFormat, ...CredentialFormat[]]
  readonly #issueArguments: ReturnType<typeof credentialIssueArguments>
  readonly #signArguments: ReturnType<typeof credentialSignArguments>
  readonly #clock: () => Date

  /** @throws AgentError `invalid_configuration` */
  constructor(options: CredentialsPluginOptions = {}) {
    const { formats, clock = () => new Date() } = parseOptions(Options, options)
    this.#formats = formats
    const methods = credentialMethods(formats.map(({ id }) => id))
    this.#issueArguments = credentialIssueArguments(methods)
    this.#signArguments = credentialSignArguments(methods)
    this.#clock = clock
    this.schema = pluginSchema(methods)
  }

  async #issue(args: CredentialIssueArgs, context: SigningContext): Promise<VerifiableCredential> {
    const checked = checkArguments(this.#issueArguments, args)
    const format = this.#formats.find(({ id }) => id === checked.format) ?? this.#formats[0]
    return issueCredential(checked, format, this.#clock(), context)
  }

  async #sign(args: CredentialSignArgs, context: SigningContext): Promise<SecuredCredential> {
    const checked = checkArguments(this.#signArguments, args)
    return signCredential(checked, this.#formats, this.#clock(), context)
  }

  async #verify(args: VerifyArgs, context: IAgentContext<IResolver>): Promise<CredentialVerifyResult> {
    checkArguments(CredentialVerifyArguments, args)
    const { result } = await verifyCredential(args.credential, 'credential', {
      context,
      documentOf: documentSource(context),
      now: this.#clock(),
      formats: this.#formats,
      statusPolicy: args.statusPolicy ?? 'default',
      fees: new StatusFees(args.makeFeePayment, args.maxFee),
    })
    return result
  }
}

interface VerifyArgs extends Omit<CredentialVerifyArgs, 'credential'> {
  credential: unknown
}

/** Checks each status request separately, so that its problems have their own paths. */
const statusRequests = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of requestedStatusProblems(value)) {
      context.addIssue({ code: 'custom', message, path })
    }
  })
  .optional()

type Methods = ReturnType<typeof credentialMethods>

/** @param described - the method with its configured formats */
const credentialIssueArguments = ({ credentialIssue }: Pick<Methods, 'credentialIssue'>) =>
  credentialIssue.arguments.extend({ credentialStatus: statusRequests })

/** @param described - the method with its configured formats */
const credentialSignArguments = ({ credentialSign }: Pick<Methods, 'credentialSign'>) =>
  credentialSign.arguments.extend({ credentialStatus: statusRequests })

/** Checks arguments before verification; problems with the credential itself are part of the verdict. */
const CredentialVerifyArguments = z.looseObject(statusTerms)
