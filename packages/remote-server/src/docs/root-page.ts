import { createHash } from 'node:crypto'
import type { Request, Response } from 'express'

const STYLE =
  ':root{color-scheme:light dark}body{max-width:32rem;margin:12vh auto 0;padding:0 1.5rem;font:16px/1.6 system-ui,sans-serif}li{margin:.4rem 0}'

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The page at the root of the service.
 *
 * @param links - additional links before the standard ones: URL and text
 */
export function rootPage(links: readonly (readonly [address: string, text: string])[]) {
  const all = [
    ...links,
    ['docs/', 'API documentation'],
    ['openapi.json', 'API document (OpenAPI)'],
    ['health/ready', 'Health'],
  ] as const
  const items = all.map(([address, text]) => `      <li><a href="${address}">${text}</a></li>`).join('\n')
  const html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Vidimus</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
    <h1>Vidimus</h1>
    <p>An identity service: DIDs, keys, status lists and credentials.</p>
    <ul>
${items}
    </ul>
    </main>
  </body>
</html>
`
  return (_req: Request, res: Response) =>
    res
      .setHeader('content-security-policy', POLICY)
      .setHeader('cache-control', 'no-cache')
      .type('html')
      .send(html)
}
