import assert from 'node:assert/strict'
import { WORK_KINDS } from '@vidimus/core-types'
import { sharedConsole } from './support/browser.js'
import { ConsoleBrowser } from './support/console-browser.js'
import { signIn } from './support/console-set-up.js'
import { FAILING_KINDS } from './support/failing-kinds.js'
import { FailingWork } from './support/failing-work.js'

/** As operators see it: an account has the same page, without those of others. */
describe('work whose outside is away in the console', () => {
  let browser: ConsoleBrowser
  let work: FailingWork
  before(async function () {
    const shared = await sharedConsole()
    if (!shared) return this.skip()
    work = await FailingWork.start('SQLite')
    browser = new ConsoleBrowser(shared.browser)
    await signIn(await browser.open(), work.operator.url, work.operatorKey)
  })
  afterEach(() => work?.mend())
  after(async () => {
    await browser?.closePage()
    await browser?.close()
    await work?.stop()
  })

  for (const kind of WORK_KINDS)
    it(`of the kind ${kind} is found on the page with its failure, and tried again once that is back`, async () => {
      const failing = FAILING_KINDS[kind]
      const account = `of-${kind}`
      const client = await work.service.clientOf(account)
      const [door = assert.fail()] = work.doors(kind, account)
      const hadEffect = await failing.fail(work, client, account)
      const { id, subject } = await work.failed(kind, door)
      await browser.goTo(`#/operators/work?kind=${kind}&state=failed&account=${account}`, 'Work')
      const { page } = browser
      const row = page.getByRole('row').filter({ hasText: subject })
      await row.filter({ hasText: failing.failure }).waitFor()
      await work.mend()
      await row.getByRole('button', { name: /^Retry / }).click()
      await work.over(door, id)
      await hadEffect(subject)
      await page.getByRole('button', { name: 'Refresh' }).click()
      // The name of a deleted account is unknown.
      await page.getByText(failing.byOperators ? /no such account/ : 'No items match.').waitFor()
    })
})
