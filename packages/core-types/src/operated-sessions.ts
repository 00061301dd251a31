import type { AuditActor } from './audit.js'
import type { NextPage, PageRequest } from './paging.js'

/** A session of the console as operators see it: never what its browser keeps. */
export interface ListedSession {
  id: string
  issuer: string
  subject: string
  /** name of the account */
  account: string
  /** by the rules of now; absent: not limited; none if no rule applies any more */
  scopes?: readonly string[]
  /** ISO 8601, as the others */
  createdAt: string
  usedAt: string
  endsAt: string
}

/** Which sessions end: exactly one of these is given. */
export interface EndedSessions {
  id?: string | undefined
  issuer?: string | undefined
  subject?: string | undefined
}

/** The sessions of the console, for operators. */
export interface OperatedSessions {
  /** Newest first. @throws AgentError `invalid_input` */
  list(request: PageRequest & { account?: string }): Promise<{ sessions: ListedSession[] } & NextPage>
  /**
   * @param operator - absent: on the command line
   * @returns how many there were
   */
  end(which: EndedSessions, operator?: AuditActor): Promise<number>
}
