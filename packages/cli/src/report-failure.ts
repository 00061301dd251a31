import type { ConfigurationError } from '@vidimus/agent-config/loading'
import type { ApiError } from '@vidimus/client'
import { isAgentError } from '@vidimus/core-types'
import { harmless } from './harmless.js'

/**
 * Reports a failure in words for the operator: without a stack for known errors.
 *
 * @returns the exit code
 */
export function reportFailure(error: unknown): 1 | 2 {
  if (isConfigurationError(error)) {
    console.error(error.message)
    return 2
  }
  if (isApiError(error)) {
    console.error(harmless(`vidimus: ${error.message}`))
    for (const { path, message } of error.details.slice(1)) console.error(harmless(`  ${path}: ${message}`))
    if (error.requestId !== undefined) console.error(harmless(`  request ${error.requestId}`))
    return 1
  }
  if (isAgentError(error)) {
    console.error(`vidimus: ${error.message}`)
    return error.code === 'invalid_configuration' ? 2 : 1
  }
  console.error('vidimus: internal error')
  console.error(error)
  return 1
}

/** What a service elsewhere answered. */
const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'

/** By its name: its class is loaded by the commands that read a configuration, and by no others. */
const isConfigurationError = (error: unknown): error is ConfigurationError =>
  error instanceof Error && error.name === 'ConfigurationError'
