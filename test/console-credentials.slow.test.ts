import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ConsoleBrowser } from './support/console-browser.js'
import { filledAccount, type ShownAccount } from './support/console-set-up.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

describe('credentials in the console', () => {
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

  const open = async (apiKey?: string) => {
    assert.ok(browser)
    page = await browser.signIn(service, apiKey)
    await browser.goTo('#/credentials', 'Credentials')
  }
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const desk = () => section('Verify, revoke, suspend')
  const pasted = () => desk().getByLabel('Credential', { exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const issued = async () => {
    await until(async () => (await pasted().inputValue()).startsWith('eyJ'))
    return pasted().inputValue()
  }
  const issue = async () => {
    const form = section('Issue a credential')
    await form.getByLabel('Issuer').fill(account.did)
    await form.getByLabel('Subject').fill(account.did)
    await form.getByLabel('Status list').fill('employees')
    await form.getByLabel('Status purpose').fill('suspension, revocation')
    await press('Issue')
    return issued()
  }
  const statusOf = async (credential: string) => {
    const { statuses = [] } = await account.client.post('/credential/verify', { body: { credential } })
    return statuses.map(({ purpose, valid }) => [purpose, valid])
  }

  it('are issued, verified with each check, suspended, reinstated and revoked', async () => {
    await open()
    const form = section('Issue a credential')
    await form.getByLabel('Claims').fill('{"name": ')
    await form.getByLabel('Issuer').fill(account.did)
    await press('Issue')
    await form.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor()
    await form.getByLabel('Claims').fill('{"name": "Bob"}')
    await form.getByLabel('Status list').fill('no such list')
    await press('Issue')
    await form
      .getByRole('alert')
      .filter({ hasText: /no such list/ })
      .waitFor()
    await form.getByLabel('Status list').fill('')
    await press('Edit as JSON')
    const request = JSON.parse(await form.getByLabel('Request').inputValue()) as Record<string, unknown>
    assert.deepEqual(request, { issuerDid: account.did, attributes: { name: 'Bob' } })
    const status = { statusListName: 'employees', statusPurpose: ['revocation', 'suspension'] }
    await form
      .getByLabel('Request')
      .fill(JSON.stringify({ ...request, subjectDid: account.did, credentialStatus: status }))
    await press('Issue')
    const credential = await issued()

    await press('Verify')
    await desk().getByText('Verified.').waitFor()
    await desk().getByRole('cell', { name: 'signature' }).waitFor()
    await desk().getByText('revocation', { exact: true }).waitFor()
    await browser?.assertSound()

    await press('Suspend')
    await confirm('Suspend')
    await desk()
      .getByText(/The credential is suspended: index .* of the list employees/)
      .waitFor()
    await press('Verify')
    await desk().getByText('Does not verify.').waitFor()
    await desk()
      .getByRole('row', { name: /status failed .*suspended/ })
      .waitFor()
    await press('Reinstate')
    await confirm('Reinstate')
    await desk()
      .getByText(/The credential is reinstated/)
      .waitFor()
    assert.ok((await statusOf(credential)).every(([, valid]) => valid))
    await press('Revoke')
    await page.getByText('Revocation is permanent').waitFor()
    await browser?.assertSound()
    await confirm('Revoke')
    await desk()
      .getByText(/The credential is revoked/)
      .waitFor()
    assert.ok((await statusOf(credential)).some(([, valid]) => !valid))
  })

  it('are revoked by their id, and nothing else is taken for one', async () => {
    await open()
    const id = 'urn:uuid:0f2a3b7e-4b1c-4a57-9d55-2f0f5d0c6a11'
    const { proof } = await account.client.post('/credential/issue', {
      body: {
        issuerDid: account.did,
        credentialId: id,
        attributes: { name: 'Eve' },
        credentialStatus: { statusListName: 'employees', statusPurpose: 'revocation' },
      },
    })
    for (const [text, says] of [
      ['', 'Paste a credential first'],
      ['just words', 'neither a JWT'],
      ['{"half":', 'not valid JSON'],
      [id, 'its id alone says nothing'],
    ]) {
      await pasted().fill(text ?? '')
      await press('Verify')
      await desk()
        .getByRole('alert')
        .filter({ hasText: says ?? '' })
        .waitFor()
    }
    await press('Revoke')
    await confirm('Revoke')
    await desk()
      .getByText(/The credential is revoked/)
      .waitFor()
    assert.deepEqual(await statusOf(proof.jwt ?? ''), [['revocation', false]])
    await pasted().fill('urn:uuid:unknown')
    await press('Revoke')
    await confirm('Revoke')
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: /credentialId/ })
      .waitFor()
  })

  it('are presented for tests', async () => {
    await open()
    await issue()
    const form = section('Present for testing')
    await form.getByLabel('Audience').fill('https://verifier.example')
    await form.getByLabel('Nonce').fill('n-1')
    await press('Present')
    await form.getByRole('region', { name: 'Presentation' }).waitFor()
    await press('Verify the presentation')
    await form.getByText('Verified.').waitFor()
    await form.getByRole('cell', { name: 'nonce' }).waitFor()
    await form.getByLabel('Nonce').fill('another')
    await press('Verify the presentation')
    await form.getByRole('row', { name: /nonce failed/ }).waitFor()
    await browser?.assertSound()
  })

  it('offer nothing that the key may not do', async () => {
    const { apiKey } = await service.apiKeyOf('default', { scopes: ['read'] })
    await open(apiKey)
    await pasted().fill('urn:uuid:1')
    for (const name of ['Issue', 'Revoke', 'Suspend', 'Reinstate', 'Present']) {
      const button = page.getByRole('button', { name, exact: true })
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      assert.match((await button.getAttribute('title')) ?? '', /lacks a required scope/)
    }
  })
})
