import assert from 'node:assert/strict'
import type { Answer, Client, Request } from './client.js'

export interface Refusal {
  /** default 400 */
  status?: number
  code?: string
  /** the path of one of the details */
  path?: string
  /** what the sentence must say */
  says?: RegExp
}

/** A call that must be refused, with an error body that helps and no secret in it. */
export function assertRefused({ status, body, headers }: Answer, refusal: Refusal): void {
  const text = JSON.stringify(body)
  assert.equal(status, refusal.status ?? 400, text)
  const error = body as {
    error: string
    code: string
    requestId: string
    details: { path: string; message: string }[]
  }
  assert.equal(typeof error.error, 'string', text)
  assert.ok(error.error.length > 0)
  assert.equal(error.requestId, headers.get('x-request-id'))
  if (refusal.code !== undefined) assert.equal(error.code, refusal.code, text)
  if (refusal.path !== undefined) {
    assert.ok(
      error.details.some(({ path }) => path === refusal.path),
      `no detail at ${refusal.path}: ${text}`,
    )
  }
  if (refusal.says) assert.match(text, refusal.says)
}

/** Sends the same bad body as JSON and as a form, and expects the same refusal. */
export async function refusedInBothEncodings(
  client: Client,
  path: string,
  body: Record<string, unknown>,
  refusal: Refusal,
  request: Request = {},
): Promise<void> {
  assertRefused(await client.post(path, { ...request, json: body }), refusal)
  assertRefused(await client.post(path, { ...request, form: toForm(body) }), refusal)
}

/** The same body as a form: lists of plain values as repeated fields, structures as JSON text. */
export function toForm(body: Record<string, unknown>): Record<string, string | string[]> {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const plainList =
        Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')
      return [name, plainList ? value.map(text) : text(value)]
    }),
  )
}
