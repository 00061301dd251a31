import assert from 'node:assert/strict'
import { createClient, type Client } from '@vidimus/client'
import { ShownConsole } from './support/shown-console.js'

const ADVICE = 'transfer CHEQ to it'

describe('operators in the console', () => {
  const shown = new ShownConsole({ account: 'operators' })
  let apiKey: string
  let operator: Client
  before(async () => {
    apiKey = shown.facts.operator
    operator = createClient({ url: shown.url, apiKey })
  })

  const rowOf = (name: string) => shown.page.getByRole('row').filter({ hasText: name })
  const open = (hash: string, heading: string) => shown.open(hash, heading, apiKey)

  it('create an account with a key that is shown once', async () => {
    await open('#/operators', 'Accounts')
    await rowOf('operations').waitFor()
    await shown.assertSound()
    await shown.press('Create an account')
    await shown.dialog.getByLabel('Name').fill('?')
    await shown.confirm('Create')
    await shown.dialog.getByText(/must begin with a letter or digit/).waitFor()
    await shown.dialog.getByLabel('Name').fill('acme inc')
    await shown.assertSound()
    await shown.confirm('Create')
    const secret = await shown.section('First API key of acme inc').locator('.mono').innerText()
    await createClient({ url: shown.url, apiKey: secret }).get('/did/list')
    await shown.assertSound()
    await shown.press('I have stored it')
    assert.ok(!(await shown.page.locator('body').innerText()).includes(secret))
    await rowOf('acme inc').getByText('in use').waitFor()
  })

  it('disable and enable an account', async () => {
    const { firstKey } = await operator.post('/operator/accounts', {
      body: { name: 'initech', firstKey: {} },
    })
    const initech = createClient({ url: shown.url, apiKey: firstKey?.apiKey ?? '' })
    await open('#/operators?name=init*', 'Accounts')
    await shown.press('Disable initech')
    await shown.assertSound()
    await shown.confirm('Disable')
    await rowOf('initech').getByText('disabled').waitFor()
    await assert.rejects(initech.get('/did/list'), /401|access token/)
    await shown.assertSound()
    await shown.press('Enable initech')
    await shown.confirm('Enable')
    await rowOf('initech').getByText('in use').waitFor()
    await initech.get('/did/list')
  })

  it('delete an account after a look at what ends, by typing its name', async () => {
    const { firstKey } = await operator.post('/operator/accounts', { body: { name: 'ended', firstKey: {} } })
    const ended = createClient({ url: shown.url, apiKey: firstKey?.apiKey ?? '' })
    const { did } = await ended.post('/did/create', { body: { network: 'testnet' } })
    await ended.post('/credential-status/create/unencrypted', {
      params: { query: { listType: 'TokenStatusList', statusPurpose: ['revocation'] } },
      body: { did, statusListName: 'expiring', validUntil: '2999-01-01T00:00:00Z' },
    })
    await open('#/operators?name=ended', 'Accounts')
    await shown.press('Delete ended')
    await shown.dialog
      .getByRole('listitem')
      .filter({ hasText: /^1 API keys: erased/ })
      .waitFor()
    await shown.dialog.getByRole('listitem').filter({ hasText: 'expiring' }).waitFor()
    await shown.assertSound()
    await shown.dialog.getByLabel(/Type/).fill('other')
    await shown.confirm('Delete')
    await shown.dialog.getByText('Type “ended” to confirm.').waitFor()
    await shown.dialog.getByLabel(/Type/).fill('ended')
    // by keyboard
    await shown.page.keyboard.press('Enter')
    await shown.page.getByText('No accounts match.').waitFor()
    await shown.assertSound()
    await assert.rejects(ended.get('/did/list'), /401|access token/)
    await shown.page.getByRole('link', { name: 'Show all' }).click()
    await rowOf('operations').waitFor()
  })

  it('refuses to disable the account of the own key, with the reason', async () => {
    await open('#/operators', 'Accounts')
    await shown.press('Disable operations')
    await shown.confirm('Disable')
    await shown.dialog.getByText(/account of this caller/).waitFor()
  })

  it('see health, networks, publication and versions', async () => {
    await open('#/operators/health', 'Health of the service')
    await shown.section('All is well').waitFor()
    await shown.page.getByRole('cell', { name: 'migrations', exact: true }).waitFor()
    await shown.section('Networks and their outbox').getByText('Embedded ledgers have no outbox').waitFor()
    await shown.section('Publication').getByText('not configured').waitFor()
    await shown.section('Database').getByText('SQLite').waitFor()
    await shown.section('Versions').getByText(process.versions.node, { exact: true }).waitFor()
    await shown.assertSound()
  })

  it('see findings that need attention first, and networks with their outbox', async () => {
    await shown.signIn(apiKey)
    // Answers of the service are changed, in their documented form: a real network would take longer than all of this.
    await shown.page.route('**/operator/health', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { level: string; findings: object[]; networks: object[] }
      const network = { network: 'testnet', outbox: { queued: 2, sent: 1 }, outboxOldestSeconds: 300 }
      const finding = { name: 'payer', level: 'fail', message: 'the payer has no CHEQ left', advice: ADVICE }
      const json = { ...body, level: 'fail', findings: [...body.findings, finding], networks: [network] }
      await route.fulfill({ response: answer, json })
    })
    await shown.goTo('#/operators/health', 'Health of the service')
    await shown.section('Something is wrong').getByRole('row').nth(1).getByText(ADVICE).waitFor()
    await shown.page.getByRole('cell', { name: '2 queued, 1 sent' }).waitFor()
    await shown.page.getByRole('cell', { name: '5 min' }).waitFor()
    await shown.assertSound()
  })

  it('are told when the service cannot answer', async () => {
    await shown.signIn(apiKey)
    const refusal = { error: 'the service is busy', code: 'unavailable', requestId: 'r1', details: [] }
    await shown.page.route('**/operator/health', (route) => route.fulfill({ status: 503, json: refusal }))
    await shown.goTo('#/operators/health', 'Health of the service')
    await shown.page.getByRole('alert').filter({ hasText: 'The service is busy. (request r1)' }).waitFor()
    await shown.assertSound()
  })

  it('are the only ones who see these pages', async () => {
    await shown.signIn()
    assert.equal(await shown.page.getByRole('link', { name: 'Operators' }).count(), 0)
    for (const [hash, heading] of [
      ['#/operators', 'Accounts'],
      ['#/operators/health', 'Health of the service'],
    ] as const) {
      await shown.goTo(hash, heading)
      await shown.page.getByText('This API key lacks a required scope: operator.').waitFor()
      await shown.assertSound()
    }
  })

  it('begin with accounts if their key may do nothing else', async () => {
    await shown.signIn(apiKey)
    await shown.press('Sign out')
    await shown.page.evaluate("history.replaceState(null, '', location.pathname)")
    await shown.page.getByLabel('API key').fill(shown.facts.onlyOperator)
    await shown.press('Sign in')
    await shown.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await rowOf('operations').waitFor()
  })
})
