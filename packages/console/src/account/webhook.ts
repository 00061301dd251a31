/** A receiver of the account's events, as the service lists it. */
export interface Webhook {
  id: string
  url: string
  types?: string[]
  createdAt: string
  state?: 'active' | 'suspended'
  revokedAt?: string
  revokedBy?: 'account' | 'receiver' | 'service'
  lastDeliveredAt?: string
  lastFailure?: { time: string; reason: string }
  waiting: number
  deadLetters: number
}

export type CreatedWebhook = Webhook & { secret: string }
