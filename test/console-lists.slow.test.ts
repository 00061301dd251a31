import assert from 'node:assert/strict'
import { BITSTRING } from './support/console-set-up.js'
import { ShownConsole } from './support/shown-console.js'

describe('the status lists of an account in the console', () => {
  const shown = new ShownConsole({ filled: true })

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

  it('are missing from an account without any', async () => {
    const { apiKey } = await shown.service.apiKeyOf('empty')
    await shown.open('#/lists', 'Status lists', apiKey)
    await shown.page.getByText('No status lists yet.').waitFor()
  })
})
