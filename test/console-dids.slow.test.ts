import assert from 'node:assert/strict'
import { ShownConsole } from './support/shown-console.js'

describe('DIDs in the console', () => {
  const shown = new ShownConsole({ account: 'dids', filled: true })

  const open = async (did: string, apiKey?: string) => {
    await shown.open(`#/dids/${encodeURIComponent(did)}`, did, apiKey)
    await shown.page.getByRole('region', { name: 'Services and changes' }).waitFor()
  }
  const newDid = async () =>
    (await shown.account.client.post('/did/create', { body: { network: 'testnet' } })).did
  const servicesOf = async (did: string) => {
    const { didDocument } = await shown.account.client.get('/did/search/{did}', { params: { path: { did } } })
    return (didDocument as { service?: { id: string; serviceEndpoint: unknown }[] }).service ?? []
  }

  it('get and lose services, and show what each version changed', async () => {
    const did = await newDid()
    await open(did)
    await shown.press('Add a service')
    await shown.dialog.getByLabel('Id').fill('not a fragment')
    await shown.dialog.getByLabel('Endpoints').fill('https://one.example\nhttps://two.example')
    await shown.confirm('Add')
    await shown.dialog
      .getByRole('alert')
      .filter({ hasText: /idFragment|id/ })
      .waitFor()
    await shown.dialog.getByLabel('Id').fill('website')
    await shown.confirm('Add')
    const services = shown.page.getByRole('table', { name: 'Services of the DID' })
    await services.getByText('https://one.example https://two.example').waitFor()
    assert.equal((await servicesOf(did))[0]?.id, `${did}#website`)

    await shown.page.getByText('Versions of the document: 2').waitFor()
    await shown.page.getByRole('button', { name: /^Show the changes of version/ }).click()
    const changes = shown.page.getByRole('region', { name: 'Changes of the version' })
    await changes.locator('ins', { hasText: '+   "service": [' }).waitFor()
    await changes.getByText('#website').waitFor()
    await shown.assertSound()

    await shown.page.setViewportSize({ width: 1280, height: 860 })
    await services.getByRole('button', { name: /^Remove/ }).click()
    await shown.confirm('Remove')
    await shown.page.getByText('No services.').waitFor()
    await shown.page.getByText('Versions of the document: 3').waitFor()
    assert.deepEqual(await servicesOf(did), [])
  })

  it('are created with every provider, and filtered in the address', async () => {
    await shown.signIn()
    await shown.press('Create a DID')
    await shown.dialog.getByLabel('Provider').selectOption('did:jwk')
    await shown.dialog.getByLabel('Type of the key').selectOption('Secp256r1')
    await shown.confirm('Create')
    await shown.page.getByRole('heading', { level: 1, name: /^did:jwk:/ }).waitFor()
    const did = await shown.page.getByRole('heading', { level: 1 }).innerText()
    await shown.goTo('#/dids', 'DIDs')
    const filters = shown.page.getByRole('search', { name: 'DIDs of the account' })
    await filters.getByLabel('Provider').selectOption('did:jwk')
    await filters.getByLabel('Added after').fill('2020-01-01')
    await shown.press('Filter')
    const table = shown.page.getByRole('table', { name: 'DIDs of the account' })
    await table.getByRole('link', { name: shown.account.did }).waitFor({ state: 'detached' })
    await table.getByRole('link', { name: did }).waitFor()
    assert.match(shown.page.url(), /#\/dids\?provider=did%3Ajwk&createdAfter=2020-01-01$/)
    await shown.assertSound()
    await filters.getByLabel('Added before').fill('yesterday')
    await shown.press('Filter')
    await shown.page
      .getByRole('alert')
      .filter({ hasText: /createdBefore/ })
      .waitFor()
    await shown.press('Show all')
    await table.getByRole('link', { name: shown.account.did }).waitFor()
  })

  it('are edited as JSON', async () => {
    const did = await newDid()
    await open(did)
    await shown.press('Edit the document')
    const field = shown.dialog.getByLabel('DID document')
    const document = JSON.parse(await field.inputValue()) as Record<string, unknown>
    await field.fill('{')
    await shown.confirm('Publish')
    await shown.dialog.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor()
    await field.fill(JSON.stringify({ ...document, alsoKnownAs: ['https://acme.example'] }))
    await shown.confirm('Publish')
    await shown.page.getByText('"https://acme.example"').waitFor()
  })

  it('end only after they were typed', async () => {
    const did = await newDid()
    await open(did)
    await shown.press('Deactivate')
    await shown.dialog.getByLabel('Type the DID to confirm').fill('did:cheqd:testnet:another')
    await shown.confirm('Deactivate for ever')
    await shown.dialog.getByRole('alert').filter({ hasText: 'Type the whole DID' }).waitFor()
    await shown.dialog.getByLabel('Type the DID to confirm').fill(did)
    await shown.assertSound()
    await shown.confirm('Deactivate for ever')
    await shown.page.getByText('The DID is deactivated.').first().waitFor()
    const { didDocumentMetadata } = await shown.account.client.get('/did/search/{did}', {
      params: { path: { did } },
    })
    assert.equal(didDocumentMetadata.deactivated, true)
  })

  it('offer only what their method and the key allow', async () => {
    const { did } = await shown.account.client.post('/did/create', { body: { providerId: 'did:key' } })
    const whyNot = async (name: string, reason: RegExp) => {
      const button = shown.page.getByRole('button', { name, exact: true })
      await shown.page.getByText(reason).first().waitFor()
      assert.match((await button.getAttribute('title')) ?? '', reason, name)
    }
    await open(did)
    await whyNot('Add a service', /DIDs of did:key cannot be updated here/)
    await whyNot('Deactivate', /DIDs of did:key cannot be deactivated here/)
    await shown.closePage()
    const { apiKey } = await shown.limitedKey({ scopes: ['read'] })
    await open(shown.account.did, apiKey)
    for (const name of ['Add a service', 'Edit the document', 'Deactivate']) {
      await whyNot(name, /lacks a required scope/)
    }
  })
})
