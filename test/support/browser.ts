import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  type Page,
} from 'playwright-core'
import { PostgresServer } from './postgres-server.js'

/** Below the limit of a test, so that it is told what was waited for. */
const PATIENCE_MS = 300_000

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Nothing that reaches out by itself, and nothing that needs rights which a container does not have. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The Chromium of this machine: `CHROMIUM_PATH`, or the first of the usual names in `PATH`. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  return PATH.split(delimiter)
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    .find((file) => existsSync(file))
}

const NO_CHROMIUM = 'there is no Chromium on this machine: install it, or name it in CHROMIUM_PATH'

/** A browser without a window, with a fresh profile that goes with it; other processes connect to it. */
export function launchBrowserServer(): Promise<BrowserServer> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(NO_CHROMIUM)
  return chromium.launchServer({ executablePath, headless: true, args: FLAGS, host: '127.0.0.1' })
}

/** The service and the browser of all files about the console, as those who use them know them. */
export interface SharedConsoleFacts {
  url: string
  dataDirectory: string
  /** address for Playwright */
  browser: string
  /** API key of an operator, who may also read */
  operator: string
  /** of one who may do nothing else */
  onlyOperator: string
}

/** What all files about the console share; `undefined` without a Chromium, which CI does not allow. */
export async function sharedConsole(): Promise<{ browser: Browser; facts: SharedConsoleFacts } | undefined> {
  if (chromiumPath() === undefined) {
    assert.ok(!process.env.CI, NO_CHROMIUM)
    process.stderr.write(`      pending: ${NO_CHROMIUM}\n`)
    return undefined
  }
  const facts = JSON.parse(
    (await PostgresServer.kept('console')) ?? assert.fail('no test run'),
  ) as SharedConsoleFacts
  return { browser: await chromium.connect(facts.browser), facts }
}

/** A busy machine takes longer for a page than Playwright waits by itself. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}
