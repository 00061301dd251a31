import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ConsoleBrowser } from './support/console-browser.js'
import { filledAccount, type ShownAccount } from './support/console-set-up.js'
import { Service } from './support/service.js'

describe('DIDs in the console', () => {
  let browser: ConsoleBrowser | undefined
  let service: Service
  let account: ShownAccount
  let page: Page

  before(async function () {
    browser = await ConsoleBrowser.launch()
    if (!browser) return this.skip()
    service = await Service.start()
    account = await filledAccount(service.url, service.apiKey ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => browser?.closePage())

  const open = async (did: string, apiKey?: string) => {
    assert.ok(browser)
    page = await browser.signIn(service, apiKey)
    await browser.goTo(`#/dids/${encodeURIComponent(did)}`, did)
    await page.getByRole('region', { name: 'Services and changes' }).waitFor()
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.getByRole('dialog')
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const newDid = async () => (await account.client.post('/did/create', { body: { network: 'testnet' } })).did
  const servicesOf = async (did: string) => {
    const { didDocument } = await account.client.get('/did/search/{did}', { params: { path: { did } } })
    return (didDocument as { service?: { id: string; serviceEndpoint: unknown }[] }).service ?? []
  }

  it('get and lose services, and show what each version changed', async () => {
    const did = await newDid()
    await open(did)
    await press('Add a service')
    await dialog().getByLabel('Id').fill('not a fragment')
    await dialog().getByLabel('Endpoints').fill('https://one.example\nhttps://two.example')
    await confirm('Add')
    await dialog()
      .getByRole('alert')
      .filter({ hasText: /idFragment|id/ })
      .waitFor()
    await dialog().getByLabel('Id').fill('website')
    await confirm('Add')
    const services = page.getByRole('table', { name: 'Services of the DID' })
    await services.getByText('https://one.example https://two.example').waitFor()
    assert.equal((await servicesOf(did))[0]?.id, `${did}#website`)

    await page.getByText('Versions of the document: 2').waitFor()
    await page.getByRole('button', { name: /^Show the changes of version/ }).click()
    const changes = page.getByRole('region', { name: 'Changes of the version' })
    await changes.locator('ins', { hasText: '+   "service": [' }).waitFor()
    await changes.getByText('#website').waitFor()
    await browser?.assertSound()

    await page.setViewportSize({ width: 1280, height: 860 })
    await services.getByRole('button', { name: /^Remove/ }).click()
    await confirm('Remove')
    await page.getByText('No services.').waitFor()
    await page.getByText('Versions of the document: 3').waitFor()
    assert.deepEqual(await servicesOf(did), [])
  })

  it('are created with every provider, and filtered in the address', async () => {
    assert.ok(browser)
    page = await browser.signIn(service)
    await press('Create a DID')
    await dialog().getByLabel('Provider').selectOption('did:jwk')
    await dialog().getByLabel('Type of the key').selectOption('Secp256r1')
    await confirm('Create')
    await page.getByRole('heading', { level: 1, name: /^did:jwk:/ }).waitFor()
    const did = await page.getByRole('heading', { level: 1 }).innerText()
    await browser.goTo('#/dids', 'DIDs')
    const filters = page.getByRole('search', { name: 'DIDs of the account' })
    await filters.getByLabel('Provider').selectOption('did:jwk')
    await filters.getByLabel('Obtained after').fill('2020-01-01')
    await press('Filter')
    const table = page.getByRole('table', { name: 'DIDs of the account' })
    await table.getByRole('link', { name: account.did }).waitFor({ state: 'detached' })
    await table.getByRole('link', { name: did }).waitFor()
    assert.match(page.url(), /#\/dids\?provider=did%3Ajwk&createdAfter=2020-01-01$/)
    await browser.assertSound()
    await filters.getByLabel('Obtained before').fill('yesterday')
    await press('Filter')
    await page
      .getByRole('alert')
      .filter({ hasText: /createdBefore/ })
      .waitFor()
    await press('Show all')
    await table.getByRole('link', { name: account.did }).waitFor()
  })

  it('are edited as JSON', async () => {
    const did = await newDid()
    await open(did)
    await press('Edit the document')
    const field = dialog().getByLabel('DID document')
    const document = JSON.parse(await field.inputValue()) as Record<string, unknown>
    await field.fill('{')
    await confirm('Publish')
    await dialog().getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor()
    await field.fill(JSON.stringify({ ...document, alsoKnownAs: ['https://acme.example'] }))
    await confirm('Publish')
    await page.getByText('"https://acme.example"').waitFor()
  })

  it('end only after they were typed', async () => {
    const did = await newDid()
    await open(did)
    await press('Deactivate')
    await dialog().getByLabel('Type the DID to confirm').fill('did:cheqd:testnet:another')
    await confirm('Deactivate for ever')
    await dialog().getByRole('alert').filter({ hasText: 'Type the whole DID' }).waitFor()
    await dialog().getByLabel('Type the DID to confirm').fill(did)
    await browser?.assertSound()
    await confirm('Deactivate for ever')
    await page.getByText('The DID is deactivated.').first().waitFor()
    const { didDocumentMetadata } = await account.client.get('/did/search/{did}', {
      params: { path: { did } },
    })
    assert.equal(didDocumentMetadata.deactivated, true)
  })

  it('offer only what their method and the key allow', async () => {
    const { did } = await account.client.post('/did/create', { body: { providerId: 'did:key' } })
    const whyNot = async (name: string, reason: RegExp) => {
      const button = page.getByRole('button', { name, exact: true })
      await page.getByText(reason).first().waitFor()
      assert.match((await button.getAttribute('title')) ?? '', reason, name)
    }
    await open(did)
    await whyNot('Add a service', /DIDs of did:key cannot be updated here/)
    await whyNot('Deactivate', /DIDs of did:key cannot be deactivated here/)
    await browser?.closePage()
    const { apiKey } = await service.apiKeyOf('default', { scopes: ['read'] })
    await open(account.did, apiKey)
    for (const name of ['Add a service', 'Edit the document', 'Deactivate']) {
      await whyNot(name, /lacks a required scope/)
    }
  })
})
