import {
  FormatsOption,
  presentationFormats,
  StatusFees,
  type MethodsInContext,
  type Verification,
} from '@vidimus/credentials'
import { documentSource } from '@vidimus/verification-methods'
import type { IAgentContext, IAgentPlugin, IResolver } from '@veramo/core-types'
import {
  checkArguments,
  parseOptions,
  pluginSchema,
  type CredentialFormat,
  type IPresentation,
  type PresentationCreateArgs,
  type PresentationCreateResult,
  type PresentationVerifyArgs as VerifyArgs,
  type PresentationFormat,
  type PresentationVerifyResult,
  type SigningContext,
} from '@vidimus/core-types'
import { expectations, presentationMethods, statusTerms } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { createPresentation } from './create-presentation.js'
import { verifyPresentation } from './verify-presentation.js'

export interface PresentationPluginOptions {
  /** those of the credentials, for creating and verifying presentations; default: JwtCredentials */
  formats?: readonly CredentialFormat[]
  /** credentials in one presentation, made or verified: 1 to 1000, default 100 */
  maxCredentials?: number
  /** the time now; default: the clock of the system */
  clock?: () => Date
}

export const Options = z.strictObject({
  formats: FormatsOption.refine((formats) => presentationFormats(formats).length > 0, {
    error: 'must contain a format that creates presentations',
  }),
  maxCredentials: z.int().min(1).max(1000).default(100),
  clock: z
    .custom<() => Date>((value) => typeof value === 'function', { error: 'must be a function' })
    .optional(),
})

/** Agent plugin for presentations: made for a holder, and verified with everything in them. */
export class PresentationPlugin implements IAgentPlugin {
  readonly methods: MethodsInContext<IPresentation, SigningContext> = {
    presentationCreate: (args: PresentationCreateArgs, context: SigningContext) =>
      this.#create(args, context),
    presentationVerify: (args: PresentationVerifyArgs, context: IAgentContext<IResolver>) =>
      this.#verify(args, context),
  }

  readonly schema
  readonly #formats: readonly CredentialFormat[]
  readonly #maxCredentials: number
  /** made once: making a schema costs more than checking with it */
  readonly #createSchema: PresentationMethods['presentationCreate']['arguments']
  readonly #clock: () => Date

  /** @throws AgentError `invalid_configuration` */
  constructor(options: PresentationPluginOptions = {}) {
    const { formats, maxCredentials, clock = () => new Date() } = parseOptions(Options, options)
    this.#formats = formats
    this.#maxCredentials = maxCredentials
    this.#clock = clock
    const ids = presentationFormats(formats).map(({ id }) => id)
    const methods = presentationMethods(maxCredentials, ids)
    this.#createSchema = methods.presentationCreate.arguments
    this.schema = pluginSchema(methods)
  }

  async #create(args: PresentationCreateArgs, context: SigningContext): Promise<PresentationCreateResult> {
    const verification = this.#verification(context)
    return createPresentation(args, {
      context,
      formats: presentationFormats(this.#formats) as [PresentationFormat, ...PresentationFormat[]],
      verification,
      schema: this.#createSchema,
      maxCredentials: this.#maxCredentials,
    })
  }

  async #verify(
    args: PresentationVerifyArgs,
    context: IAgentContext<IResolver>,
  ): Promise<PresentationVerifyResult> {
    const { presentation, ...expected } = checkArguments(VerifyArguments, args)
    const { verifierDid, audience, nonce, requireHolderIsSubject = false } = expected
    const expectation = {
      maxCredentials: this.#maxCredentials,
      audiences: Object.entries({ verifierDid, audience }).filter(isGiven),
      nonce,
      requireHolderIsSubject,
    }
    return verifyPresentation(presentation, expectation, this.#verification(context, args))
  }

  #verification(
    context: IAgentContext<IResolver>,
    { statusPolicy = 'default', makeFeePayment, maxFee }: StatusTerms = {},
  ): Verification {
    const fees = new StatusFees(makeFeePayment, maxFee)
    const now = this.#clock()
    return { context, documentOf: documentSource(context), now, statusPolicy, fees, formats: this.#formats }
  }
}

type StatusTerms = Pick<VerifyArgs, 'statusPolicy' | 'makeFeePayment' | 'maxFee'>

type PresentationMethods = ReturnType<typeof presentationMethods>

/** Checked before verifying; the verdict covers problems of the document itself. */
const VerifyArguments = z.looseObject({ ...expectations, ...statusTerms })

interface PresentationVerifyArgs extends Omit<VerifyArgs, 'presentation'> {
  presentation: unknown
}

const isGiven = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined
