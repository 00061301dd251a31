import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { KEY_HEADER, REPLAYED_HEADER } from '../idempotency/idempotency-key.js'

const DESCRIPTION = [
  'Chosen by the client, for example a UUID: a repeated request with the same key gets the original response. With',
  'a different request the same key is rejected (`idempotency_key_reused`).',
].join(' ')

/** Of operations that change something, if the service stores responses. */
export const KEY_PARAMETER = z.object({
  [KEY_HEADER]: z
    .string()
    .min(1)
    .max(BOUNDS.idempotencyKey)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .meta({ description: DESCRIPTION, example: '8e03978e-40d5-43dd-bc93-6894a57f9324' }),
})

/** Of their responses. */
export const REPLAYED = {
  [REPLAYED_HEADER]: {
    description: '`true` if this is the response of an earlier request; absent otherwise',
    schema: { type: 'boolean' as const },
  },
}

/** The same parameter, for documents that are not derived from schemas in code. */
export const KEY_PARAMETER_OBJECT = {
  name: KEY_HEADER,
  in: 'header',
  required: false,
  description: DESCRIPTION,
  schema: { type: 'string', minLength: 1, maxLength: BOUNDS.idempotencyKey },
}
