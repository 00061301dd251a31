import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { ConsoleBrowser } from './support/console-browser.js'
import { BITSTRING, filledAccount, type ShownAccount } from './support/console-set-up.js'
import { Service } from './support/service.js'

describe('mass changes in the console', () => {
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

  const open = async (hash: string, heading: string, apiKey?: string) => {
    assert.ok(browser)
    page = await browser.signIn(service, apiKey)
    await browser.goTo(hash, heading)
  }
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const confirm = () => page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
  const valuesAt = async (statusListName: string, indices: number[]) => {
    const { results = [] } = await account.client.post('/credential-status/check', {
      params: { query: { listType: BITSTRING, statusPurpose: 'revocation' } },
      body: { did: account.did, statusListName, indices },
    })
    const byIndex = new Map(results.map(({ index, status }) => [index, status]))
    return indices.map((index) => byIndex.get(index))
  }
  const issued = async (credentialId: string) => {
    const status = { statusListName: 'employees', statusPurpose: 'revocation' as const }
    const { credentialStatus } = await account.client.post('/credential/issue', {
      body: { issuerDid: account.did, credentialId, attributes: { name: 'Eve' }, credentialStatus: status },
    })
    return Number((credentialStatus as { statusListIndex: string }).statusListIndex)
  }

  it('are tried out and applied from pasted rows and from a file, and report what they refuse', async () => {
    const indices = await Promise.all(['urn:x:1', 'urn:x:2'].map(issued))
    await open('#/changes', 'Mass changes')
    await press('Dry run')
    await page.getByRole('alert').filter({ hasText: 'Choose a file, or paste its rows.' }).waitFor()
    await page.getByLabel('Or its rows').fill('credentialId,acton\nurn:x:1,revoke\n')
    await press('Dry run')
    await page
      .getByRole('alert')
      .filter({ hasText: /action/ })
      .waitFor()
    await page.getByLabel('Or its rows').fill('credentialId,action\nurn:x:1,revoke\nurn:x:nobody,revoke\n')
    await press('Dry run')
    await page.getByText('Nothing was changed. 1 row would be applied, 1 refused.').waitFor()
    await page.getByRole('row', { name: /3 not_registered/ }).waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [0, 0])
    await browser?.assertSound()
    await press('Apply')
    await confirm()
    await page.getByText('1 row applied, 1 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [1, 0])

    await page.getByLabel(/^A file/).setInputFiles({
      name: 'revoked.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from('{"credentialId":"urn:x:2","action":"revoke"}\n'),
    })
    await page.getByText('revoked.ndjson, 45 bytes').waitFor()
    await press('Apply')
    await page.getByRole('alert').filter({ hasText: 'remove one of them' }).waitFor()
    await page.getByLabel('Or its rows').fill('')
    await press('Apply')
    await confirm()
    await page.getByText('1 row applied, 0 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [1, 1])
    const address = page.url()
    assert.match(address, /#\/changes\?job=[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByLabel('API key').fill(service.apiKey ?? '')
    await press('Sign in')
    await page.getByText('1 row applied, 0 refused.').waitFor()
    await page.getByLabel('Id of the job').fill('no-such-job')
    await press('Show')
    await page.getByRole('alert').filter({ hasText: /job/ }).waitFor()
  })

  it('change many entries of a list, of which the register knows the holders', async () => {
    const index = await issued('urn:x:holder')
    const list = [account.did, BITSTRING, 'BitstringStatusListCredential', 'employees']
    await open(`#/lists/${list.map(encodeURIComponent).join('/')}`, 'employees')
    await page.getByLabel('Indices').fill('100000, 100010-x')
    await press('Dry run')
    await page.getByRole('alert').filter({ hasText: '100010-x' }).waitFor()
    await page.getByLabel('Indices').fill('100000, 100010-100012')
    await page.getByLabel('Action').selectOption('suspend')
    await press('Apply')
    await confirm()
    await page.getByText('4 rows applied, 0 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', [100_000, 100_010, 100_011, 100_012]), [2, 2, 2, 2])

    const show = async (wanted: number) => {
      await page.getByRole('textbox', { name: 'Index' }).fill(String(wanted))
      await press('Show')
      await page.getByRole('group', { name: `Entry ${wanted}` }).waitFor()
      await press('Who holds it')
    }
    await show(index)
    await page.getByText('Hash of its id').waitFor()
    await browser?.assertSound()
    await show(100_000)
    await page.getByText('No credential in the register of this account has this index.').waitFor()
  })

  it('are not offered to a key that may not make them', async () => {
    const { apiKey } = await service.apiKeyOf('default', { scopes: ['read'] })
    await open('#/changes', 'Mass changes', apiKey)
    for (const name of ['Dry run', 'Apply']) {
      const button = page.getByRole('button', { name, exact: true })
      assert.match((await button.getAttribute('title')) ?? '', /lacks a required scope/)
    }
  })
})
