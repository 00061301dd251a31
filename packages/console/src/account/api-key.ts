/** An API key of the account, as the service lists it. */
export interface ApiKey {
  id: string
  name?: string
  shown: string
  scopes?: string[]
  networks?: string[]
  createdAt: string
  expiresAt?: string
  revokedAt?: string
  lastUsedAt?: string
  rotatedTo?: string
  current?: boolean
}

export type CreatedApiKey = ApiKey & { apiKey: string }

/** What people call a key. */
export const labelOf = ({ name, shown }: Pick<ApiKey, 'name' | 'shown'>): string => name ?? shown

const isOver = ({ expiresAt }: ApiKey, now: Date) =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()

/** Whether the service still accepts it. */
export const isWorking = (key: ApiKey, now: Date): boolean => key.revokedAt === undefined && !isOver(key, now)

export function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== undefined) return 'revoked'
  if (isOver(key, now)) return key.rotatedTo === undefined ? 'expired' : 'rotated'
  return key.rotatedTo === undefined ? 'in use' : 'rotated, still accepted'
}
