import { statusTerms, type credentialMethods } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { requestedStatusProblems } from './status/requested-status.js'

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
export const credentialIssueArguments = ({ credentialIssue }: Pick<Methods, 'credentialIssue'>) =>
  credentialIssue.arguments.extend({ credentialStatus: statusRequests })

/** @param described - the method with its configured formats */
export const credentialSignArguments = ({ credentialSign }: Pick<Methods, 'credentialSign'>) =>
  credentialSign.arguments.extend({ credentialStatus: statusRequests })

/** Checks arguments before verification; problems with the credential itself are part of the verdict. */
export const CredentialVerifyArguments = z.looseObject(statusTerms)
