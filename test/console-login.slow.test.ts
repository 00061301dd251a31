import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { RemoteServer } from '@vidimus/remote-server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startingConfiguration } from '../packages/cli/src/starting-configuration.js'
import { newPage, sharedConsole } from './support/browser.js'
import { AUDIENCE, IdentityProvider } from './support/identity-provider.js'

const root = resolve(import.meta.dirname, '..')

// The provider is at localhost, the service at 127.0.0.1: two sites for a browser, as in the real world.
describe('the console in a browser, with an identity provider', () => {
  let issuer: IdentityProvider
  let folder: string
  let configuration: Configuration | undefined
  let browser: Browser | undefined
  let url: string

  before(async function () {
    browser = (await sharedConsole())?.browser
    if (!browser) return this.skip()
    folder = await mkdtemp(join(tmpdir(), 'vidimus-console-login-'))
    const probe = createServer()
    await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
    const { port } = probe.address() as AddressInfo
    await new Promise((closed) => probe.close(closed))
    url = `http://127.0.0.1:${port}`
    const client = {
      client_id: 'console',
      token_endpoint_auth_method: 'none',
      redirect_uris: [`${url}/console/callback/default`],
      post_logout_redirect_uris: [`${url}/console/`],
    } as const
    issuer = await IdentityProvider.start(
      [
        {
          ...client,
          redirect_uris: [...client.redirect_uris],
          post_logout_redirect_uris: [...client.post_logout_redirect_uris],
        },
      ],
      'localhost',
    )
    issuer.claims = { vidimus_account: 'default' }
    const choices = { database: 'sqlite', cheqd: [], kms: 'local', publish: 'none' } as const
    await writeFile(join(folder, 'agent.yml'), startingConfiguration({ ...choices, login: issuer.issuer }))
    configuration = await loadConfiguration(join(folder, 'agent.yml'), {
      environment: {
        PORT: String(port),
        LOG_LEVEL: 'silent',
        VIDIMUS_DATA_DIR: folder,
        VIDIMUS_PUBLIC_URL: url,
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_CLIENT_ID: 'console',
        OIDC_NAME: 'Staff',
      },
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const [accounts, server] = (await configuration.build('/accounts', '/server')) as [Accounts, RemoteServer]
    await configuration.start()
    await accounts.firstStart()
    await server.listen()
  })
  after(async () => {
    await browser?.close()
    await configuration?.stop()
    await issuer?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  /** Executes the operation that the page shows. @returns the status of its answer */
  const listed = async (documentation: Page) => {
    const answer = documentation.waitForResponse(`${url}/did/list*`)
    await documentation.getByRole('button', { name: 'Execute' }).click()
    return (await answer).status()
  }
  /** A page of another port is of the same site: it has the cookie sent with what it asks for. */
  const refusesOtherOrigins = async (context: BrowserContext) => {
    const other = createServer((_request, response) => response.end('another'))
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    for (const how of ["mode: 'no-cors'", "headers: { 'x-api-key': 'session' }"]) {
      const asked = page.evaluate(`fetch('${url}/did/list', { credentials: 'include', ${how} })`)
      await assert.rejects(asked, /Failed to fetch/)
    }
    const opened = page.waitForResponse(`${url}/did/list`)
    await page.evaluate(`location.href = '${url}/did/list'`)
    const { cookie } = await (await opened).request().allHeaders()
    assert.match(cookie ?? '', /vidimus-session=/)
    assert.equal((await opened).status(), 401)
    await page.close()
    other.close()
  }

  it('signs in, stays signed in over a reload, tries an operation out, and signs out at the provider as well', async () => {
    assert.ok(browser)
    const page = await newPage(browser)
    await page.goto(`${url}/console/`)
    await page.getByLabel('API key').waitFor()
    await page.getByRole('link', { name: 'Sign in with Staff' }).click()
    await page.locator('input[name=login]').fill('ann')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const heading = page.getByRole('heading', { name: 'DIDs', level: 1 })
    await heading.waitFor()
    assert.ok(page.url().startsWith(`${url}/console/`))
    assert.equal(await page.evaluate('document.cookie'), '', 'scripts see no cookie')
    await page.reload()
    await heading.waitFor()
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'API' }).click()
    const documentation = await opened
    await documentation.getByText('Requests use your session of the console').waitFor()
    await documentation.locator('[id$=did-list] .opblock-summary-control').click()
    assert.equal(await listed(documentation), 200)
    await refusesOtherOrigins(page.context())
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /yes, sign me out/i }).click()
    await page.getByRole('link', { name: 'Sign in with Staff' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Staff' }).waitFor()
    assert.equal(await heading.count(), 0)
    assert.equal(await listed(documentation), 401)
    await page.context().close()
  })
})
