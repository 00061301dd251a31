import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@vidimus/client'
import type { BrowserContextOptions, PageScreenshotOptions } from 'playwright-core'
import { root } from './support/repository.js'
import { ShownConsole } from './support/shown-console.js'
import { until } from './support/until.js'
import { Receiver } from './support/webhook-trial.js'

const FOLDER = join(root, 'docs/images')
const TOP = { x: 0, y: 0, width: 1280, height: 480 }
const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  hasTouch: true,
}
/** Whether the pictures are kept; otherwise the tests only make sure that they can be taken. */
const IS_WRITING = process.env.SCREENSHOTS === 'write'

/** The pictures of docs/console.md, taken while the pages are walked through. */
describe('pictures of the console', () => {
  const shown = new ShownConsole({ account: 'issuer', filled: true })
  const taken = new Set<string>()

  /** @param name - of the file, without what all have */
  const take = async (name: string, options: PageScreenshotOptions = {}) => {
    const file = join(FOLDER, `console-${name}.png`)
    const picture = await shown.page.screenshot(options)
    assert.ok(picture.length > 5000, `${name} is empty`)
    if (IS_WRITING) writeFileSync(file, picture)
    assert.ok(existsSync(file), `${file} is missing: npm run screenshots`)
    taken.add(`console-${name}.png`)
  }
  const cell = (name: string) => shown.page.getByRole('cell', { name }).first().waitFor()

  async function openList() {
    const type = 'BitstringStatusList/BitstringStatusListCredential'
    await shown.goTo(`#/lists/${encodeURIComponent(shown.account.did)}/${type}/employees`, 'employees')
    await shown.page.getByText('first version').waitFor()
    for (let n = 0; n < 5; n++) await shown.press('Zoom in')
    await shown.page.getByLabel('Index').fill('18446')
    await shown.press('Show')
    // until one that can be reinstated
    do {
      await shown.press('Next set')
      await shown.page.getByText(/not valid/).waitFor()
    } while ((await shown.page.getByRole('button', { name: 'Reinstate' }).count()) === 0)
  }

  it('show signing in, DIDs and their pages', async () => {
    await shown.signIn()
    await shown.page.getByRole('table').waitFor()
    await take('dids', { clip: TOP })
    await shown.page.getByRole('link', { name: shown.account.did }).click()
    await shown.page.getByRole('link', { name: 'employees' }).waitFor()
    await take('did')
    await shown.press('Sign out')
    await shown.page.getByLabel('API key').waitFor()
    await take('sign-in', { clip: TOP })
  })

  it('show a list in the light, in the dark and on a phone', async () => {
    await shown.signIn()
    await openList()
    await take('list-light', { fullPage: true })
    await shown.closePage()
    await shown.signIn(undefined, { colorScheme: 'dark' })
    await openList()
    await shown.press('All')
    await take('list-dark', { fullPage: true })
    await shown.closePage()
    await shown.signIn(undefined, PHONE)
    await openList()
    await shown.page.evaluate('scrollTo(0, 0)')
    await take('phone')
  })

  it('show credentials, mass changes and forms', async () => {
    const { page, did } = { page: await shown.signIn(), did: shown.account.did }
    await shown.goTo('#/credentials', 'Credentials')
    const form = page.getByRole('region', { name: 'Issue a credential' })
    await form.getByLabel('Issuer').fill(did)
    await form.getByLabel('Status list').fill('employees')
    await form.getByLabel('Status purpose').fill('revocation')
    await form.getByRole('button', { name: 'Issue', exact: true }).click()
    await page.getByText('The credential was issued.').waitFor({ state: 'attached' })
    await shown.press('Verify')
    await page.getByText('Verified.').waitFor()
    await take('credentials')
    await shown.goTo('#/changes', 'Mass changes')
    await page.getByText('Change from a file', { exact: true }).click()
    const rows = ['credentialId,action,reason', 'urn:uuid:6b1f6f2c,revoke,left the company']
    await page.getByLabel('Or its rows').fill(rows.join('\n'))
    await shown.press('Dry run')
    await page.getByText('Nothing was changed.').waitFor()
    await page.getByText('not_registered').waitFor()
    await take('changes', { fullPage: true })
  })

  it('show the account, its keys and events', async () => {
    const { client } = shown.account
    for (const [name, scopes] of [
      ['verifier', ['read']],
      ['issuer service', ['read', 'credentials', 'status-lists']],
    ] as const) {
      await client.post('/account/api-keys', {
        body: { name, scopes: [...scopes], networks: ['testnet'], expiresAt: '2099-12-31' },
      })
    }
    await client.post('/key/create', { body: { alias: 'issuer' } })
    const receiver = await new Receiver().start()
    receiver.answer = (response) => void response.writeHead(503).end()
    const { id } = await client.post('/account/webhooks', { body: { url: receiver.url } })
    await client.post('/credential-status/create/unencrypted', {
      params: { query: { listType: 'TokenStatusList', statusPurpose: ['revocation'] } },
      body: { did: shown.account.did, statusListName: 'visitors', validUntil: '2099-12-31T00:00:00Z' },
    })
    await until(async () => {
      const { items } = await client.get('/work', { params: { query: { state: 'failed' } } })
      return items.length > 0
    })
    await shown.open('#/work', 'Work')
    await cell('503')
    await take('work', { clip: TOP })
    await client.delete('/account/webhooks/{id}', { params: { path: { id } } })
    await receiver.stop()
    await shown.goTo('#/account', 'Account')
    await cell('issuer service')
    await take('account')
    await shown.goTo('#/account/audit', 'Audit trail')
    await cell('key-created')
    await take('audit')
    await shown.goTo('#/keys', 'Keys')
    await cell('issuer')
    await take('keys')
    await shown.goTo('#/events', 'Events')
    await shown.page.getByRole('link', { name: 'employees' }).first().waitFor()
    await take('events', { clip: { ...TOP, height: 640 } })
    await shown.assertSound()
  })

  it('show what operators see', async () => {
    const { facts } = shown
    for (const name of ['acme', 'globex']) await shown.keyOfNewAccount(name)
    const operator = createClient({ url: shown.url, apiKey: facts.operator })
    await operator.post('/operator/accounts/{name}/disable', { params: { path: { name: 'globex' } } })
    await shown.open('#/operators', 'Accounts', facts.operator)
    await cell('globex')
    await take('operators')
    // Nobody signs in with an identity provider here: the answer of the service is replaced, in its documented form.
    const session = {
      id: '5d0f3c1e-0001',
      issuer: 'https://login.acme.example',
      subject: 'ann@acme.example',
      account: 'acme',
      scopes: ['credentials', 'read', 'status-lists'],
      createdAt: '2026-05-04T07:58:12.000Z',
      usedAt: '2026-05-04T11:42:30.000Z',
      endsAt: '2026-05-04T19:58:12.000Z',
    }
    const { scopes: _all, ...other } = { ...session, id: '5d0f3c1e-0002', subject: 'bob@acme.example' }
    await shown.page.route('**/operator/sessions?*', (route) =>
      route.fulfill({ json: { sessions: [session, other] } }),
    )
    await shown.goTo('#/operators/sessions', 'Sessions')
    await cell('bob@acme.example')
    await take('sessions', { clip: TOP })
    // Where this service happens to be is nobody's business.
    await shown.page.route('**/operator/health', async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text())
        .replaceAll(facts.dataDirectory, '/var/lib/vidimus')
        .replaceAll(root, '/etc/vidimus')
      await route.fulfill({ response: answer, body: text })
    })
    await shown.goTo('#/operators/health', 'Health of the service')
    await cell('migrations')
    await take('health')
  })

  it('are all those that the documentation shows', () => {
    const page = readFileSync(join(root, 'docs/console.md'), 'utf8')
    const named = [...page.matchAll(/images\/(console-[\w-]+\.png)/g)].map(([, name = '']) => name)
    assert.deepEqual([...taken].sort(), [...new Set(named)].sort())
  })
})
