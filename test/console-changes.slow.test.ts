import assert from 'node:assert/strict'
import { BITSTRING } from './support/console-set-up.js'
import { ShownConsole } from './support/shown-console.js'
import { until } from './support/until.js'

describe('mass changes in the console', () => {
  const shown = new ShownConsole({ account: 'changes', filled: true })

  const valuesAt = async (statusListName: string, indices: number[]) => {
    const { results = [] } = await shown.account.client.post('/credential-status/check', {
      params: { query: { listType: BITSTRING, statusPurpose: 'revocation' } },
      body: { did: shown.account.did, statusListName, indices },
    })
    const byIndex = new Map(results.map(({ index, status }) => [index, status]))
    return indices.map((index) => byIndex.get(index))
  }
  const issued = async (credentialId: string) => {
    const status = { statusListName: 'employees', statusPurpose: 'revocation' as const }
    const { credentialStatus } = await shown.account.client.post('/credential/issue', {
      body: {
        issuerDid: shown.account.did,
        credentialId,
        attributes: { name: 'Eve' },
        credentialStatus: status,
      },
    })
    return Number((credentialStatus as { statusListIndex: string }).statusListIndex)
  }

  const openForm = () => shown.page.getByText('Change from a file', { exact: true }).click()

  it('are tried out and applied from pasted rows and from a file, and report what they refuse', async () => {
    const indices = await Promise.all(['urn:x:1', 'urn:x:2'].map(issued))
    await shown.open('#/changes', 'Mass changes')
    await openForm()
    await shown.press('Dry run')
    await shown.page.getByRole('alert').filter({ hasText: 'Choose a file, or paste its rows.' }).waitFor()
    await shown.page.getByLabel('Or its rows').fill('credentialId,acton\nurn:x:1,revoke\n')
    await shown.press('Dry run')
    await shown.page
      .getByRole('alert')
      .filter({ hasText: /action/ })
      .waitFor()
    await shown.page
      .getByLabel('Or its rows')
      .fill('credentialId,action\nurn:x:1,revoke\nurn:x:nobody,revoke\n')
    await shown.press('Dry run')
    await shown.page.getByText('Nothing was changed. 1 row would be applied, 1 refused.').waitFor()
    await shown.page.getByRole('row', { name: /3 not_registered/ }).waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [0, 0])
    await shown.assertSound()
    await shown.press('Apply')
    await shown.confirm('Apply')
    await shown.page.getByText('1 row applied, 1 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [1, 0])

    await shown.page.getByLabel(/^A file/).setInputFiles({
      name: 'revoked.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from('{"credentialId":"urn:x:2","action":"revoke"}\n'),
    })
    await shown.page.getByText('revoked.ndjson, 45 bytes').waitFor()
    await shown.press('Apply')
    await shown.page.getByRole('alert').filter({ hasText: 'remove one of them' }).waitFor()
    await shown.page.getByLabel('Or its rows').fill('')
    await shown.press('Apply')
    await shown.confirm('Apply')
    await shown.page.getByText('1 row applied, 0 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', indices), [1, 1])
    const address = shown.page.url()
    assert.match(address, /#\/changes\?job=[0-9a-f-]{36}$/)
    await shown.page.reload()
    await shown.page.getByLabel('API key').fill(shown.apiKey)
    await shown.press('Sign in')
    await shown.page.getByText('1 row applied, 0 refused.').waitFor()
    await shown.goTo('#/changes?job=no-such-job', 'Mass changes')
    await shown.page.getByRole('alert').filter({ hasText: /job/ }).waitFor()
    const jobs = shown.page.getByRole('region', { name: 'Jobs', exact: true }).first()
    await jobs
      .getByRole('cell', { name: /2 of 2/ })
      .first()
      .waitFor()
    assert.equal(await jobs.getByRole('row').count(), 4)
    await jobs
      .getByRole('row', { name: /dry run/ })
      .getByRole('link')
      .click()
    await shown.page.getByText('Nothing was changed. 1 row would be applied, 1 refused.').waitFor()
  })

  it('are listed with their progress, and cancelled after a confirmation', async () => {
    const list = `${shown.account.did}?resourceName=employees&resourceType=BitstringStatusListCredential`
    const order = async (count: number) => {
      const rows = Array.from({ length: count }, (_, n) => `${list},${1000 + n},suspend`)
      const { id } = await shown.account.client.post('/credential-status/jobs', {
        body: ['list,index,action', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
        bodySerializer: (body) => body,
      })
      return id
    }
    // An account has one job at a time: the second one waits meanwhile.
    await order(60_000)
    const id = await order(1)
    const { state } = await shown.account.client.post('/credential-status/jobs/{id}/pause', {
      params: { path: { id } },
    })
    assert.equal(state, 'paused')
    await shown.open('#/changes?state=paused', 'Mass changes')
    await shown.page.getByRole('row', { name: new RegExp(`${id} paused 0 of 1`) }).waitFor()
    await shown.assertSound()
    await shown.press(`Cancel ${id}`)
    await shown.assertSound()
    await shown.confirm('Cancel')
    await shown.page.getByText('No jobs match.').waitFor()
    await shown.goTo(`#/changes?job=${id}`, 'Mass changes')
    await shown.page.getByText('The job was cancelled.').first().waitFor()
    await shown.page.getByRole('row', { name: new RegExp(`${id} cancelled`) }).waitFor()
    await shown.assertSound()
  })

  it('are listed anew while one is under way, and the first row is in the upper half of a small screen', async () => {
    const id = crypto.randomUUID()
    const list = `${shown.account.did}?resourceName=employees&resourceType=BitstringStatusListCredential`
    await shown.account.client.post('/credential-status/jobs', {
      params: { query: { jobId: id, dryRun: true } },
      body: `list,index,action\n${list},2000,suspend\n`,
      headers: { 'content-type': 'text/csv' },
      bodySerializer: (body) => body,
    })
    await shown.signIn()
    const { page } = shown
    let isUnderWay = true
    let reads = 0
    await page.route('**/credential-status/jobs?*', async (route) => {
      reads += 1
      const response = await route.fetch()
      const { jobs, ...end } = (await response.json()) as { jobs: { id: string; state: string }[] }
      const shownJobs = jobs.map((job) => (isUnderWay && job.id === id ? { ...job, state: 'running' } : job))
      await route.fulfill({ response, json: { ...end, jobs: shownJobs } })
    })
    const row = (state: string) => page.getByRole('row', { name: new RegExp(`${id}.*${state}`) })
    const isQuiet = async () => {
      const before = reads
      await page.waitForTimeout(2500)
      assert.equal(reads, before)
    }
    await shown.goTo('#/changes', 'Mass changes')
    await row('running').waitFor()
    await page.evaluate('document.activeElement.blur()')
    const seen = reads
    await until(() => reads > seen + 2)
    // It does not scroll away from whoever reads further below.
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY')
    await shown.goTo('#/work', 'Work')
    await isQuiet()
    await shown.goTo('#/changes', 'Mass changes')
    isUnderWay = false
    await row('done').waitFor()
    await isQuiet()
    await page.setViewportSize({ width: 800, height: 800 })
    const { y = Infinity } = (await page.locator('tbody tr').first().boundingBox()) ?? {}
    assert.ok(y <= 400, `the first row is at ${y}`)
  })

  it('change many entries of a list, of which the register knows the holders', async () => {
    const index = await issued('urn:x:holder')
    const list = [shown.account.did, BITSTRING, 'BitstringStatusListCredential', 'employees']
    await shown.open(`#/lists/${list.map(encodeURIComponent).join('/')}`, 'employees')
    await shown.page.getByLabel('Indices').fill('100000, 100010-x')
    await shown.press('Dry run')
    await shown.page.getByRole('alert').filter({ hasText: '100010-x' }).waitFor()
    await shown.page.getByLabel('Indices').fill('100000, 100010-100012')
    await shown.page.getByLabel('Action').selectOption('suspend')
    await shown.press('Apply')
    await shown.confirm('Apply')
    await shown.page.getByText('4 rows applied, 0 refused.').waitFor()
    assert.deepEqual(await valuesAt('employees', [100_000, 100_010, 100_011, 100_012]), [2, 2, 2, 2])

    const show = async (wanted: number) => {
      await shown.page.getByRole('textbox', { name: 'Index' }).fill(String(wanted))
      await shown.press('Show')
      await shown.page.getByRole('group', { name: `Entry ${wanted}` }).waitFor()
      await shown.press('Who holds it')
    }
    await show(index)
    const holder = shown.page.getByRole('group', { name: `Entry ${index}` })
    await holder.getByText('Issued').waitFor()
    for (const [id, answer] of [
      ['urn:uuid:unknown', 'No: no credential in the register of this account has this id.'],
      ['urn:x:holder', 'Yes: the credential with this id has this entry.'],
    ] as const) {
      await holder.getByLabel('Id of a credential').fill(id)
      await shown.press('Compare')
      await holder.getByText(answer).waitFor()
    }
    await shown.assertSound()
    await show(100_000)
    await shown.page.getByText('No credential in the register of this account has this index.').waitFor()
  })

  it('are seen in the register, which is browsed by list and time', async () => {
    await issued('urn:x:browsed')
    await shown.open('#/credentials', 'Credentials')
    await shown.page.getByRole('link', { name: 'Issued', exact: true }).click()
    await shown.page.getByRole('heading', { name: 'Issued credentials', level: 1 }).waitFor()
    const rows = shown.page.getByRole('row', { name: /employees.*valid.*never/ })
    await rows.first().waitFor()
    await shown.assertSound()
    await shown.goTo('#/credentials/issued?issuedUntil=2000-01-01', 'Issued credentials')
    await shown.page.getByText('No entries match.').waitFor()
    assert.equal(await rows.count(), 0)
    await shown.goTo(`#/credentials/issued?did=${shown.account.did}`, 'Issued credentials')
    await rows.first().waitFor()
  })

  it('are not offered to a key that may not make them', async () => {
    const { apiKey } = await shown.limitedKey({ scopes: ['read'] })
    await shown.open('#/changes', 'Mass changes', apiKey)
    await openForm()
    for (const name of ['Dry run', 'Apply']) {
      const button = shown.page.getByRole('button', { name, exact: true })
      assert.match((await button.getAttribute('title')) ?? '', /lacks a required scope/)
    }
  })
})
