import assert from 'node:assert/strict'
import { createClient, type Client } from '@vidimus/client'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { ConsoleBrowser } from './console-browser.js'
import { filledAccount, type ShownAccount } from './console-set-up.js'
import { Service, type ServiceOptions } from './service.js'

interface ShownConsoleOptions extends ServiceOptions {
  /** its account has what the pages show */
  filled?: boolean
}

/** A service with its console in a browser, for the tests of the `describe` in which it is made. */
export class ShownConsole {
  private started: { browser: ConsoleBrowser; service: Service } | undefined
  private shown: ShownAccount | undefined

  constructor({ filled = false, ...options }: ShownConsoleOptions = {}) {
    const start = async (): Promise<boolean> => {
      const browser = await ConsoleBrowser.launch()
      if (!browser) return false
      const service = await Service.start(options)
      this.started = { browser, service }
      if (filled) this.shown = await filledAccount(service.url, service.apiKey ?? '')
      return true
    }
    before(async function () {
      if (!(await start())) this.skip()
    })
    after(async () => {
      await this.started?.browser.close()
      await this.started?.service.stop()
    })
    afterEach(() => this.started?.browser.closePage())
  }

  get service(): Service {
    return this.parts.service
  }

  get client(): Client {
    const { url, apiKey } = this.service
    return createClient({ url, apiKey })
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

  signIn(apiKey?: string, options?: BrowserContextOptions): Promise<Page> {
    return this.parts.browser.signIn(this.service, apiKey, options)
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

  closePage(): Promise<void> {
    return this.parts.browser.closePage()
  }

  private get parts() {
    return this.started ?? assert.fail('nothing is started')
  }
}
