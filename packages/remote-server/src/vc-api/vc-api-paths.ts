import { atPaths } from '@vidimus/core-types'

/** Reports problems at their paths in a request of the VC API, where arguments are options. */
export const vcApiPaths = <T>(work: () => Promise<T>): Promise<T> => atPaths(fieldPath, work)

const PLACES: Readonly<Record<string, string>> = {
  format: 'options.format',
  credentialId: 'options.credentialId',
  credentialStatus: 'options.credentialStatus',
  audience: 'options.domain',
  nonce: 'options.challenge',
  expiresIn: 'options.expiresIn',
  holderDid: 'presentation.holder',
  credentials: 'presentation.verifiableCredential',
}

function fieldPath(path: string): string {
  const [name = ''] = path.split(/[.[]/, 1)
  return Object.hasOwn(PLACES, name) ? `${PLACES[name]}${path.slice(name.length)}` : path
}
