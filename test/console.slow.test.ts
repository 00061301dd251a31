import assert from 'node:assert/strict'
import { createClient } from '@vidimus/client'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { BITSTRING, signIn } from './support/console-set-up.js'
import { PLUGIN_TYPE } from './support/plugin-type.js'
import { ShownConsole } from './support/shown-console.js'
import { until } from './support/until.js'

describe('the console in a browser', () => {
  const shown = new ShownConsole({ account: 'console', filled: true })
  let page: Page

  const open = async (options: BrowserContextOptions = {}): Promise<Page> =>
    (page = await shown.openPage(options))
  const signedIn = async (options: BrowserContextOptions = {}, apiKey = shown.apiKey): Promise<Page> =>
    (page = await shown.signIn(apiKey, options))
  const openList = async (
    name = 'employees',
    listType = BITSTRING,
    resourceType = 'BitstringStatusListCredential',
  ) => {
    const parts = [shown.account.did, listType, resourceType, name].map(encodeURIComponent)
    await page.evaluate(`location.hash = '#/lists/${parts.join('/')}'`)
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByText('first version').waitFor()
    if (!['secret', 'staff'].includes(name)) await page.locator('.line-frame[aria-busy=false]').waitFor()
  }
  const goTo = (hash: string, heading: string) => shown.goTo(hash, heading)
  const openDid = async (did: string) => {
    await goTo(`#/dids/${encodeURIComponent(did)}`, did)
    await page.getByText(/"verificationMethod"/).waitFor()
  }
  const indexField = () => page.getByRole('textbox', { name: 'Index' })
  const chooseIndex = async (index: number) => {
    await indexField().fill(String(index))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText(/Checked by the service just now, .*(valid)/).waitFor()
  }
  const text = (locator: string) => page.locator(locator).innerText()
  it('opens with a valid key, stores it nowhere and forgets it', async () => {
    await signedIn()
    await page.getByRole('table', { name: 'DIDs of the account' }).waitFor()
    const key = shown.apiKey
    const kept = await page.evaluate<string>(
      'JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])',
    )
    assert.ok(!kept.includes(key))
    assert.deepEqual(await page.context().cookies(), [])
    await page.reload()
    await page.getByLabel('API key').waitFor()
    await signIn(page, shown.url, key)
    await page.getByRole('button', { name: 'Sign out' }).click()
    assert.equal(await page.getByLabel('API key').inputValue(), '')
    assert.equal(await page.getByRole('table').count(), 0)
  })

  it('explains in a sentence why a key does not work', async () => {
    await open()
    await page.goto(`${shown.url}/console/`)
    const attempts: [string, RegExp][] = [
      ['', /Enter an API key/],
      ['vidimus_of nobody', /is not an API key/],
      [`${shown.apiKey}0`, /rejected this API key: it is mistyped, expired or revoked/],
    ]
    for (const [key, says] of attempts) {
      await page.getByLabel('API key').fill(key)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').filter({ hasText: says }).waitFor()
      assert.equal(await page.evaluate('document.activeElement.type'), 'password')
    }
  })

  it('explains what a limited key may not do, and notices when a key is revoked', async () => {
    const { id, apiKey } = await shown.limitedKey({ scopes: ['status-lists'] })
    await signedIn({}, apiKey)
    await page.getByText('This API key is limited: its scopes are status-lists.').waitFor()
    await page.getByText(/^This API key lacks a required scope: .*did-list/).waitFor()
    await goTo(`#/dids/${encodeURIComponent(shown.account.did)}`, shown.account.did)
    await page.getByRole('button', { name: 'Create a status list' }).click()
    await page.getByRole('dialog', { name: 'Create a status list' }).waitFor()
    await page.keyboard.press('Escape')
    await openList()
    await chooseIndex(3)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await shown.client.delete('/account/api-keys/{id}', { params: { path: { id } } })
    await indexField().fill('4')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /rejected this API key/ })
      .waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
  })

  it('disables what the scopes and networks of a key do not allow, and explains why', async () => {
    const reader = await shown.limitedKey({ scopes: ['read'] })
    await signedIn({}, reader.apiKey)
    await page.getByRole('link', { name: shown.account.did }).waitFor()
    const isOff = async (name: string, scopes: string) => {
      const button = page.getByRole('button', { name, exact: true })
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      const reason = `This API key lacks a required scope: ${scopes}.`
      assert.equal(await button.getAttribute('title'), reason)
      await page.getByText(reason).first().waitFor()
      await button.click({ force: true })
      assert.equal(await page.getByRole('dialog').count(), 0)
    }
    await isOff('Create a DID', 'dids or did-create')
    await isOff('Import a DID', 'dids or did-import')
    await openDid(shown.account.did)
    await isOff('Create a status list', 'status-lists or create-status-list')
    await openList()
    await chooseIndex(100_020)
    await isOff('Revoke', 'status-lists, update-status-list or statusListUpdate')
    await goTo('#/keys', 'Keys')
    await isOff('Create a key pair', 'keys or key-create')
    await shown.assertAccessible()
    await shown.closePage()
    const onMainnet = await shown.limitedKey({ networks: ['mainnet'] })
    await signedIn({}, onMainnet.apiKey)
    await page.getByText('it may write only to mainnet').waitFor()
    await openDid(shown.account.did)
    await page.getByText('This API key may not write to testnet.').waitFor()
  })

  it('creates a DID and a status list, and shows them', async () => {
    await signedIn()
    await page.getByRole('button', { name: 'Create a DID' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a DID' })
    await dialog.getByLabel('Linked domain').fill('https://new.example')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: /^did:cheqd:testnet:/ }).waitFor()
    await page.getByText('controls the DID').waitFor()
    await page.getByText('https://new.example').first().waitFor()
    await page.getByRole('button', { name: 'Create a status list' }).click()
    const lists = page.getByRole('dialog', { name: 'Create a status list' })
    await lists.getByLabel('Name').fill('four bits')
    await lists.getByLabel('Bits of an entry').selectOption('4')
    await lists.getByLabel('Purpose').selectOption('revocation and suspension')
    await lists.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'four bits', level: 1 }).waitFor()
    await page.getByText('4 bits').waitFor()
    await page.getByText('131,072').first().waitFor()
    const nextSet = page.getByRole('button', { name: 'Next set' })
    assert.deepEqual(
      [await nextSet.getAttribute('aria-disabled'), await nextSet.getAttribute('title')],
      ['true', 'No entry is set.'],
    )
    await chooseIndex(1)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    await page.locator('.state strong', { hasText: 'Suspended' }).waitFor()
  })

  it('rotates the signing key of a DID, and shows the progress', async () => {
    await signedIn()
    const { did } = await shown.account.client.post('/did/create', { body: { network: 'testnet' } })
    await openDid(did)
    await page.getByText('The signing key has not been rotated yet.').waitFor()
    await page.getByRole('button', { name: 'Rotate the signing key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rotate the signing key' })
    await dialog.getByLabel('Grace period').fill('90 days')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await dialog
      .getByRole('alert')
      .filter({ hasText: /gracePeriod/ })
      .waitFor()
    await dialog.getByLabel('Grace period').fill('PT0S')
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    await page.getByText('Done.', { exact: true }).waitFor()
    await shown.assertAccessible()
  })

  it('creates a series, and shows its first list', async () => {
    await signedIn()
    await openDid(shown.account.did)
    await page.getByRole('button', { name: 'Create a status list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a status list' })
    await dialog.getByLabel('Name').fill('staff')
    await dialog.getByLabel('When all entries are used').selectOption('continue in a new list')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'staff.1', level: 1 }).waitFor()
    await shown.assertAccessible()
  })

  it('shows refusals next to the form', async () => {
    await signedIn()
    await page.getByRole('button', { name: 'Import a DID' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import a DID' })
    await dialog.getByRole('button', { name: 'Import' }).click()
    assert.equal(await page.evaluate("document.activeElement.matches('input:invalid')"), true)
    await dialog.getByLabel('DID', { exact: false }).first().fill('no-did')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog
      .getByRole('alert')
      .filter({ hasText: /must be a DID/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Import a DID')
  })

  it('zooms, pans and selects with the pointer what the service reports', async () => {
    await signedIn()
    await openList()
    const canvas = page.getByRole('application', { name: 'Bitmap of 131,072 entries' })
    const scale = async () => Number(await page.locator('[data-scale]').getAttribute('data-scale'))
    const before = await scale()
    const box = (await canvas.boundingBox()) ?? assert.fail('the bitmap is not there')
    await page.mouse.move(box.x + 40, box.y + 40)
    for (let n = 0; n < 12; n++) await page.mouse.wheel(0, -300)
    await page.waitForFunction(`document.querySelector('[data-scale]').dataset.scale > 20`)
    assert.ok((await scale()) > before)
    await page.mouse.down()
    await page.mouse.move(box.x + 140, box.y + 90, { steps: 4 })
    await page.mouse.up()
    assert.equal(await indexField().inputValue(), '', 'a drag selects nothing')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await page.getByText(/Checked by the service just now/).waitFor()
    const index = Number(await indexField().inputValue())
    const { status } = await shown.account.client.post('/credential-status/check', {
      params: { query: { listType: BITSTRING, statusPurpose: 'revocation' } },
      body: { did: shown.account.did, statusListName: 'employees', index },
    })
    assert.equal(await text('.state strong'), ['Valid', 'Revoked', 'Suspended'][status ?? 9])
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.waitForFunction(`document.querySelector('[data-scale]').dataset.scale == ${before}`)
  })

  it('draws every entry in the colour of its value', async () => {
    await signedIn()
    await openList()
    // one reading of the whole picture, a colour for each index
    const colours = (indices: number[]) =>
      page.evaluate<number[][]>(`(() => {
        const canvas = document.querySelector('canvas')
        const { clientWidth, clientHeight, width, height } = canvas
        const ratio = width / clientWidth
        const scale = Number(document.querySelector('[data-scale]').dataset.scale)
        const left = (clientWidth - 512 * scale) / 2, top = (clientHeight - 256 * scale) / 2
        const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
        return ${JSON.stringify(indices)}.map((index) => {
          const x = Math.floor((left + (index % 512 + 0.5) * scale) * ratio)
          const y = Math.floor((top + (Math.floor(index / 512) + 0.5) * scale) * ratio)
          return [...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)]
        })
      })()`)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    const { results = [] } = await shown.account.client.post('/credential-status/check', {
      params: { query: { listType: BITSTRING, statusPurpose: 'revocation' } },
      body: { did: shown.account.did, statusListName: 'employees', indexRangeStart: 0, indexRangeEnd: 9999 },
    })
    const palette: Record<number, number[]> = { 0: [223, 228, 229], 1: [194, 47, 61], 2: [184, 117, 3] }
    const some = [0, 1, 2].flatMap((wanted) => {
      const found = results.filter(({ status }) => status === wanted).slice(0, 12)
      assert.ok(found.length > 0)
      return found
    })
    assert.deepEqual(
      await colours(some.map(({ index }) => index)),
      some.map(({ status }) => palette[status ?? 9]),
    )
  })

  it('loses no entry in the overview of a long list', async () => {
    const list = { did: shown.account.did, statusListName: 'long' }
    await shown.account.client.post('/credential-status/create/unencrypted', {
      params: { query: { listType: BITSTRING, statusPurpose: ['revocation'] } },
      body: { ...list, length: 3_000_000 },
    })
    await shown.account.client.post('/credential-status/update/unencrypted', {
      params: { query: { listType: BITSTRING, statusAction: 'revoke' } },
      body: { ...list, indices: [1_234_567] },
    })
    await signedIn()
    await openList('long')
    await page.getByRole('application', { name: 'Bitmap of 3,000,000 entries' }).waitFor()
    const seen = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      let seen = 0
      for (let n = 0; n < data.length; n += 4) if (data[n] === 194 && data[n + 1] === 47 && data[n + 2] === 61) seen++
      return seen
    })()`)
    assert.ok(seen >= 1, 'the revoked entry is not in the picture')
    await page.getByRole('button', { name: 'Next set' }).click()
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
    assert.equal(await indexField().inputValue(), '1234567')
  })

  it('revokes after a confirmation, shows the result, and offers no way back', async () => {
    await signedIn()
    await openList()
    await chooseIndex(100_001)
    assert.equal(await text('.state strong'), 'Valid')
    await page.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke: index 100001' })
    await dialog.getByText('Revocation is permanent').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await text('.state strong'), 'Valid')
    await page.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByLabel('Name of the new version').fill('left in May')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
    await page.getByText('Permanently revoked').waitFor()
    await page.getByText(/not valid \(value 1\)/).waitFor()
    await page.getByText('left in May').waitFor()
    assert.match(await text('.history'), /Valid → Revoked/)
    assert.equal(await page.getByRole('button', { name: 'Reinstate' }).count(), 0)
    const { revoked } = await shown.account.client.post('/credential-status/check', {
      params: { query: { listType: BITSTRING, statusPurpose: 'revocation' } },
      body: { did: shown.account.did, statusListName: 'employees', index: 100_001 },
    })
    assert.equal(revoked, true)
  })

  it('shows what waits for the next interval of a list, and from when it is visible', async () => {
    await shown.account.client.post('/credential-status/create/unencrypted', {
      params: { query: { listType: BITSTRING, statusPurpose: ['revocation'] } },
      body: { did: shown.account.did, statusListName: 'slow', publishEvery: 'PT5S' },
    })
    await signedIn()
    await openList('slow')
    await page.getByText('This list publishes at intervals (PT5S). No changes wait.').waitFor()
    await chooseIndex(7)
    await page.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke: index 7' })
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/Index 7 changed; verifiers see it from \d{4}-/).waitFor()
    await page.getByText(/1 changed entry waits; verifiers see it from/).waitFor()
    await page.getByText('No changes wait.').waitFor()
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
  })

  it('suspends, reinstates and sets states in lists of several bits and types', async () => {
    await signedIn()
    await openList()
    await chooseIndex(100_002)
    for (const [label, state] of [
      ['Suspend', 'Suspended'],
      ['Reinstate', 'Valid'],
    ] as const) {
      await page.getByRole('button', { name: label }).click()
      await page.getByRole('dialog').getByRole('button', { name: label }).click()
      await page.locator('.state strong', { hasText: state }).waitFor()
    }
    assert.equal(await page.locator('.history li').count(), 3)
    await openList('wallets', 'TokenStatusList', 'TokenStatusList')
    await page.getByText('4 bits').waitFor()
    await chooseIndex(7)
    assert.match(await text('.state'), /Value 3 \(0x3\)\s+0011/)
    await openList('badges', 'StatusList2021', 'StatusList2021Revocation')
    await chooseIndex(0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
  })

  it('changes encrypted lists by index', async () => {
    await shown.account.client.post('/credential-status/create/encrypted', {
      params: { query: { listType: BITSTRING, statusPurpose: ['revocation'] } },
      body: { did: shown.account.did, statusListName: 'secret' },
    })
    await signedIn()
    await openList('secret')
    await page.getByText('This list is encrypted').waitFor()
    assert.equal(await page.locator('canvas').count(), 0)
    await chooseIndex(12)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText(/not valid \(value 1\)/).waitFor()
  })

  it('shows DIDs of others read-only', async () => {
    await signedIn({}, await shown.keyOfNewAccount('another'))
    await page.getByLabel('Open any DID').fill(shown.account.did)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('This account does not hold this DID').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create a status list' }).count(), 0)
    const nobodys = shown.account.did.replace(/.{4}$/, '0000')
    await goTo(`#/dids/${encodeURIComponent(nobodys)}`, nobodys)
    await page.getByText('cannot be resolved').waitFor()
    assert.equal(await page.getByText('you can view it').count(), 0)
    assert.equal(await page.getByRole('heading', { name: 'Status lists' }).count(), 0)
    await openList()
    await chooseIndex(100_009)
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
  })

  it('offers no changes for a DID if it is unknown whether the account holds it', async () => {
    await signedIn({}, await shown.keyOfNewAccount('a third'))
    const unavailable = { status: 503, json: { error: 'the database is busy', code: 'unavailable' } }
    await page.route('**/did/read/*', (route) => route.fulfill(unavailable))
    await openDid(shown.account.did)
    await page.getByRole('alert').filter({ hasText: 'The database is busy' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Create a status list' }).count(), 0)
    assert.equal(await page.getByText('The account holds no key of this DID').count(), 0)
  })

  it("shows a list of a plugin's type, as reported by the service", async () => {
    await signedIn()
    await openDid(shown.account.did)
    await page.getByRole('button', { name: 'Create a status list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a status list' })
    await dialog.getByLabel('Type').selectOption(PLUGIN_TYPE)
    assert.deepEqual(await dialog.getByLabel('Purpose').locator('option').allInnerTexts(), ['revocation'])
    await dialog.getByLabel('Name').fill('staff')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'staff', level: 1 }).waitFor()
    await page.getByRole('application', { name: 'Bitmap of 131,072 entries' }).waitFor()
    assert.equal(await page.getByText(/damaged|cannot be/).count(), 0)
    await page.getByText('0 of 131,072 given out').waitFor()
    await chooseIndex(5)
    assert.equal(await text('.state strong'), 'Not set')
    assert.equal(await page.getByRole('button', { name: 'Suspend' }).count(), 0)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
    await page.getByText('Permanently revoked').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    await page.getByRole('region', { name: 'Values set' }).getByText('Revoked').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Not set → Revoked' }).waitFor()
  })

  it('clears the entry for an invalid index, and the bitmap if the list cannot be read', async () => {
    await signedIn()
    await openList()
    await chooseIndex(100_011)
    for (const wrong of ['131072', '-1', '1.5', 'x', '']) {
      await indexField().fill(wrong)
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.getByText('Must be a whole number from 0 to 131071').waitFor()
      assert.equal(await page.getByRole('group', { name: 'Entry 100011' }).count(), 0, wrong)
      assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0, wrong)
      await chooseIndex(100_011)
    }
    await page.route('**/credential-status/versions*', (route) => route.abort())
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    assert.equal(await page.locator('canvas').count(), 0)
    assert.equal(await page.getByText(/0 versions/).count(), 0)
    shown.forgive('ERR_FAILED')
  })

  it('keeps the position in a table in the address, for the back button and after signing in again', async () => {
    const apiKey = await shown.keyOfNewAccount('many')
    const many = createClient({ url: shown.url, apiKey })
    for (let n = 0; n < 26; n++) await many.post('/did/create', { body: { network: 'testnet' } })
    await signedIn({}, apiKey)
    await page.getByLabel('Network').selectOption('testnet')
    await page.getByText('Page 1 of 2').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    assert.match(page.url(), /#\/dids\?network=testnet&page=2$/)
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.locator('tbody a').click()
    await page.getByText(/"verificationMethod"/).waitFor()
    await page.goBack()
    await page.getByText('Page 2 of 2').waitFor()
    await page.reload()
    await page.getByLabel('API key').fill(apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Page 2 of 2').waitFor()
    assert.equal(await page.getByLabel('Network').inputValue(), 'testnet')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Page 1 of 2').waitFor()
  })

  it('shows a not-found page for an unknown address', async () => {
    await signedIn()
    for (const hash of ['#/nonsense', '#/keys/x', '#/try']) {
      await goTo(hash, 'Not found')
      await page.getByText(hash).waitFor()
    }
  })

  it('warns about the embedded ledger wherever its DIDs are shown or created, and about no other', async () => {
    const warning = () =>
      page.getByText(/are on the embedded ledger of this service, not on a public network/)
    await signedIn()
    await warning().waitFor()
    await page.getByRole('button', { name: 'Create a DID' }).click()
    await page.getByRole('dialog').getByText('On the embedded ledger of this service').waitFor()
    await page.keyboard.press('Escape')
    await openDid(shown.account.did)
    await warning().waitFor()
    await openList()
    await warning().waitFor()
    await shown.closePage()
    await open()
    await page.route('**/health/ready', (route) =>
      route.fulfill({ json: { ready: true, checks: [{ name: 'ledger:testnet', ok: true }] } }),
    )
    await signIn(page, shown.url, shown.apiKey)
    await page.getByRole('table').waitFor()
    assert.equal(await warning().count(), 0)
  })

  it('goes back in time, without offering changes', async () => {
    await signedIn()
    await openList()
    const line = page.getByRole('region', { name: 'Versions, newest first' })
    await line.getByRole('button').last().click()
    await page.getByText('This is the version of').waitFor()
    assert.match(await text('.legend'), /Valid\s*131,072/)
    await chooseIndex(100_003)
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    await page.getByRole('button', { name: 'Show the newest' }).click()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    assert.match(await text('.legend'), /Suspended\s*\d{3}/)
  })

  it('can be used with the keyboard alone, from signing in to revoking', async () => {
    await open()
    await page.goto(`${shown.url}/console/`)
    const focused = () =>
      page.evaluate<string>(
        '(document.activeElement.getAttribute("aria-label") || document.activeElement.innerText || document.activeElement.id).trim()',
      )
    const tabTo = async (wanted: RegExp) => {
      for (let n = 0; n < 60; n++) {
        if (wanted.test(await focused())) return
        await page.keyboard.press('Tab')
      }
      assert.fail(`the focus never came to ${wanted}; it is at ${await focused()}`)
    }
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(shown.apiKey)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: shown.account.did }).waitFor()
    assert.equal(await focused(), 'DIDs')
    await tabTo(new RegExp(`^${shown.account.did}$`))
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'employees' }).waitFor()
    await tabTo(/^employees$/)
    await page.keyboard.press('Enter')
    await page.getByText('first version').waitFor()
    await tabTo(/^Bitmap of/)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('+')
    await page.getByRole('status').filter({ hasText: 'Index 131070: Valid' }).waitFor({ state: 'attached' })
    // The field follows with the next frame.
    await until(async () => (await indexField().inputValue()) === '131070')
    await tabTo(/^Revoke$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(/^Revoke$/)
    await page.keyboard.press('Enter')
    await page.locator('.state strong', { hasText: 'Revoked' }).waitFor()
    assert.equal(await focused(), 'Entry 131070')
  })

  it('fits a phone without horizontal scrolling, on every page', async () => {
    await signedIn({ viewport: { width: 360, height: 740 }, hasTouch: true })
    await page.getByRole('table').waitFor()
    await shown.assertFits()
    for (const hash of [`#/dids/${encodeURIComponent(shown.account.did)}`, '#/keys']) {
      await page.evaluate(`location.hash = '${hash}'`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      await shown.assertFits()
    }
    await openDid(shown.account.did)
    await shown.assertFits()
    await goTo('#/events', 'Events')
    await page.getByRole('cell', { name: 'list.updated' }).first().waitFor()
    await shown.assertFits()
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('tbody tr')].map(({ offsetHeight }) => offsetHeight)",
    )
    // A subject and a key, each over some lines; a column of single words would be several times as tall.
    assert.ok(Math.max(...heights) < 300, `an event is ${Math.max(...heights)} px tall`)
    await openList()
    await chooseIndex(5)
    await shown.assertFits()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`has no serious accessibility finding (${colorScheme})`, async () => {
      await open({ colorScheme })
      await page.goto(`${shown.url}/console/`)
      await page.getByLabel('API key').waitFor()
      await shown.assertAccessible()
      await signIn(page, shown.url, shown.apiKey)
      await page.getByRole('table').waitFor()
      const background = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      assert.equal(background, colorScheme === 'dark' ? 'rgb(18, 22, 23)' : 'rgb(244, 245, 245)')
      await shown.assertAccessible()
      for (const hash of [`#/dids/${encodeURIComponent(shown.account.did)}`, '#/keys']) {
        await page.evaluate(`location.hash = '${hash}'`)
        await page.getByRole('heading', { level: 2 }).first().waitFor()
        await shown.assertAccessible()
      }
      await openList()
      await chooseIndex(100_005)
      await shown.assertAccessible()
      await page.getByRole('button', { name: 'Revoke' }).click()
      await shown.assertAccessible()
    })
  }

  it('creates and finds keys, and shows no private key', async () => {
    await signedIn()
    await page.getByRole('link', { name: 'Keys' }).click()
    await shown.press('Create a key pair')
    await shown.confirm('Create')
    const key = shown.section('Key')
    const kid = await key.locator('dd').first().innerText()
    await shown.press('Close')
    await key.waitFor({ state: 'detached' })
    await shown.press('Find a key')
    await shown.dialog.getByLabel('Id of the key').fill('00')
    await shown.confirm('Find')
    await shown.dialog.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
    await shown.dialog.getByLabel('Id of the key').fill(kid)
    await shown.confirm('Find')
    await key.getByText(kid).first().waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /private(?!.*\(hex\)| halves)/i)
  })

  it('shows events, including live ones', async () => {
    await signedIn()
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('cell', { name: 'did.created' }).first().waitFor()
    const { did } = await shown.account.client.post('/did/create', { body: { network: 'testnet' } })
    await page.getByRole('link', { name: did }).waitFor()
    assert.match(
      await text('tbody tr:first-child'),
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s+did\.created\s+did:cheqd/,
    )
    await shown.account.client.post('/credential-status/update/unencrypted', {
      params: { query: { listType: 'StatusList2021', statusAction: 'revoke' } },
      body: { did: shown.account.did, statusListName: 'badges', indices: [5, 6] },
    })
    await page.locator('tbody tr:first-child', { hasText: 'list.updated' }).waitFor()
    assert.match(
      await text('tbody tr:first-child'),
      /list\.updated\s+badges\s+StatusList2021 of did:cheqd\S+\s+2 entries changed/,
    )
    await shown.assertAccessible()
    await page.getByRole('link', { name: 'badges' }).first().click()
    await page.getByRole('heading', { name: 'badges', level: 1 }).waitFor()
  })

  it('shows the newest of many events, and older ones on request', async () => {
    await open()
    const events = Array.from({ length: 120 }, (_, n) => ({
      id: String(n + 1).padStart(16, '0'),
      type: 'did.created',
      time: '2026-01-31T09:30:00.000Z',
      subject: `did:cheqd:testnet:${n + 1}`,
    }))
    await page.route('**/account/events*', (route) =>
      route.request().headers().accept === 'text/event-stream'
        ? route.continue()
        : route.fulfill({ json: { events, more: false } }),
    )
    await signIn(page, shown.url, shown.apiKey)
    await goTo('#/events', 'Events')
    const older = page.getByRole('button', { name: 'Show older events' })
    for (const shown of [50, 100]) {
      await page.locator(`tbody tr:nth-child(${shown})`).waitFor()
      assert.equal(await page.locator('tbody tr').count(), shown)
      await older.click()
    }
    await page.locator('tbody tr:nth-child(120)', { hasText: 'did:cheqd:testnet:1' }).waitFor()
    assert.equal(await older.count(), 0)
    await page.unroute('**/account/events*')
  })

  it('does not claim to show live events while the service is down', async () => {
    await open()
    await page.clock.install()
    await page.route('**/account/events*', (route) =>
      route.request().headers().accept === 'text/event-stream' ? route.abort() : route.continue(),
    )
    await signIn(page, shown.url, shown.apiKey)
    await goTo('#/events', 'Events')
    await page.getByRole('cell', { name: 'did.created' }).first().waitFor()
    const away = page.getByRole('alert').filter({ hasText: 'New events are not shown until' })
    await page.clock.runFor(100)
    await away.waitFor()
    assert.equal(await page.getByText('new ones appear automatically').count(), 0)
    await page.unroute('**/account/events*')
    await page.clock.runFor(3000)
    await page.getByText('new ones appear automatically').waitFor()
    await away.waitFor({ state: 'detached' })
    shown.forgive('ERR_FAILED')
  })

  it('shows no lists section for a DID that cannot have lists', async () => {
    const { did } = await shown.account.client.post('/did/create', { body: { providerId: 'did:key' } })
    await signedIn()
    await openDid(did)
    assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
    assert.equal(await page.getByRole('heading', { name: 'Status lists' }).count(), 0)
  })

  it('reports only once that something is not a DID', async () => {
    await signedIn()
    await goTo('#/dids/hello', 'hello')
    await page.getByText('This is not a DID').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Status lists' }).count(), 0)
  })

  it('does not mention events if the service has none', async () => {
    await open()
    await page.route('**/openapi.json', async (route) => {
      const answer = await route.fetch()
      const document = (await answer.json()) as { paths: Record<string, object> }
      const { '/account/events': _events, ...others } = document.paths
      await route.fulfill({ response: answer, json: { ...document, paths: others } })
    })
    await signIn(page, shown.url, shown.apiKey)
    assert.equal(await page.getByRole('link', { name: 'Events' }).count(), 0)
  })

  it('reports that the service is unreachable, and recovers with it', async () => {
    await signedIn()
    await page.getByRole('table').waitFor()
    await page.route('**/did/list*', (route) => route.abort())
    await page.getByLabel('Network').selectOption('mainnet')
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.unroute('**/did/list*')
    await page.getByLabel('Network').selectOption('testnet')
    await page.getByRole('link', { name: shown.account.did }).waitFor()
    shown.forgive('ERR_FAILED')
  })
})
