/** Headers by path, with a slash at the beginning. */
export type HeadersOfPaths = Map<string, Record<string, string>>

const COMMENT =
  '# Written by Vidimus: what each status list is served with that is named by its https address.\n'
const COMMON = '/*'

/**
 * The file `_headers` that Netlify, Cloudflare Pages and others read: of all paths first, then of each.
 *
 * @see https://docs.netlify.com/manage/routing/headers/#syntax-for-the-headers-file
 */
export function headersFile(paths: HeadersOfPaths, common: Readonly<Record<string, string>>): string {
  const block = (path: string, headers: Readonly<Record<string, string>>) =>
    [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`), ''].join('\n')
  return (
    COMMENT +
    [block(COMMON, common), ...[...paths].sort().map(([path, headers]) => block(path, headers))].join('')
  )
}

/** The content written by {@link headersFile}, without the part for all paths. */
export function parseHeadersFile(text: string): HeadersOfPaths {
  const paths: HeadersOfPaths = new Map()
  let headers: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name, value] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) headers[name] = value
    else if (line.startsWith('/')) {
      headers = {}
      if (line !== COMMON) paths.set(line, headers)
    }
  }
  return paths
}
