import type { z } from 'zod'
import type { AuditActor } from './audit.js'
import type { NextPage, PageRequest } from './paging.js'
import type * as schemas from './schemas/index.js'

/** A session of the console as operators see it. */
export type ListedSession = z.output<typeof schemas.ListedSession>

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
