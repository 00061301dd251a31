import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret of a webhook, in the form that libraries of receivers take. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The content and the message id, which is the same for every attempt. */
export interface SignedMessage {
  id: string
  /** seconds since 1970 */
  timestamp: number
  body: string
}

/**
 * The headers by which a receiver knows that a message comes from here, unchanged and not long ago.
 *
 * @param secret - as {@link newWebhookSecret} makes it
 * @see Standard Webhooks, "Webhook Headers (Metadata)" and "Signature scheme"
 */
export function signatureHeaders(
  secret: string,
  { id, timestamp, body }: SignedMessage,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}
