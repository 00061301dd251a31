import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Request, Response } from 'express'
import type { ServerSettings } from '../options.js'
import { packageVersion } from '../package-version.js'
import { documentRoute } from './document-route.js'

/** Copied from Swagger UI into the package of the console. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-16x16.png', 'favicon-32x32.png']
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Vidimus API</title>
    <link rel="stylesheet" href="swagger-ui.css">
    <link rel="stylesheet" href="page.css">
    <link rel="icon" type="image/png" sizes="32x32" href="favicon-32x32.png">
    <link rel="icon" type="image/png" sizes="16x16" href="favicon-16x16.png">
  </head>
  <body>
    <noscript>This page needs JavaScript. The API document itself is at <a href="../openapi.json">openapi.json</a>.</noscript>
    <p class="version">Vidimus ${packageVersion()}</p>
    <p id="session" class="version" hidden>Requests use your session of the console, unless you authorize with an API key.</p>
    <main id="api"></main>
    <script src="swagger-ui-bundle.js"></script>
    <script src="page.js"></script>
  </body>
</html>
`

/**
 * The API key is kept in the page only: closing or reloading the page removes it. Without one, requests to this origin use
 * the session of the console, whose cookie counts only with this header.
 */
const script = (hasSessions: boolean) => `const isSignedIn = async () => {
  if (!${hasSessions}) return false
  const answer = await fetch('../console/session')
  return answer.ok && (await answer.json()).signedIn
}
async function withSession(request) {
  const names = Object.keys(request.headers).map((name) => name.toLowerCase())
  const isOwn = new URL(request.url, location.href).origin === location.origin
  const isBare = !names.includes('x-api-key') && !names.includes('authorization')
  if (isOwn && isBare && (await isSignedIn())) request.headers['x-api-key'] = 'session'
  return request
}
isSignedIn().then((signedIn) => (document.getElementById('session').hidden = !signedIn))
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
window.SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#api',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  queryConfigEnabled: false,
  tryItOutEnabled: true,
  requestInterceptor: withSession,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})
`

const STYLE = `body { margin: 0 }
noscript { display: block; padding: 2rem; font-family: sans-serif }
.version { margin: 0; padding: 0.5rem 1.5rem; font: 0.875rem sans-serif }
`

/**
 * Allows only our own origin. Swagger UI sets style attributes, hence the one exception; scripts have none. Requests
 * may go to the server URL of the API document.
 */
const policy = (origin: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

type Route = (req: Request, res: Response) => void

/**
 * The documentation page and its assets, by path.
 *
 * Its `publicUrl` is another target for "try it out" besides the page's own origin.
 */
export function docsPage(settings: Pick<ServerSettings, 'publicUrl' | 'console'>): Map<string, Route> {
  const { publicUrl } = settings
  const elsewhere = publicUrl ? ` ${new URL(publicUrl).origin}` : ''
  const directory = join(
    dirname(createRequire(import.meta.url).resolve('@vidimus/console/package.json')),
    'build/swagger-ui',
  )
  const text = (type: string, content: string) => (_req: Request, res: Response) =>
    res.setHeader('cache-control', 'no-cache').type(type).send(content)
  const page: Route = (req, res) => {
    // Without the trailing slash the relative URLs of the page would not resolve.
    if (!req.path.endsWith('/')) return res.redirect(301, 'docs/')
    res.setHeader('content-security-policy', policy(elsewhere))
    text('html', PAGE)(req, res)
  }
  return new Map<string, Route>([
    ['/docs', page],
    ['/docs/page.js', text('js', script(settings.console))],
    ['/docs/page.css', text('css', STYLE)],
    ...ASSETS.map((name): [string, Route] => [
      `/docs/${name}`,
      // From memory: each client that reads slowly would keep a file open.
      documentRoute(() => readFileSync(join(directory, name)), {
        type: TYPES[extname(name)] ?? '',
        cacheControl: 'public, max-age=3600',
      }),
    ]),
  ])
}
