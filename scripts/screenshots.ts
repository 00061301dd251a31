// npm run screenshots: the pictures of docs/console.md, from the console of a service of its own.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@vidimus/client'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.js'
import { filledAccount, signIn } from '../test/support/console-set-up.js'
import { Service } from '../test/support/service.js'

const folder = join(import.meta.dirname, '../docs/images')
const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

await mkdir(folder, { recursive: true })
const service = await Service.start()
const browser = await launchBrowser()
try {
  const { client, did } = await filledAccount(service.url, service.apiKey ?? '')
  await pictures(browser, client, did)
} finally {
  await browser.close()
  await service.stop()
}

async function credentialsPicture(page: Page, did: string) {
  await page.evaluate("location.hash = '#/credentials'")
  const form = page.getByRole('region', { name: 'Issue a credential' })
  await form.getByLabel('Issuer').fill(did)
  await form.getByLabel('Status list').fill('employees')
  await form.getByLabel('Status purpose').fill('revocation')
  await form.getByRole('button', { name: 'Issue', exact: true }).click()
  await page.getByText('The credential was issued.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByText('Verified.').waitFor()
  await page.screenshot({ path: join(folder, 'console-credentials.png') })
}

async function changesPicture(page: Page) {
  await page.evaluate("location.hash = '#/changes'")
  const rows = ['credentialId,action,reason', 'urn:uuid:6b1f6f2c,revoke,left the company']
  await page.getByLabel('Or its rows').fill(rows.join('\n'))
  await page.getByRole('button', { name: 'Dry run', exact: true }).click()
  await page.getByText('Nothing was changed.').waitFor()
  await page.getByText('not_registered').waitFor()
  await page.screenshot({ path: join(folder, 'console-changes.png'), fullPage: true })
}

async function accountPictures(page: Page, client: Client) {
  for (const [name, scopes] of [
    ['verifier', ['read']],
    ['issuer service', ['read', 'credentials', 'status-lists']],
  ] as const) {
    await client.post('/account/api-keys', {
      body: { name, scopes: [...scopes], networks: ['testnet'], expiresAt: '2099-12-31' },
    })
  }
  await client.post('/key/create', { body: { alias: 'issuer' } })
  for (const [hash, cell, file] of [
    ['#/account', 'issuer service', 'console-account.png'],
    ['#/account/audit', 'key-created', 'console-audit.png'],
    ['#/keys', 'issuer', 'console-keys.png'],
  ] as const) {
    await page.evaluate(`location.hash = '${hash}'`)
    await page.getByRole('cell', { name: cell }).first().waitFor()
    await page.screenshot({ path: join(folder, file) })
  }
}

async function pictures(browser: Browser, client: Client, did: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: DESKTOP, colorScheme })
    await page.goto(`${service.url}/console/`)
    const top = { x: 0, y: 0, width: 1280, height: 480 }
    if (colorScheme === 'light')
      await page.screenshot({ path: join(folder, 'console-sign-in.png'), clip: top })
    await signIn(page, service.url, service.apiKey ?? '')
    if (colorScheme === 'light') {
      await page.getByRole('table').waitFor()
      await page.screenshot({ path: join(folder, 'console-dids.png'), clip: top })
      await page.getByRole('link', { name: did }).click()
      await page.getByRole('link', { name: 'employees' }).waitFor()
      await page.screenshot({ path: join(folder, 'console-did.png') })
    }
    await openList(page, did)
    if (colorScheme === 'dark') await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.screenshot({ path: join(folder, `console-list-${colorScheme}.png`), fullPage: true })
    if (colorScheme === 'light') {
      await page.evaluate("location.hash = '#/try/update-status-list'")
      await page.getByRole('button', { name: 'Revoke two credentials' }).click()
      await page.screenshot({ path: join(folder, 'console-try.png') })
      await credentialsPicture(page, did)
      await changesPicture(page)
      await accountPictures(page, client)
      await page.evaluate("location.hash = '#/events'")
      await page.getByRole('link', { name: 'employees' }).first().waitFor()
      await page.screenshot({ path: join(folder, 'console-events.png'), clip: { ...top, height: 640 } })
    }
    await page.close()
  }
  const phone = await browser.newPage({
    viewport: PHONE,
    deviceScaleFactor: 2,
    colorScheme: 'light',
    hasTouch: true,
  })
  await signIn(phone, service.url, service.apiKey ?? '')
  await openList(phone, did)
  await phone.evaluate('scrollTo(0, 0)')
  await phone.screenshot({ path: join(folder, 'console-phone.png') })
  await phone.close()
}

async function openList(page: Page, did: string) {
  const hash = `#/lists/${encodeURIComponent(did)}/BitstringStatusList/BitstringStatusListCredential/employees`
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.getByText('first version').waitFor()
  for (let n = 0; n < 5; n++) await page.getByRole('button', { name: 'Zoom in' }).click()
  await page.getByLabel('Index').fill('18446')
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  // until one that can be reinstated
  do {
    await page.getByRole('button', { name: 'Next set' }).click()
    await page.getByText(/not valid/).waitFor()
  } while ((await page.getByRole('button', { name: 'Reinstate' }).count()) === 0)
}
