import { readFileSync } from 'node:fs'
import type { Scenario, Target } from './load/load.js'

/**
 * Another product that runs on this machine and is measured beside ours, as a JSON file describes it (`--peer FILE`).
 * `requests` holds, by the name of a line of the table, what this product is asked; in `path` and `body` `{{n}}` is the
 * number of the request.
 */
export interface PeerDescription {
  /** with its version */
  name: string
  url: string
  headers?: Record<string, string>
  requests: Record<
    string,
    { method?: 'GET' | 'POST'; path: string; body?: object; status?: number; once?: boolean }
  >
}

export class PeerServer implements Target {
  readonly apiKey = undefined

  constructor(private readonly description: PeerDescription) {}

  static ofFile(file: string): PeerServer {
    return new PeerServer(JSON.parse(readFileSync(file, 'utf8')) as PeerDescription)
  }

  get name(): string {
    return this.description.name
  }

  get url(): string {
    return this.description.url
  }

  /** @returns `undefined` where it cannot do that */
  scenario(row: string, connections: number): Scenario | undefined {
    const { headers = {}, requests, name } = this.description
    const request = requests[row]
    if (!request) return undefined
    const { path, body, ...others } = request
    const numbered = (text: string, n: number) => text.replaceAll('{{n}}', String(n))
    return {
      name: `${name} ${row}`,
      connections,
      ...others,
      path: (n) => numbered(path, n),
      headers: () => headers,
      ...(body && {
        body: (n: number) => JSON.parse(numbered(JSON.stringify(body), n)) as Record<string, unknown>,
      }),
    }
  }
}

/** Of the arguments of the bench. */
export const peersOf = (args: readonly string[]): PeerServer[] =>
  args.flatMap((arg, n) => (arg === '--peer' && args[n + 1] ? [PeerServer.ofFile(args[n + 1] ?? '')] : []))
