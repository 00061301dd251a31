/**
 * Whether requests to an address that the operator configured stay private: it is https, or on this machine.
 *
 * @param url - an http or https URL
 */
export function isConfidentialAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Whether a text is a URL for requests. */
export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
