import { setTimeout } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { AccountEvent, CreatedWebhook } from '@vidimus/core-types'
import type { Client } from '../../support/client.js'
import { HOOKS, Receiver } from '../../support/webhook-trial.js'
import type { Caller } from './caller.js'
import { isThere } from './events.js'
import type { Facts } from './facts.js'

/** Without a single one, for attempts that are due later and later. */
const DELIVERED_WITHIN_MS = 60_000

type Outcome = 'taken' | 'refused' | 'failed'

/** A webhook of the account, whose receiver fails now and then, cuts answers off, and refuses some events at first. */
export class Hook {
  private readonly came: { id: string; outcome: Outcome }[] = []
  private readonly looks: Promise<void>[] = []

  private constructor(
    private readonly receiver: Receiver,
    /** the last event before it */
    private readonly after: string,
  ) {}

  /** Before anybody else asks for anything. */
  static async of(client: Client, newest: readonly AccountEvent[]): Promise<Hook> {
    const receiver = await new Receiver().start()
    const json = { url: receiver.url }
    receiver.secret = ((await client.ok('POST', HOOKS, { json })) as CreatedWebhook).secret
    return new Hook(receiver, newest.at(-1)?.id ?? '')
  }

  begin(caller: Caller): void {
    this.receiver.answer = (response) => {
      const { id, event } = this.receiver.arrivals.at(-1) ?? {}
      if (event === undefined || id === undefined) return void response.writeHead(500).end()
      const outcome = this.outcomeFor(event.id, caller)
      this.came.push({ id: event.id, outcome })
      answer(response, outcome, caller)
      if (caller.random.chance(0.2)) this.looks.push(isThere(caller, event))
    }
  }

  /** An event is refused once, so that later ones go ahead. */
  private outcomeFor(event: string, { random, world }: Caller): Outcome {
    if (world.isOver() || this.came.some(({ id }) => id === event)) {
      return !world.isOver() && random.chance(0.2) ? 'failed' : 'taken'
    }
    return random.weighted<Outcome>([
      [16, 'taken'],
      [3, 'failed'],
      [0.5, 'refused'],
    ])
  }

  /** Every event came, none before an older one that was neither taken nor refused. */
  async readBack(client: Client, facts: Facts, events: readonly AccountEvent[]): Promise<void> {
    await Promise.all(this.looks)
    const ids = events.map(({ id }) => id).filter((id) => id > this.after)
    const missing = () => {
      const taken = new Set(this.came.flatMap(({ id, outcome }) => (outcome === 'taken' ? [id] : [])))
      return ids.filter((id) => !taken.has(id))
    }
    // On a busy machine they come one after the other for as long as they have piled up.
    let left = missing().length
    for (let waited = 0; left > 0 && waited < DELIVERED_WITHIN_MS; waited += 100) {
      await setTimeout(100)
      const now = missing().length
      if (now < left) waited = 0
      left = now
    }
    if (missing().length > 0) {
      const hooks = await client.ok('GET', HOOKS)
      const items = await client.ok('GET', '/work', { query: { kind: 'delivery' } })
      facts.find(`what became of deliveries: ${JSON.stringify({ hooks, items, last: this.came.at(-1) })}`)
    }
    for (const id of missing()) facts.find(`acknowledged: the event ${id} was not delivered`)
    for (const message of this.receiver.wrong) facts.find(`a webhook is not signed: ${String(message)}`)
    const over = new Set<string>()
    let oldest = 0
    for (const { id, outcome } of this.came) {
      while (over.has(ids[oldest] ?? '')) oldest += 1
      const waiting = ids[oldest]
      facts.hold(
        waiting === undefined || waiting >= id,
        () => `in order: the event ${id} was delivered before ${waiting}`,
      )
      if (outcome !== 'failed') over.add(id)
    }
    facts.acknowledged += ids.length
  }

  stop(): Promise<void> {
    return this.receiver.stop()
  }
}

function answer(response: ServerResponse, outcome: Outcome, { random, world }: Caller): void {
  if (outcome === 'refused') response.writeHead(random.pick([400, 302, 404])).end()
  else if (outcome === 'failed' && random.chance(0.5))
    response.writeHead(random.pick([503, 500, 429, 408])).end()
  // Taken, but nobody hears of it.
  else if (outcome === 'failed' || (!world.isOver() && random.chance(0.05))) response.destroy()
  else response.writeHead(204).end()
}
