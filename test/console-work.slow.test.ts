import assert from 'node:assert/strict'
import { createClient } from '@vidimus/client'
import { ShownConsole } from './support/shown-console.js'
import { until } from './support/until.js'
import { Receiver } from './support/webhook-trial.js'

describe('work in the console', () => {
  const shown = new ShownConsole({ account: 'work' })
  const receiver = new Receiver()
  const DELIVERY = 'Delivery to a webhook'
  const row = () => shown.page.getByRole('row', { name: new RegExp(DELIVERY) })
  const answer = (status: number) => (receiver.answer = (response) => void response.writeHead(status).end())
  const createDid = () => shown.client.post('/did/create', { body: { network: 'testnet' } })
  /** The page shows what there was when it was read. */
  const delivery = async (state: 'failed' | undefined) => {
    const query = { kind: 'delivery' } as const
    let item: { id: string; state: string } | undefined
    await until(async () => {
      const { items } = await shown.client.get('/work', { params: { query } })
      item = items[0]
      return item?.state === state
    })
    return item
  }
  let id: string
  before(async () => {
    await receiver.start()
    answer(503)
    const hook = await shown.client.post('/account/webhooks', { body: { url: receiver.url } })
    id = hook.id
    receiver.secret = hook.secret
    await createDid()
    await delivery('failed')
  })
  after(() => receiver.stop())

  it('is found with the reason why it failed, paused, resumed and tried again', async () => {
    await shown.open('#/work', 'Work')
    await shown.page.getByLabel('State').selectOption('failed')
    await shown.page.getByLabel('Kind').selectOption(DELIVERY)
    await row()
      .filter({ hasText: /failed .*503/ })
      .waitFor()
    await shown.assertSound()
    await shown.press(`Pause ${DELIVERY} ${id}`)
    await shown.dialog.getByText(/until it is resumed/).waitFor()
    await shown.confirm('Pause')
    await shown.page.getByText('No items match.').waitFor()
    await shown.page.getByLabel('State').selectOption('paused')
    await row()
      .filter({ hasText: /paused.*503/ })
      .waitFor()
    await shown.assertSound()
    await shown.press(`Resume ${DELIVERY} ${id}`)
    await delivery('failed')
    await shown.page.getByLabel('State').selectOption('failed')
    answer(204)
    await shown.press(`Retry ${DELIVERY} ${id}`)
    await delivery(undefined)
    await shown.page.getByLabel('State').selectOption('')
    await shown.page.getByText('No items match.').waitFor()
  })

  it('is given up by an operator after a confirmation, and not offered to a key that may not', async () => {
    answer(503)
    await createDid()
    const item = await delivery('failed')
    await shown.client.post('/work/{id}/pause', { params: { path: { id: item?.id ?? '' } } })
    const { apiKey } = await shown.limitedKey({ scopes: ['dids'] })
    await shown.open('#/work', 'Work', apiKey)
    await shown.page
      .getByText(/^This API key lacks a required scope/)
      .first()
      .waitFor()
    await shown.closePage()
    await shown.open('#/operators/work?account=work', 'Work', shown.facts.operator)
    await row().filter({ hasText: 'work' }).waitFor()
    await shown.assertSound()
    await shown.press(`Cancel ${DELIVERY} ${id}`)
    await shown.dialog.getByText(/dead letters/).waitFor()
    await shown.confirm('Cancel')
    await shown.page.getByText('No items match.').waitFor()
    const { webhooks } = await createClient({ url: shown.url, apiKey: shown.apiKey }).get('/account/webhooks')
    const { waiting, deadLetters = 0 } = webhooks[0] ?? {}
    assert.equal(waiting, 0)
    assert.ok(deadLetters > 0)
  })
})
