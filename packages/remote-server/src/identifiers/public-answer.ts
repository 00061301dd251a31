/** Headers of an answer, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** What is answered to everybody, before anything of it is sent. */
export interface PublicAnswer {
  status: number
  /** without those that every answer has */
  headers: AnswerHeaders
  /** left out: the client has it already, or there is none */
  body?: Uint8Array
  /** of how long a copy may be used, where that depends on the time of the answer */
  cacheControl?: (now: Date) => string
  /** it tells the second in which it was made */
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
