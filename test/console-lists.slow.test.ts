import assert from 'node:assert/strict'
import { BITSTRING } from './support/console-set-up.js'
import { ShownConsole } from './support/shown-console.js'

describe('the status lists of an account in the console', () => {
  const shown = new ShownConsole({ account: 'lists', filled: true })

  const createMoreLists = async () => {
    const { client, did } = shown.account
    const params = { query: { listType: BITSTRING, statusPurpose: ['revocation'] } }
    await client.post('/credential-status/create/encrypted', {
      params,
      body: { did, statusListName: 'secret', paymentConditions: [] },
    })
    await client.post('/credential-status/create/unencrypted', {
      params,
      body: { did, statusListName: 'staff', series: true },
    })
  }

  it('are shown over all DIDs, with encrypted ones and members of series', async () => {
    await createMoreLists()
    await shown.open('#/lists', 'Status lists')
    const table = shown.page.getByRole('table', { name: 'Status lists of the account' })
    for (const name of ['badges', 'employees', 'secret', 'staff.1', 'wallets']) {
      await table.getByRole('link', { name, exact: true }).waitFor()
    }
    await table.getByRole('row', { name: /staff\.1 .* staff \((?:ready|open)\)/ }).waitFor()
    await shown.assertSound()
    await shown.page.setViewportSize({ width: 1280, height: 860 })
    await table.getByRole('link', { name: 'secret', exact: true }).click()
    await shown.page.getByText('This list is encrypted').waitFor()
    assert.equal(await shown.page.locator('nav a[aria-current=page]').innerText(), 'Status lists')
  })

  it('are shown on the first page, however many DIDs before theirs have none', async () => {
    await shown.signIn()
    // The service looks at a hundred DIDs for each answer; this one is as it is for the first hundred.
    await shown.page.route('**/credential-status/list?*', (route) => {
      const url = new URL(route.request().url())
      if (!url.searchParams.has('after')) {
        return route.fulfill({ json: { total: 3, statusLists: [], records: [], next: 'behind' } })
      }
      url.searchParams.delete('after')
      return route.continue({ url: url.toString() })
    })
    await shown.goTo('#/lists', 'Status lists')
    await shown.page.getByRole('link', { name: 'employees', exact: true }).waitFor()
    assert.equal(await shown.page.getByText(/^Page|on this page/).count(), 0)
  })

  it('have pages without numbers, each of which begins after the previous one', async () => {
    const { statusLists } = await shown.account.client.get('/credential-status/list')
    const rows = Array.from({ length: 25 }, (_, n) => {
      const [list = assert.fail('no list')] = statusLists
      const resourceMetadata = { ...list.resourceMetadata, resourceId: String(n) }
      return { ...list, statusListName: `list ${n}`, resourceMetadata }
    })
    await shown.signIn()
    await shown.page.route('**/credential-status/list?*', (route) => {
      const url = new URL(route.request().url())
      if (!url.searchParams.has('after')) {
        return route.fulfill({ json: { total: 60, statusLists: rows, records: rows, next: 'behind' } })
      }
      url.searchParams.delete('after')
      return route.continue({ url: url.toString() })
    })
    await shown.goTo('#/lists?page=3', 'Status lists')
    const link = (name: string) => shown.page.getByRole('link', { name, exact: true })
    await link('list 24').waitFor()
    assert.equal(await shown.page.getByText(/^Page/).count(), 0)
    await link('Next').click()
    await link('employees').waitFor()
    assert.match(shown.page.url(), /#\/lists\?after=behind$/)
    await link('First page').click()
    await link('list 24').waitFor()
  })

  it('are missing from an account without any', async () => {
    const apiKey = await shown.keyOfNewAccount('empty')
    await shown.open('#/lists', 'Status lists', apiKey)
    await shown.page.getByText('No status lists yet.').waitFor()
  })
})
