import type { Request, Response } from 'express'
import { namesEntityTag } from '../answers/entity-tag.js'

/** Headers of an answer, by lower-case name. */
export type AnswerHeaders = Record<string, string>

/** Answers a body. Not `res.send`, which would take If-Modified-Since for sure, though versions are made within a second. */
export function answerBody(
  res: Response,
  status: number,
  headers: AnswerHeaders,
  body: string | Buffer,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  setAll(res, headers)
  // What HEAD asks for are these headers alone; node leaves its body out.
  res.status(status).setHeader('content-length', bytes.length).end(bytes)
}

/** @returns whether the client has what carries this entity tag, and was told so */
export function answerNotModified(
  req: Request,
  res: Response,
  headers: AnswerHeaders & { etag: string },
): boolean {
  if (!namesEntityTag(req.headers['if-none-match'], headers.etag)) return false
  setAll(res, headers)
  res.removeHeader('content-type')
  res.status(304).end()
  return true
}

function setAll(res: Response, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
}
