/**
 * Takes a stream of server-sent events apart (HTML standard, 9.2.6), as far as their data goes. `EventSource` cannot send
 * an API key.
 */
export class StreamedMessages {
  private rest = ''
  private data: string[] = []

  /** @returns the data of the messages that are complete now */
  add(text: string): string[] {
    // A line may end with CR LF, of which the second half is yet to come.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.take(line))
  }

  private take(line: string): string[] {
    if (line === '') {
      const { data } = this
      this.data = []
      return data.length > 0 ? [data.join('\n')] : []
    }
    const [, value] = /^data(?:: ?(.*))?$/.exec(line) ?? []
    if (line === 'data' || value !== undefined) this.data.push(value ?? '')
    return []
  }
}
