import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromiumPath, launchBrowser, newPage, NO_CHROMIUM } from './browser.js'
import { signIn } from './console-set-up.js'
import type { Service } from './service.js'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Widths in pixels: a small phone, and desktops. */
export const WIDTHS = [360, 1280, 1920] as const

/** Responses that a test causes on purpose are not errors. */
const EXPECTED = /Failed to load resource: the server responded with a status of (400|401|403|404|503)/

/** A browser for the pages of a console, one at a time; errors of a page fail its test. */
export class ConsoleBrowser {
  private complaints: string[] = []
  private shown: Page | undefined

  private constructor(private readonly browser: Browser) {}

  /** @returns `undefined` if there is no browser, which CI does not allow */
  static async launch(): Promise<ConsoleBrowser | undefined> {
    if (chromiumPath() !== undefined) return new ConsoleBrowser(await launchBrowser())
    assert.ok(!process.env.CI, NO_CHROMIUM)
    process.stderr.write(`      pending: ${NO_CHROMIUM}\n`)
    return undefined
  }

  /** The page that was opened last. */
  get page(): Page {
    return this.shown ?? assert.fail('no page is open')
  }

  async signIn(
    service: Service,
    apiKey = service.apiKey ?? '',
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await newPage(this.browser, options)
    this.shown = page
    page.on('console', (message) => {
      const isError = ['error', 'warning'].includes(message.type())
      if (isError && !EXPECTED.test(message.text())) this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    await signIn(page, service.url, apiKey)
    return page
  }

  async goTo(hash: string, heading: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await this.page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  /** The page is accessible, and fits a phone as well as a desktop. */
  async assertSound(): Promise<void> {
    const { page } = this
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 })
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        true,
        `at ${width}`,
      )
      const cut = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.scroll')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map((table) => table.getAttribute('aria-label'))`,
      )
      assert.deepEqual(cut, [], `tables wider than their place, at ${width}`)
      // The policy of the page forbids scripts inside of it; the test's own comes by the debugger.
      await page.evaluate(axeSource)
      const { violations } = await page.evaluate<{ violations: Violation[] }>(
        "axe.run(document, { resultTypes: ['violations'] })",
      )
      const found = violations.map(({ id, nodes }) => [
        id,
        nodes.map(({ target, failureSummary }) => [target, failureSummary]),
      ])
      assert.deepEqual(found, [], `at ${width}`)
    }
  }

  /** After each test. */
  async closePage(): Promise<void> {
    await this.shown?.unrouteAll({ behavior: 'ignoreErrors' })
    await this.shown?.context().close()
    this.shown = undefined
    const { complaints } = this
    this.complaints = []
    assert.deepEqual(complaints, [])
  }

  close(): Promise<void> {
    return this.browser.close()
  }
}
