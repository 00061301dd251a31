/**
 * Whether what is sent to an address that the operator configured stays between this service and that address: it is https,
 * or on this machine.
 *
 * @param url - an http or https URL
 */
export function isConfidentialAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Whether a text is a URL that requests can be sent to. */
export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
