/** Whose bearer token it is: a subject of an identity provider. */
export interface TokenHolder {
  issuer: string
  subject: string
}

/** Ids of API keys are UUIDs, which never begin like this. */
const PREFIX = 'token:'

/** The id of a grant by token: the same for every token of the holder, so that limits and records follow people. */
export const grantIdOfToken = ({ issuer, subject }: TokenHolder): string =>
  PREFIX + JSON.stringify([issuer, subject])

/** @param id - of a grant. @returns `undefined` for an API key */
export function tokenHolder(id: string): TokenHolder | undefined {
  if (!id.startsWith(PREFIX)) return undefined
  const [issuer, subject] = JSON.parse(id.slice(PREFIX.length)) as [string, string]
  return { issuer, subject }
}
