import { isJsonObject, sharedJson } from '@vidimus/core-types'
import type { ServedResponse } from '../request/served-request.js'

/** JSON as it is sent: one text, or pieces, of which other responses may have the same ones. */
export type AnswerBody = string | readonly Uint8Array[]

/** The JSON of a result. What it shares with other results is neither serialised nor encoded again. */
export function answerBody(result: unknown): AnswerBody {
  if (!isJsonObject(result)) return JSON.stringify(result)
  const members = Object.entries(result)
  if (!members.some(([, value]) => sharedJson(value))) return JSON.stringify(result)
  const pieces: Uint8Array[] = []
  let text = ''
  for (const [name, value] of members) {
    const shared = sharedJson(value)
    const json = shared ? '' : JSON.stringify(value)
    // as JSON.stringify leaves out what JSON has no form for
    if (json === undefined) continue
    text += `${text === '' && pieces.length === 0 ? '{' : ','}${JSON.stringify(name)}:${json}`
    if (!shared) continue
    pieces.push(Buffer.from(text), shared)
    text = ''
  }
  return [...pieces, Buffer.from(`${text}}`)]
}

export const lengthOf = (body: AnswerBody): number =>
  typeof body === 'string'
    ? Buffer.byteLength(body)
    : body.reduce((sum, { byteLength }) => sum + byteLength, 0)

/** Sends a body and ends the response. */
export function sendBody(res: ServedResponse, body: AnswerBody): void {
  if (typeof body === 'string') {
    res.end(body)
    return
  }
  res.cork()
  for (const piece of body) res.write(piece)
  res.end()
}
