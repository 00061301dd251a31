import { Cache } from '@vidimus/core-types'

/** Facts about lists that are true for a moment. Can be dropped without harm. */
export class Lately<Value> {
  private readonly said = new Cache<{ value: Value; until: number }>('writer')

  /** @param forMs - milliseconds that it is true for */
  constructor(private readonly forMs: number) {}

  get(list: string): Value | undefined {
    const found = this.said.peek(list)
    if (found && performance.now() < found.until) return found.value
    this.said.delete(list)
    return undefined
  }

  delete(list: string): void {
    this.said.delete(list)
  }

  set(list: string, value: Value): void {
    this.said.set(list, { value, until: performance.now() + this.forMs })
  }
}
