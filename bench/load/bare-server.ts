import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import sqlite3 from 'sqlite3'

/**
 * Yardsticks: servers that answer given bytes and do nothing else (`express`, `http`), or nothing but insert one row first
 * that survives a loss of power (`durable`). Which one is an argument; its port goes to the parent.
 */
export interface GivenAnswer {
  status: number
  contentType: string
  body: Buffer
}

let answer: GivenAnswer = { status: 200, contentType: 'text/plain', body: Buffer.alloc(0) }

function reply(response: ServerResponse): void {
  const { status, contentType, body } = answer
  response.statusCode = status
  if (status === 304) {
    response.end()
    return
  }
  response.setHeader('content-type', contentType)
  response.setHeader('content-length', body.length)
  response.end(body)
}

async function sent(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  await once(request, 'end')
  return Buffer.concat(parts)
}

function expressServer() {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.use((_request, response) => reply(response))
  return createServer(app)
}

function durableServer() {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-bare-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const database = new sqlite3.Database(join(folder, 'rows.sqlite'))
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (id INTEGER PRIMARY KEY, body BLOB)',
  )
  const insert = database.prepare('INSERT INTO row (body) VALUES (?)')
  return createServer((request, response) => {
    void sent(request).then((body) => insert.run(body, () => reply(response)))
  })
}

const SERVERS: Record<string, () => ReturnType<typeof createServer>> = {
  express: expressServer,
  http: () => createServer((_request, response) => reply(response)),
  durable: durableServer,
}

process.on('message', (given: GivenAnswer) => {
  answer = given
  process.send?.('set')
})
// not to outlive a bench that failed
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())
const server = SERVERS[process.argv[2] ?? '']?.()
server?.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
