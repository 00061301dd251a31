import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { newPage } from './browser.js'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** Widths in pixels: a small phone, a tablet, and desktops. */
export const WIDTHS = [360, 800, 1280, 1920] as const

/** Responses that a test causes on purpose are not errors. */
const EXPECTED = /Failed to load resource: the server responded with a status of (400|401|403|404|503)/

/** A browser for the pages of a console, one at a time; errors of a page fail its test. */
export class ConsoleBrowser {
  private complaints: string[] = []
  private shown: Page | undefined

  constructor(private readonly browser: Browser) {}

  /** The page that was opened last. */
  get page(): Page {
    return this.shown ?? assert.fail('no page is open')
  }

  /** An empty page, without anything that another one stores. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(this.browser, options)
    this.shown = page
    page.on('console', (message) => {
      const isError = ['error', 'warning'].includes(message.type())
      if (isError && !EXPECTED.test(message.text())) this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    return page
  }

  async goTo(hash: string, heading: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await this.page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }

  /** Forgets what the page complained about in these words. */
  forgive(words: string): void {
    this.complaints = this.complaints.filter((text) => !text.includes(words))
  }

  /** The page is accessible, and fits a phone as well as a desktop. */
  async assertSound(): Promise<void> {
    for (const width of WIDTHS) {
      await this.page.setViewportSize({ width, height: 860 })
      await this.assertFits()
      await this.assertAccessible()
    }
  }

  /** Nothing is wider than the page, and no table wider than its place. */
  async assertFits(): Promise<void> {
    const { page } = this
    const at = `${page.url()} at ${page.viewportSize()?.width}`
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, at)
    const cut = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.scroll')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((table) => table.getAttribute('aria-label'))`,
    )
    assert.deepEqual(cut, [], at)
  }

  async assertAccessible(): Promise<void> {
    const { page } = this
    // The policy of the page forbids scripts inside of it; the test's own comes by the debugger.
    await page.evaluate(axeSource)
    const { violations } = await page.evaluate<{ violations: Violation[] }>(
      "axe.run(document, { resultTypes: ['violations'] })",
    )
    const found = violations.map(({ id, nodes }) => [
      id,
      nodes.map(({ target, failureSummary }) => [target, failureSummary]),
    ])
    assert.deepEqual(found, [], `${page.url()} at ${page.viewportSize()?.width}`)
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
