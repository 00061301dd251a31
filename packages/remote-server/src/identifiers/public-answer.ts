/** Response headers, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** A public response, before anything of it is sent. */
export interface PublicAnswer {
  status: number
  /** without those of every response */
  headers: AnswerHeaders
  /** absent: the client already has it, or there is none */
  body?: Uint8Array
  /** caching time, if it depends on the time of the response */
  cacheControl?: (now: Date) => string
  /** it contains the second in which it was created */
  timed?: boolean
}

export const publicAnswer = (
  status: number,
  headers: AnswerHeaders,
  body: string | Buffer,
): PublicAnswer => ({
  status,
  headers,
  body: typeof body === 'string' ? Buffer.from(body) : body,
})
