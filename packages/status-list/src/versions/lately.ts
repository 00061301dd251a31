import { Cache, textOfQueue, type QueueName } from '@vidimus/core-types'

/** Facts about lists that are true for a moment. Can be dropped without harm. */
export class Lately<Value> {
  private readonly said = new Cache<{ value: Value; until: number }>('writer')

  /** @param forMs - milliseconds that it is true for */
  constructor(private readonly forMs: number) {}

  get(list: QueueName): Value | undefined {
    const found = this.said.peek(textOfQueue(list))
    if (found && performance.now() < found.until) return found.value
    this.said.delete(textOfQueue(list))
    return undefined
  }

  delete(list: QueueName): void {
    this.said.delete(textOfQueue(list))
  }

  set(list: QueueName, value: Value): void {
    this.said.set(textOfQueue(list), { value, until: performance.now() + this.forMs })
  }
}
