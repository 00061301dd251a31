import type { BuiltRequest } from './built-request.js'

/** Replaces the API key until it is requested: a variable of the shell. */
export const KEY_PLACEHOLDER = '"x-api-key: $VIDIMUS_KEY"'

/**
 * The request as a command for a POSIX shell.
 *
 * @param apiKey - absent: the command takes it from the shell
 */
export function curlCommand(base: string, request: BuiltRequest, apiKey?: string): string {
  const { method, path, headers, body, keyed } = request
  const key = apiKey === undefined ? KEY_PLACEHOLDER : quoted(`x-api-key: ${apiKey}`)
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(base + path)}`,
    ...(keyed ? [`-H ${key}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** Nothing in it means anything to a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
