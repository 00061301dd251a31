import assert from 'node:assert/strict'
import { createClient, type Client } from '@vidimus/client'
import type { Page } from 'playwright-core'
import { ConsoleBrowser } from './support/console-browser.js'
import { Service } from './support/service.js'

describe('keys in the console', () => {
  let browser: ConsoleBrowser | undefined
  let service: Service
  let client: Client
  let page: Page

  before(async function () {
    browser = await ConsoleBrowser.launch()
    if (!browser) return this.skip()
    service = await Service.start()
    client = createClient({ url: service.url, apiKey: service.apiKey ?? '' })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => browser?.closePage())

  const shown = () => browser ?? assert.fail('there is no browser')
  const open = async (apiKey?: string, hash = '#/keys') => {
    page = await shown().signIn(service, apiKey)
    await shown().goTo(hash, 'Keys')
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.getByRole('dialog')
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const row = (kid: string) => page.getByRole('row').filter({ hasText: kid })
  const create = async (alias?: string) =>
    (await client.post('/key/create', { body: { ...(alias !== undefined && { alias }) } })).kid

  it('are listed, found by label, and renamed', async () => {
    await open()
    await page.getByText('None yet.').waitFor()
    await press('Create')
    await page.getByRole('heading', { name: '1 key' }).waitFor()
    const [kid, other] = [await create('issuer one'), await create('holder')]
    await shown().goTo('#/keys?alias=issuer*', 'Keys')
    await row(kid).waitFor()
    assert.equal(await row(other).count(), 0)
    await shown().assertSound()
    await press('Rename issuer one')
    await dialog().getByLabel('Label').fill('holder')
    await confirm('Rename')
    await dialog()
      .getByText(/already uses/)
      .waitFor()
    await dialog().getByLabel('Label').fill('issuer two')
    await confirm('Rename')
    await row(kid).locator('.wrap', { hasText: 'issuer two' }).waitFor()
    assert.equal((await client.get('/key/read/{kid}', { params: { path: { kid } } })).alias, 'issuer two')
    await page.getByRole('search', { name: 'Keys' }).getByLabel('Label').fill('nobody')
    await press('Filter')
    await page.getByText('Nothing that fits.').waitFor()
    await page.goBack()
    await row(kid).waitFor()
  })

  it('are deleted after a typed confirmation, unless a DID needs them', async () => {
    const kid = await create('spare')
    const { did, controllerKeyId = '' } = await client.post('/did/create', { body: { network: 'testnet' } })
    await open()
    await row(controllerKeyId)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await dialog().getByRole('link', { name: did }).waitFor()
    await shown().assertSound()
    await confirm('Close')
    await press('Delete spare')
    await dialog().getByText('No DID of the account needs this key.').waitFor()
    await dialog()
      .getByLabel(/to confirm/)
      .fill('no')
    await confirm('Delete')
    await dialog()
      .getByText(/Type “delete” to confirm\.$/)
      .waitFor()
    await dialog()
      .getByLabel(/to confirm/)
      .fill('delete')
    await confirm('Delete')
    await row(kid).waitFor({ state: 'detached' })
    await assert.rejects(client.get('/key/read/{kid}', { params: { path: { kid } } }), /holds no key/)
  })

  it('can be changed only with the scopes for it', async () => {
    await create('untouched')
    const { apiKey } = await client.post('/account/api-keys', { body: { scopes: ['keys', 'read'] } })
    await open(apiKey)
    const [rename, remove] = ['Rename untouched', 'Delete untouched'].map((name) =>
      page.getByRole('button', { name }),
    )
    await rename?.waitFor()
    assert.equal(await rename?.getAttribute('aria-disabled'), null)
    assert.equal(await remove?.getAttribute('aria-disabled'), 'true')
    assert.match((await remove?.getAttribute('title')) ?? '', /key-deletion/)
  })

  it('keep the page of a long list in the address', async () => {
    for (let n = 0; n < 30; n++) await create()
    await open()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText(/^Page 2 of 2$/).waitFor()
    await page.goBack()
    await page.getByText(/^Page 1 of 2$/).waitFor()
  })
})
