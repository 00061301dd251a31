import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Request, Response } from 'express'
import type { ServerSettings } from '../options.js'
import type { Logger } from '../request/request-log.js'
import type { ExpressRoute } from '../routing/path-routes.js'

export const CONSOLE_PATH = '/console'

/** Allows no external sources and no inline code, as operators enter their key on this page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Their names contain a hash of their content. */
const FOR_GOOD = 'public, max-age=31536000, immutable'

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }

export type ConsoleRoutes = ReadonlyMap<string, ExpressRoute>

/** The console, if it is enabled and was built. */
export function servedConsole(
  { console }: Pick<ServerSettings, 'console'>,
  logger: Logger,
): ConsoleRoutes | undefined {
  const routes = console ? consoleRoutes() : undefined
  if (console && !routes) logger.warn('not served: the console was not built')
  return routes
}

/** The page and its files by path, few and small, kept in memory. */
function consoleRoutes(): ConsoleRoutes | undefined {
  const directory = join(
    dirname(createRequire(import.meta.url).resolve('@vidimus/console/package.json')),
    'build/page',
  )
  const names = namesIn(directory)
  if (!names.includes('index.html')) return undefined
  const html = readFileSync(join(directory, 'index.html'))
  const page: ExpressRoute = (req: Request, res: Response) => {
    // Without the trailing slash the relative URLs of the page would not resolve.
    if (!req.path.endsWith('/')) return res.redirect(301, 'console/')
    res.setHeader('content-security-policy', POLICY).setHeader('cache-control', 'no-cache')
    res.type('html').send(html)
  }
  const assets = names
    .filter((name) => extname(name) in TYPES)
    .map((name): [string, ExpressRoute] => [
      `${CONSOLE_PATH}/${name}`,
      asset(readFileSync(join(directory, name)), TYPES[extname(name)] ?? ''),
    ])
  return new Map([[CONSOLE_PATH, page], ...assets])
}

const asset =
  (content: Buffer, type: string): ExpressRoute =>
  (_req: Request, res: Response) =>
    res.setHeader('cache-control', FOR_GOOD).type(type).send(content)

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
