import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createClient, type Client } from '@vidimus/client'
import type { Page } from 'playwright-core'
import { ConsoleBrowser } from './support/console-browser.js'
import { Service } from './support/service.js'

describe('the account in the console', () => {
  let browser: ConsoleBrowser | undefined
  let service: Service
  let client: Client
  let page: Page

  before(async function () {
    browser = await ConsoleBrowser.launch()
    if (!browser) return this.skip()
    service = await Service.start({
      configure: (text) => text.replace('allowPrivateAddresses: false', 'allowPrivateAddresses: true'),
    })
    client = createClient({ url: service.url, apiKey: service.apiKey ?? '' })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(() => browser?.closePage())

  const shown = () => browser ?? assert.fail('there is no browser')
  const open = async (hash: string, heading: string, apiKey?: string) => {
    page = await shown().signIn(service, apiKey)
    await shown().goTo(hash, heading)
  }
  const section = (name: string | RegExp) => page.getByRole('region', { name })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.getByRole('dialog')
  const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })
  const limited = async (name: string, scopes: string[]) =>
    (await client.post('/account/api-keys', { body: { name, scopes } })).apiKey

  it('creates, rotates and revokes API keys, and shows each only once', async () => {
    await open('#/account', 'Account')
    await press('Create an API key')
    await dialog().getByLabel('Name').fill('reporting')
    await dialog().getByLabel('Expires').fill('yesterday')
    await dialog().getByLabel('read', { exact: true }).check()
    await dialog().getByLabel('testnet').check()
    await confirm('Create')
    await dialog()
      .getByText(/expiresAt/)
      .waitFor()
    await dialog().getByLabel('Expires').fill('2099-12-31')
    await confirm('Create')
    const secret = await section('API key reporting').locator('.mono').first().innerText()
    const { apiKeys } = await client.get('/account/api-keys')
    const made = apiKeys.find(({ name }) => name === 'reporting')
    assert.deepEqual([made?.scopes, made?.networks], [['read'], ['testnet']])
    assert.equal(made?.expiresAt, '2099-12-31T00:00:00.000Z')
    await createClient({ url: service.url, apiKey: secret }).get('/did/list')
    await shown().assertSound()
    await press('I have stored it')
    assert.ok(!(await page.locator('body').innerText()).includes(secret))
    await rowOf('reporting').getByText('in use').waitFor()

    await press('Rotate reporting')
    await dialog()
      .getByLabel(/old key keeps working/)
      .selectOption('an hour')
    await confirm('Rotate')
    await section('API key reporting').waitFor()
    await press('I have stored it')
    await rowOf('rotated, still accepted').waitFor()
    await rowOf('rotated, still accepted').getByRole('button', { name: 'Revoke reporting' }).click()
    await shown().assertSound()
    await confirm('Revoke')
    await rowOf('reporting').getByText('revoked').waitFor()
    await assert.rejects(
      createClient({ url: service.url, apiKey: secret }).get('/did/list'),
      /401|access token/,
    )
  })

  it('signs out who revokes the own key', async () => {
    await open('#/account', 'Account', await limited('suicidal', ['api-keys', 'read']))
    await press('Revoke suicidal')
    await dialog().getByText('this signs you out').waitFor()
    await confirm('Revoke')
    await page.getByText('The service rejected this API key').waitFor()
  })

  it('shows usage and limits', async () => {
    await client.post('/did/create', { body: { network: 'testnet' } })
    await open('#/account', 'Account')
    const usage = section('Usage and limits')
    await usage.getByRole('row', { name: /^DIDs 1 1,000,000/ }).waitFor()
    await usage
      .getByRole('row', { name: /Fees of own writes|Fees for lists of others/ })
      .first()
      .waitFor()
  })

  it('offers only what the scopes of the key allow', async () => {
    await open('#/account', 'Account', await limited('reader', ['read']))
    await page.getByText('This API key lacks a required scope: api-keys or api-key-list.').waitFor()
    await section('Usage and limits').getByRole('table').waitFor()
    for (const [hash, heading] of [
      ['#/account/webhooks', 'Webhooks'],
      ['#/account/audit', 'Audit trail'],
    ] as const) {
      await shown().goTo(hash, heading)
      await page.locator('.note', { hasText: 'This API key lacks a required scope' }).waitFor()
      await shown().assertSound()
    }
  })

  it('creates a webhook, shows its secret once, and revokes it', async () => {
    await open('#/account/webhooks', 'Webhooks')
    await page.getByText('None yet.').waitFor()
    await shown().assertSound()
    await press('Create a webhook')
    await dialog().getByLabel('Address of the receiver').fill('http://receiver.example/')
    await confirm('Create')
    await dialog().getByText(/url/).waitFor()
    await dialog().getByLabel('Address of the receiver').fill('https://127.0.0.1:9/vidimus')
    await dialog().getByLabel('Events').fill('list.updated, did.deactivated')
    await confirm('Create')
    const secret = await section(/^Secret of/)
      .locator('.mono')
      .innerText()
    assert.match(secret, /^whsec_/)
    await press('I have stored it')
    assert.ok(!(await page.locator('body').innerText()).includes(secret))
    await rowOf('https://127.0.0.1:9/vidimus').getByText('list.updated, did.deactivated').waitFor()
    await shown().assertSound()
    await press('Revoke https://127.0.0.1:9/vidimus')
    await confirm('Revoke')
    await rowOf('https://127.0.0.1:9/vidimus').getByText('revoked').waitFor()
  })

  it('lists dead letters with their reason, and delivers them again', async () => {
    const letter = {
      event: {
        id: '0000000000000042',
        type: 'did.created',
        time: '2026-05-01T12:00:00.000Z',
        subject: 'did:x:y',
      },
      attempts: 34,
      failure: { time: '2026-05-02T12:00:00.000Z', status: 500, reason: 'its host responded with 500' },
    }
    const { id, url } = await client.post('/account/webhooks', { body: { url: 'https://127.0.0.1:9/dead' } })
    page = await shown().signIn(service)
    let replayed: unknown
    // It takes a day until a letter is dead: the answers of the service are replaced, in their documented form.
    await page.route('**/account/webhooks?**', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { webhooks: { id: string; deadLetters: number }[] }
      for (const one of body.webhooks) if (one.id === id) one.deadLetters = replayed ? 0 : 1
      await route.fulfill({ response: answer, json: body })
    })
    await page.route(`**/account/webhooks/${id}/dead-letters?**`, (route) =>
      route.fulfill({ json: { deadLetters: replayed ? [] : [letter], more: false } }),
    )
    await page.route(`**/account/webhooks/${id}/replay`, async (route) => {
      replayed = route.request().postDataJSON()
      await route.fulfill({ json: { replayed: 1 } })
    })
    await shown().goTo('#/account/webhooks', 'Webhooks')
    await press(`Dead letters of ${url}`)
    await page.getByRole('cell', { name: 'its host responded with 500' }).waitFor()
    await shown().assertSound()
    await press('Deliver again')
    await page.getByText('None any more.').waitFor()
    assert.deepEqual(replayed, { events: [letter.event.id] })
  })

  it('finds in the audit trail, keeps the filter in the address, and exports it', async () => {
    for (let n = 0; n < 60; n++) await client.post('/key/create', { body: {} })
    await open('#/account/audit', 'Audit trail')
    const rows = page.getByRole('row')
    await rows.nth(50).waitFor()
    await shown().assertSound()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Newest' }).waitFor()
    await page.getByRole('cell', { name: 'account-created' }).waitFor()
    await page.getByLabel('Event').fill('api-key-created')
    await press('Filter')
    await page.getByRole('cell', { name: 'key-created', exact: true }).first().waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'api-key-created' }).first().waitFor()
    assert.match(page.url(), /#\/account\/audit\?event=api-key-created$/)
    const [download] = await Promise.all([page.waitForEvent('download'), press('Export as CSV')])
    assert.equal(download.suggestedFilename(), 'audit-trail.csv')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    const { entries } = await client.get('/account/audit', {
      params: { query: { event: 'api-key-created' } },
    })
    assert.equal(lines.length, entries.length + 1)
    assert.match(lines[1] ?? '', /^[\d-]+T[\d:.]+Z,api-key-created,done,1,/)
    await page.getByLabel('Event').fill('nothing-of-the-kind')
    await press('Filter')
    await page.getByText('Nothing that fits.').waitFor()
    await page.getByLabel('From', { exact: true }).fill('yesterday')
    await press('Filter')
    await page.getByRole('alert').filter({ hasText: 'since' }).waitFor()
    await page.goBack()
    await page.getByText('Nothing that fits.').waitFor()
  })
})
