import assert from 'node:assert/strict'
import type { AccountEvent } from '@vidimus/core-types'
import type { Client } from './client.js'

/** An event as it came over the wire. */
export interface ArrivedEvent {
  id: string
  event: string
  data: AccountEvent
}

/** A client of server-sent events that parses them by itself. */
export class EventStream {
  private text = ''
  private readonly arrived: ArrivedEvent[] = []
  comments = 0

  private constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly abort: AbortController,
  ) {}

  static async open(
    client: Client,
    { lastEventId, query = {} }: { lastEventId?: string; query?: Record<string, string> } = {},
  ): Promise<EventStream> {
    const abort = new AbortController()
    const response = await client.stream('/account/events', {
      query,
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
      signal: abort.signal,
    })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.ok(response.body)
    const stream = new EventStream(response.body.getReader(), abort)
    // From then on it sees what happens.
    while (stream.comments === 0) await stream.read()
    return stream
  }

  /** The next events; waits for them. */
  async take(count: number): Promise<ArrivedEvent[]> {
    while (this.arrived.length < count) assert.ok(await this.read(), 'the stream has ended')
    return this.arrived.splice(0, count)
  }

  /** Waits until the service ends it. @returns what else has arrived */
  async end(): Promise<ArrivedEvent[]> {
    while (await this.read());
    return this.arrived.splice(0)
  }

  close(): void {
    this.abort.abort()
  }

  /** @returns whether it goes on */
  private async read(): Promise<boolean> {
    const { done, value } = await this.reader.read()
    if (done) return false
    this.text += Buffer.from(value).toString()
    const blocks = this.text.split('\n\n')
    this.text = blocks.pop() ?? ''
    for (const block of blocks) this.note(block)
    return true
  }

  private note(block: string): void {
    if (block.startsWith(':')) {
      this.comments += 1
      return
    }
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(': ')
        return [line.slice(0, colon), line.slice(colon + 2)]
      }),
    )
    this.arrived.push({
      id: fields.get('id') ?? '',
      event: fields.get('event') ?? '',
      data: JSON.parse(fields.get('data') ?? 'null') as AccountEvent,
    })
  }
}
