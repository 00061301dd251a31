import assert from 'node:assert/strict'
import { createClient, type Client } from '@vidimus/client'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { sharedConsole, type SharedConsoleFacts } from './browser.js'
import { ConsoleBrowser } from './console-browser.js'
import { filledAccount, signIn, type ShownAccount } from './console-set-up.js'

interface ShownConsoleOptions {
  /** its own, on a service that others use at the same time */
  account: string
  /** it has what the pages show */
  filled?: boolean
}

interface Parts {
  browser: ConsoleBrowser
  facts: SharedConsoleFacts
  apiKey: string
}

/** An account with its console in a browser, for the tests of the `describe` in which it is made. */
export class ShownConsole {
  private started: Parts | undefined
  private shown: ShownAccount | undefined

  constructor({ account, filled = false }: ShownConsoleOptions) {
    const start = async (): Promise<boolean> => {
      const shared = await sharedConsole()
      if (!shared) return false
      const browser = new ConsoleBrowser(shared.browser)
      const apiKey = await keyOfNewAccount(shared.facts, account)
      this.started = { browser, facts: shared.facts, apiKey }
      if (filled) this.shown = await filledAccount(this.url, apiKey)
      return true
    }
    before(async function () {
      if (!(await start())) this.skip()
    })
    after(() => this.started?.browser.close())
    afterEach(() => this.started?.browser.closePage())
  }

  get url(): string {
    return this.parts.facts.url
  }

  /** of the account, without limits */
  get apiKey(): string {
    return this.parts.apiKey
  }

  get facts(): SharedConsoleFacts {
    return this.parts.facts
  }

  /** An API key of the account that may do less. */
  async limitedKey(request: { name?: string; scopes?: string[]; networks?: ('testnet' | 'mainnet')[] }) {
    return this.client.post('/account/api-keys', { body: request })
  }

  /** The first key of a further account. */
  keyOfNewAccount(name: string): Promise<string> {
    return keyOfNewAccount(this.parts.facts, name)
  }

  get client(): Client {
    return createClient({ url: this.url, apiKey: this.apiKey })
  }

  get account(): ShownAccount {
    return this.shown ?? assert.fail('the account is not filled')
  }

  get page(): Page {
    return this.parts.browser.page
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  /** A page that is not signed in. */
  openPage(options?: BrowserContextOptions): Promise<Page> {
    return this.parts.browser.open(options)
  }

  async signIn(apiKey = this.apiKey, options?: BrowserContextOptions): Promise<Page> {
    const page = await this.openPage(options)
    await signIn(page, this.url, apiKey)
    return page
  }

  forgive(words: string): void {
    this.parts.browser.forgive(words)
  }

  /** Signs in and goes to a page. */
  async open(hash: string, heading: string, apiKey?: string): Promise<void> {
    await this.signIn(apiKey)
    await this.goTo(hash, heading)
  }

  goTo(hash: string, heading: string): Promise<void> {
    return this.parts.browser.goTo(hash, heading)
  }

  section(name: string | RegExp): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click()
  }

  /** In the dialog that is open. */
  confirm(name: string): Promise<void> {
    return this.dialog.getByRole('button', { name, exact: true }).click()
  }

  /** The page is accessible, and fits a phone as well as a desktop. */
  assertSound(): Promise<void> {
    return this.parts.browser.assertSound()
  }

  assertFits(): Promise<void> {
    return this.parts.browser.assertFits()
  }

  assertAccessible(): Promise<void> {
    return this.parts.browser.assertAccessible()
  }

  closePage(): Promise<void> {
    return this.parts.browser.closePage()
  }

  private get parts() {
    return this.started ?? assert.fail('nothing is started')
  }
}

async function keyOfNewAccount({ url, operator }: SharedConsoleFacts, name: string): Promise<string> {
  const client = createClient({ url, apiKey: operator })
  const { firstKey } = await client.post('/operator/accounts', { body: { name, firstKey: {} } })
  return firstKey?.apiKey ?? assert.fail('no key')
}
