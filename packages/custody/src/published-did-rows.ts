import type { Did, PublishedSubject, PublishedSubjects } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'

/** Whether the document of a DID is served from here: the DID of a did:key or did:jwk contains its document. */
export const isPublishedDid = (did: string): boolean => /^did:(cheqd|web):/.test(did)

/** The DIDs of all accounts whose documents are published, in the order of their text. */
export class PublishedDidRows implements PublishedSubjects {
  constructor(private readonly database: Database) {}

  async page(after: PublishedSubject | undefined, limit: number): Promise<PublishedSubject[]> {
    const rows = await this.database.query<{ did: Did }>(
      sql`SELECT DISTINCT did FROM account_did
        WHERE pending = 0 AND did > ${after?.did ?? ''} AND (did LIKE 'did:cheqd:%' OR did LIKE 'did:web:%')
        ORDER BY did LIMIT ${limit}`,
    )
    return rows.map(({ did }) => ({ kind: 'did', did }))
  }
}
