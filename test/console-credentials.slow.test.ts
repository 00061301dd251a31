import assert from 'node:assert/strict'
import { ShownConsole } from './support/shown-console.js'
import { until } from './support/until.js'

describe('credentials in the console', () => {
  const shown = new ShownConsole({ account: 'credentials', filled: true })

  const open = (apiKey?: string) => shown.open('#/credentials', 'Credentials', apiKey)
  const desk = () => shown.section('Verify, revoke, suspend')
  const pasted = () => desk().getByLabel('Credential', { exact: true })
  const issued = async () => {
    await until(async () => (await pasted().inputValue()).startsWith('eyJ'))
    return pasted().inputValue()
  }
  const issue = async () => {
    const form = shown.section('Issue a credential')
    await form.getByLabel('Issuer').fill(shown.account.did)
    await form.getByLabel('Subject').fill(shown.account.did)
    await form.getByLabel('Status list').fill('employees')
    await form.getByLabel('Status purpose').fill('suspension, revocation')
    await shown.press('Issue')
    return issued()
  }
  const statusOf = async (credential: string) => {
    const { statuses = [] } = await shown.account.client.post('/credential/verify', { body: { credential } })
    return statuses.map(({ purpose, valid }) => [purpose, valid])
  }

  it('are issued, verified with each check, suspended, reinstated and revoked', async () => {
    await open()
    const form = shown.section('Issue a credential')
    await form.getByLabel('Claims').fill('{"name": ')
    await form.getByLabel('Issuer').fill(shown.account.did)
    await shown.press('Issue')
    await form.getByRole('alert').filter({ hasText: 'not valid JSON' }).waitFor()
    await form.getByLabel('Claims').fill('{"name": "Bob"}')
    await form.getByLabel('Status list').fill('no such list')
    await shown.press('Issue')
    await form
      .getByRole('alert')
      .filter({ hasText: /no such list/ })
      .waitFor()
    await form.getByLabel('Status list').fill('')
    await shown.press('Edit as JSON')
    const request = JSON.parse(await form.getByLabel('Request').inputValue()) as Record<string, unknown>
    assert.deepEqual(request, { issuerDid: shown.account.did, attributes: { name: 'Bob' } })
    const status = { statusListName: 'employees', statusPurpose: ['revocation', 'suspension'] }
    await form
      .getByLabel('Request')
      .fill(JSON.stringify({ ...request, subjectDid: shown.account.did, credentialStatus: status }))
    await shown.press('Issue')
    const credential = await issued()

    await shown.press('Verify')
    await desk().getByText('Verified.').waitFor()
    await desk().getByRole('cell', { name: 'signature' }).waitFor()
    await desk().getByText('revocation', { exact: true }).waitFor()
    await shown.assertSound()

    await shown.press('Suspend')
    await shown.confirm('Suspend')
    await desk()
      .getByText(/The credential is suspended: index .* of the list employees/)
      .waitFor()
    await shown.press('Verify')
    await desk().getByText('Does not verify.').waitFor()
    await desk()
      .getByRole('row', { name: /status failed .*suspended/ })
      .waitFor()
    await shown.press('Reinstate')
    await shown.confirm('Reinstate')
    await desk()
      .getByText(/The credential is reinstated/)
      .waitFor()
    assert.ok((await statusOf(credential)).every(([, valid]) => valid))
    await shown.press('Revoke')
    await shown.page.getByText('Revocation is permanent').waitFor()
    await shown.assertSound()
    await shown.confirm('Revoke')
    await desk()
      .getByText(/The credential is revoked/)
      .waitFor()
    assert.ok((await statusOf(credential)).some(([, valid]) => !valid))
  })

  it('are revoked by their id, and nothing else is taken for one', async () => {
    await open()
    const id = 'urn:uuid:0f2a3b7e-4b1c-4a57-9d55-2f0f5d0c6a11'
    const { proof } = await shown.account.client.post('/credential/issue', {
      body: {
        issuerDid: shown.account.did,
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
      await shown.press('Verify')
      await desk()
        .getByRole('alert')
        .filter({ hasText: says ?? '' })
        .waitFor()
    }
    await shown.press('Revoke')
    await shown.confirm('Revoke')
    await desk()
      .getByText(/The credential is revoked/)
      .waitFor()
    assert.deepEqual(await statusOf(proof.jwt ?? ''), [['revocation', false]])
    await pasted().fill('urn:uuid:unknown')
    await shown.press('Revoke')
    await shown.confirm('Revoke')
    await shown.page
      .getByRole('dialog')
      .getByRole('alert')
      .filter({ hasText: /credentialId/ })
      .waitFor()
  })

  it('are presented for tests', async () => {
    await open()
    await issue()
    const form = shown.section('Present for testing')
    await form.getByLabel('Audience').fill('https://verifier.example')
    await form.getByLabel('Nonce').fill('n-1')
    await shown.press('Present')
    await form.getByRole('region', { name: 'Presentation' }).waitFor()
    await shown.press('Verify the presentation')
    await form.getByText('Verified.').waitFor()
    await form.getByRole('cell', { name: 'nonce' }).waitFor()
    await form.getByLabel('Nonce').fill('another')
    await shown.press('Verify the presentation')
    await form.getByRole('row', { name: /nonce failed/ }).waitFor()
    await shown.assertSound()
  })

  it('offer nothing that the key may not do', async () => {
    const { apiKey } = await shown.limitedKey({ scopes: ['read'] })
    await open(apiKey)
    await pasted().fill('urn:uuid:1')
    for (const name of ['Issue', 'Revoke', 'Suspend', 'Reinstate', 'Present']) {
      const button = shown.page.getByRole('button', { name, exact: true })
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      assert.match((await button.getAttribute('title')) ?? '', /lacks a required scope/)
    }
  })
})
