import autocannon from 'autocannon'

/** Requests of one kind, as many clients send them. */
export interface Scenario {
  name: string
  connections: number
  path: string
  /** the body of the n-th request */
  body: (n: number) => Record<string, unknown>
  /** whose the n-th request is; left out: all are the target's */
  apiKey?: (n: number) => string
}

export interface Target {
  url: string
  apiKey: string | undefined
}

/** Fires for some seconds, or a number of requests. @throws where anything but 200 is answered */
export async function fire(
  { url, apiKey = '' }: Target,
  { connections, path, body, apiKey: apiKeyOf = () => apiKey }: Scenario,
  extent: { seconds: number } | { amount: number },
): Promise<autocannon.Result> {
  let n = 0
  const result = await autocannon({
    url,
    connections,
    ...('amount' in extent ? extent : { duration: extent.seconds }),
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: (request) => {
          const headers = { 'content-type': 'application/json', 'x-api-key': apiKeyOf(n) }
          return { ...request, headers, body: JSON.stringify(body(n++)) }
        },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0) {
    const answers = JSON.stringify(result.statusCodeStats)
    throw new Error(`${path}: ${result.non2xx} refusals and ${result.errors} errors (${answers})`)
  }
  return result
}

/** One request. @returns the body of the answer */
export async function one({ url, apiKey = '' }: Target, { name, path, body }: Scenario): Promise<string> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(body(0)),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${name}: ${text}`)
  return text
}
