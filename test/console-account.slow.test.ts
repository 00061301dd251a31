import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { createClient } from '@vidimus/client'
import { ShownConsole } from './support/shown-console.js'

describe('the account in the console', () => {
  const shown = new ShownConsole({ account: 'account' })

  const rowOf = (hasText: string) => shown.page.getByRole('row').filter({ hasText })
  const limited = async (name: string, scopes: string[]) => (await shown.limitedKey({ name, scopes })).apiKey

  it('creates, rotates and revokes API keys, and shows each only once', async () => {
    await shown.open('#/account', 'Account')
    await shown.press('Create an API key')
    await shown.dialog.getByLabel('Name').fill('reporting')
    await shown.dialog.getByLabel('Expires').fill('yesterday')
    await shown.dialog.getByLabel('read', { exact: true }).check()
    await shown.dialog.getByLabel('testnet').check()
    await shown.confirm('Create')
    await shown.dialog.getByText(/expiresAt/).waitFor()
    await shown.dialog.getByLabel('Expires').fill('2099-12-31')
    await shown.confirm('Create')
    const secret = await shown.section('API key reporting').locator('.mono').first().innerText()
    const { apiKeys } = await shown.client.get('/account/api-keys')
    const made = apiKeys.find(({ name }) => name === 'reporting')
    assert.deepEqual([made?.scopes, made?.networks], [['read'], ['testnet']])
    assert.equal(made?.expiresAt, '2099-12-31T00:00:00.000Z')
    await createClient({ url: shown.url, apiKey: secret }).get('/did/list')
    await shown.assertSound()
    await shown.press('I have stored it')
    assert.ok(!(await shown.page.locator('body').innerText()).includes(secret))
    await rowOf('reporting').getByText('in use').waitFor()

    await shown.press('Rotate reporting')
    await shown.dialog.getByLabel(/old key keeps working/).selectOption('an hour')
    await shown.confirm('Rotate')
    await shown.section('API key reporting').waitFor()
    await shown.press('I have stored it')
    await rowOf('rotated, still accepted').waitFor()
    await rowOf('rotated, still accepted').getByRole('button', { name: 'Revoke reporting' }).click()
    await shown.assertSound()
    await shown.confirm('Revoke')
    await rowOf('reporting').getByText('revoked').waitFor()
    await assert.rejects(
      createClient({ url: shown.url, apiKey: secret }).get('/did/list'),
      /401|access token/,
    )
  })

  it('signs out when the key in use is revoked', async () => {
    await shown.open('#/account', 'Account', await limited('suicidal', ['api-keys', 'read']))
    await shown.press('Revoke suicidal')
    await shown.dialog.getByText('this signs you out').waitFor()
    await shown.confirm('Revoke')
    await shown.page.getByText('The service rejected this API key').waitFor()
  })

  it('shows usage and limits', async () => {
    await shown.client.post('/did/create', { body: { network: 'testnet' } })
    await shown.open('#/account', 'Account')
    const usage = shown.section('Usage and limits')
    await usage.getByRole('row', { name: /^DIDs 1 1,000,000/ }).waitFor()
    await usage
      .getByRole('row', { name: /Fees of own writes|Fees for lists of others/ })
      .first()
      .waitFor()
  })

  it('offers only what the scopes of the key allow', async () => {
    await shown.open('#/account', 'Account', await limited('reader', ['read']))
    await shown.page.getByText('This API key lacks a required scope: api-keys or api-key-list.').waitFor()
    await shown.section('Usage and limits').getByRole('table').waitFor()
    for (const [hash, heading] of [
      ['#/account/webhooks', 'Webhooks'],
      ['#/account/audit', 'Audit trail'],
    ] as const) {
      await shown.goTo(hash, heading)
      await shown.page.locator('.note', { hasText: 'This API key lacks a required scope' }).waitFor()
      await shown.assertSound()
    }
  })

  it('creates a webhook, shows its secret once, and revokes it', async () => {
    await shown.open('#/account/webhooks', 'Webhooks')
    await shown.page.getByText('No webhooks yet.').waitFor()
    await shown.assertSound()
    await shown.press('Create a webhook')
    await shown.dialog.getByLabel('Address of the receiver').fill('ftp://receiver.example/')
    await shown.confirm('Create')
    await shown.dialog.getByText(/url/).waitFor()
    await shown.dialog.getByLabel('Address of the receiver').fill('https://127.0.0.1:9/vidimus')
    await shown.dialog.getByLabel('Events').fill('list.updated, did.deactivated')
    await shown.confirm('Create')
    const secret = await shown
      .section(/^Secret of/)
      .locator('.mono')
      .innerText()
    assert.match(secret, /^whsec_/)
    await shown.press('I have stored it')
    assert.ok(!(await shown.page.locator('body').innerText()).includes(secret))
    await rowOf('https://127.0.0.1:9/vidimus').getByText('list.updated, did.deactivated').waitFor()
    await shown.assertSound()
    await shown.press('Revoke https://127.0.0.1:9/vidimus')
    await shown.confirm('Revoke')
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
    const { id, url } = await shown.client.post('/account/webhooks', {
      body: { url: 'https://127.0.0.1:9/dead' },
    })
    await shown.signIn()
    let replayed: unknown
    // It takes a day until a letter is dead: the answers of the service are replaced, in their documented form.
    await shown.page.route('**/account/webhooks?**', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { webhooks: { id: string; deadLetters: number }[] }
      for (const one of body.webhooks) if (one.id === id) one.deadLetters = replayed ? 0 : 1
      await route.fulfill({ response: answer, json: body })
    })
    await shown.page.route(`**/account/webhooks/${id}/dead-letters?**`, (route) =>
      route.fulfill({ json: { deadLetters: replayed ? [] : [letter], more: false } }),
    )
    await shown.page.route(`**/account/webhooks/${id}/replay`, async (route) => {
      replayed = route.request().postDataJSON()
      await route.fulfill({ json: { replayed: 1 } })
    })
    await shown.goTo('#/account/webhooks', 'Webhooks')
    await shown.press(`Dead letters of ${url}`)
    await shown.page.getByRole('cell', { name: 'its host responded with 500' }).waitFor()
    await shown.assertSound()
    await shown.press('Deliver again')
    await shown.page.getByText('No dead letters left.').waitFor()
    assert.deepEqual(replayed, { events: [letter.event.id] })
  })

  it('finds in the audit trail, keeps the filter in the address, and exports it', async () => {
    for (let n = 0; n < 60; n++) await shown.client.post('/key/create', { body: {} })
    await shown.open('#/account/audit', 'Audit trail')
    const rows = shown.page.getByRole('row')
    await rows.nth(50).waitFor()
    await shown.assertSound()
    await shown.page.getByRole('link', { name: 'Next' }).click()
    await shown.page.getByRole('link', { name: 'First page' }).waitFor()
    await shown.page.getByRole('cell', { name: 'account-created' }).waitFor()
    await shown.page.getByLabel('Event').fill('api-key-created')
    await shown.press('Filter')
    await shown.page
      .getByRole('cell', { name: 'key-created', exact: true })
      .first()
      .waitFor({ state: 'detached' })
    await shown.page.getByRole('cell', { name: 'api-key-created' }).first().waitFor()
    assert.match(shown.page.url(), /#\/account\/audit\?event=api-key-created$/)
    const [download] = await Promise.all([shown.page.waitForEvent('download'), shown.press('Export as CSV')])
    assert.equal(download.suggestedFilename(), 'audit-trail.csv')
    const lines = (await text(await download.createReadStream())).trim().split('\r\n')
    const { entries } = (await shown.client.get('/account/audit', {
      params: { query: { event: 'api-key-created' } },
    })) as { entries: unknown[] }
    assert.equal(lines.length, entries.length + 1)
    assert.match(lines[1] ?? '', /^[\d-]+T[\d:.]+Z,api-key-created,done,1,/)
    await shown.page.getByLabel('Event').fill('nothing-of-the-kind')
    await shown.press('Filter')
    await shown.page.getByText('No entries match.').waitFor()
    await shown.page.getByLabel('From', { exact: true }).fill('yesterday')
    await shown.press('Filter')
    await shown.page.getByRole('alert').filter({ hasText: 'since' }).waitFor()
    await shown.page.goBack()
    await shown.page.getByText('No entries match.').waitFor()
  })
})
