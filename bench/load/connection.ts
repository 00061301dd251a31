import { connect, type Socket } from 'node:net'

/** What came back. */
export interface Answer {
  status: number
  /** of the body, as it was sent */
  bytes: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')
const WITHOUT_BODY = new Set([204, 304])

/** One keep-alive connection that has one request under way at a time; it reads as much of HTTP/1.1 as measuring takes. */
export class RawConnection {
  private received: Buffer = Buffer.alloc(0)
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  private failure: Error | undefined

  private constructor(private readonly socket: Socket) {
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.read(bytes))
    socket.on('error', (error) => this.fail(error))
    socket.on('close', () => this.fail(new Error('the server closed the connection')))
  }

  static open(host: string, port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port })
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new RawConnection(socket))
      })
    })
  }

  /** @param request - everything that is sent */
  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure)
      this.waiting = { resolve, reject }
      this.socket.write(request)
    })
  }

  close(): void {
    this.socket.removeAllListeners('close')
    this.socket.destroy()
  }

  private read(bytes: Buffer): void {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes])
    const answer = answerIn(this.received)
    if (!answer) return
    this.received = Buffer.alloc(0)
    const { waiting } = this
    this.waiting = undefined
    waiting?.resolve(answer)
  }

  private fail(error: Error): void {
    this.failure ??= error
    this.waiting?.reject(this.failure)
  }
}

/** @returns `undefined` as long as it is not whole */
function answerIn(received: Buffer): Answer | undefined {
  const end = received.indexOf(END_OF_HEAD)
  if (end === -1) return undefined
  const head = received.toString('latin1', 0, end)
  const status = Number(head.slice(9, 12))
  const bytes = received.length - end - END_OF_HEAD.length
  if (WITHOUT_BODY.has(status)) return { status, bytes: 0 }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const isWhole =
    length === undefined ? received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : bytes >= Number(length)
  return isWhole ? { status, bytes } : undefined
}
