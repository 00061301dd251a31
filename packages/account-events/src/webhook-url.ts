import { BOUNDS, isLongerThan, problemsError } from '@vidimus/core-types'
import { demandPublicHost } from '@vidimus/public-hosts'

export interface UrlRules {
  allowHttp: boolean
  allowPrivateAddresses: boolean
}

/**
 * The URL of a new webhook in its normal form. The addresses of its name are checked with each connection.
 *
 * @throws AgentError `invalid_input`
 */
export function checkedWebhookUrl(value: unknown, { allowHttp, allowPrivateAddresses }: UrlRules): string {
  if (typeof value !== 'string' || isLongerThan(value, BOUNDS.url) || !URL.canParse(value)) {
    throw invalid(`must be a URL of at most ${BOUNDS.url} characters`)
  }
  const url = new URL(value)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw invalid('must be an https URL')
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'must not contain credentials; deliveries are signed, so the receiver can verify the sender',
    )
  }
  if (url.hash !== '') throw invalid('must not have a fragment, as it is never sent')
  if (!allowPrivateAddresses) {
    try {
      demandPublicHost(url)
    } catch {
      throw invalid('must name a host on the public internet')
    }
  }
  return url.href
}

const invalid = (message: string) => problemsError('invalid_input', [{ path: 'url', message }])
