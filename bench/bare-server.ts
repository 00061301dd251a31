import type { AddressInfo } from 'node:net'
import express from 'express'

/** The yardstick: an Express server that answers given bytes and does nothing else. Its port goes to the parent. */
let answer = Buffer.alloc(0)
const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use((_request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(answer)
})
process.on('message', (bytes: string) => {
  answer = Buffer.from(bytes)
  process.send?.('set')
})
// not to outlive a bench that failed
process.on('disconnect', () => process.exit())
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
