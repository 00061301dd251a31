import assert from 'node:assert/strict'
import { ShownConsole } from './support/shown-console.js'

describe('keys in the console', () => {
  const shown = new ShownConsole({ account: 'keys' })

  const open = (apiKey?: string, hash = '#/keys') => shown.open(hash, 'Keys', apiKey)
  const row = (kid: string) => shown.page.getByRole('row').filter({ hasText: kid })
  const create = async (alias?: string) =>
    (await shown.client.post('/key/create', { body: { ...(alias !== undefined && { alias }) } })).kid

  it('are listed, found by label, and renamed', async () => {
    await open()
    await shown.page.getByText('No keys yet.').waitFor()
    await shown.press('Create a key pair')
    await shown.confirm('Create')
    await shown.section('Key').waitFor()
    await shown.page.getByRole('heading', { name: '1 key' }).waitFor()
    await shown.press('Close')
    const [kid, other] = [await create('issuer one'), await create('holder')]
    const { did } = await shown.client.post('/did/create', { body: { network: 'testnet', key: kid } })
    await shown.goTo('#/keys?alias=issuer*', 'Keys')
    await row(kid).waitFor()
    assert.equal(await row(other).count(), 0)
    await row(kid)
      .getByText(/^\d+ (s|min)/)
      .first()
      .waitFor()
    assert.equal(await row(kid).locator('a').getAttribute('href'), `#/dids/${encodeURIComponent(did)}`)
    await shown.assertSound()
    await shown.press('Rename issuer one')
    await shown.dialog.getByLabel('Label').fill('holder')
    await shown.confirm('Rename')
    await shown.dialog.getByText(/already uses/).waitFor()
    await shown.dialog.getByLabel('Label').fill('issuer two')
    await shown.confirm('Rename')
    await row(kid).locator('.wrap', { hasText: 'issuer two' }).waitFor()
    assert.equal(
      (await shown.client.get('/key/read/{kid}', { params: { path: { kid } } })).alias,
      'issuer two',
    )
    await shown.page.getByRole('search', { name: 'Keys of the account' }).getByLabel('Label').fill('nobody')
    await shown.press('Filter')
    await shown.page.getByText('No keys match.').waitFor()
    await shown.page.goBack()
    await row(kid).waitFor()
  })

  it('are deleted after a typed confirmation, unless a DID needs them', async () => {
    const kid = await create('spare')
    const { did, controllerKeyId = '' } = await shown.client.post('/did/create', {
      body: { network: 'testnet' },
    })
    await open()
    await row(controllerKeyId)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await shown.dialog.getByRole('link', { name: did }).waitFor()
    await shown.assertSound()
    await shown.confirm('Close')
    await shown.press('Delete spare')
    await shown.dialog.getByText('No DID of the account needs this key.').waitFor()
    await shown.dialog.getByLabel(/to confirm/).fill('no')
    await shown.confirm('Delete')
    await shown.dialog.getByText(/Type “delete” to confirm\.$/).waitFor()
    await shown.dialog.getByLabel(/to confirm/).fill('delete')
    await shown.confirm('Delete')
    await row(kid).waitFor({ state: 'detached' })
    // Its button is gone: who works with the keyboard goes on at the table.
    assert.match(await shown.page.evaluate<string>('document.activeElement.textContent'), /^\d+ keys$/)
    await assert.rejects(shown.client.get('/key/read/{kid}', { params: { path: { kid } } }), /holds no key/)
  })

  it('can be changed only with the scopes for it', async () => {
    await create('untouched')
    const { apiKey } = await shown.limitedKey({ scopes: ['keys', 'read'] })
    await open(apiKey)
    const [rename, remove] = ['Rename untouched', 'Delete untouched'].map((name) =>
      shown.page.getByRole('button', { name }),
    )
    await rename?.waitFor()
    assert.equal(await rename?.getAttribute('aria-disabled'), null)
    assert.equal(await remove?.getAttribute('aria-disabled'), 'true')
    assert.match((await remove?.getAttribute('title')) ?? '', /key-deletion/)
  })

  it('keep the page of a long list in the address', async () => {
    for (let n = 0; n < 30; n++) await create()
    await open()
    await shown.page.getByRole('link', { name: 'Next' }).click()
    await shown.page.getByText(/^Page 2 of 2$/).waitFor()
    await shown.page.goBack()
    await shown.page.getByText(/^Page 1 of 2$/).waitFor()
  })
})
