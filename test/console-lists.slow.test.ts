import assert from 'node:assert/strict'
import { ConsoleBrowser } from './support/console-browser.js'
import { BITSTRING, filledAccount, type ShownAccount } from './support/console-set-up.js'
import { Service } from './support/service.js'

describe('the status lists of an account in the console', () => {
  let browser: ConsoleBrowser | undefined
  let service: Service
  let account: ShownAccount

  before(async function () {
    browser = await ConsoleBrowser.launch()
    if (!browser) return this.skip()
    service = await Service.start()
    account = await filledAccount(service.url, service.apiKey ?? '')
    const query = { listType: BITSTRING, statusPurpose: ['revocation'] }
    await account.client.post('/credential-status/create/encrypted', {
      params: { query },
      body: { did: account.did, statusListName: 'secret', paymentConditions: [] },
    })
    await account.client.post('/credential-status/create/unencrypted', {
      params: { query },
      body: { did: account.did, statusListName: 'staff', series: true },
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => browser?.closePage())

  it('are shown over all DIDs, with encrypted ones and members of series', async () => {
    assert.ok(browser)
    const page = await browser.signIn(service)
    await browser.goTo('#/lists', 'Status lists')
    const table = page.getByRole('table', { name: 'Status lists of the account' })
    for (const name of ['badges', 'employees', 'secret', 'staff.1', 'wallets']) {
      await table.getByRole('link', { name, exact: true }).waitFor()
    }
    await table.getByRole('row', { name: /staff\.1 .* staff \((?:ready|open)\)/ }).waitFor()
    await browser.assertSound()
    await page.setViewportSize({ width: 1280, height: 860 })
    await table.getByRole('link', { name: 'secret', exact: true }).click()
    await page.getByText('This list is encrypted').waitFor()
    assert.equal(await page.locator('nav a[aria-current=page]').innerText(), 'Status lists')
  })

  it('are missing from an account without any', async () => {
    assert.ok(browser)
    const { apiKey } = await service.apiKeyOf('empty')
    const page = await browser.signIn(service, apiKey)
    await browser.goTo('#/lists', 'Status lists')
    await page.getByText('No status lists yet.').waitFor()
  })
})
