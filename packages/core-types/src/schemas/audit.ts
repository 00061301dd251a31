import { z } from 'zod'
import { BOUNDS, PAGES } from '../bounds.js'
import { dateOrTime, textOfCharacters } from './fields.js'
import { pageEnd } from './paging.js'

const OUTCOMES = ['done', 'refused'] as const

/** A row of the audit trail as its account sees it. */
export const AuditedEvent = z.object({
  id: z.string().meta({ description: 'Later rows have greater numbers' }),
  time: z.string().meta({ format: 'date-time' }),
  event: z.string().meta({ description: 'See docs/audit.md; further ones may come' }),
  outcome: z.enum(OUTCOMES),
  apiKeyId: z
    .string()
    .exactOptional()
    .meta({ description: 'API key that did it; absent for tokens, operators and the service itself' }),
  issuer: z.string().exactOptional().meta({ description: 'Identity provider whose token did it' }),
  tokenSubject: z.string().exactOptional().meta({ description: 'Holder of the token' }),
  address: z.string().exactOptional().meta({ description: 'Of the client, if known' }),
  requestId: z.string().exactOptional().meta({ description: 'Id of the request in the log of the service' }),
  subject: z.string().exactOptional().meta({ description: 'What it concerns: a DID, a kid, an API key' }),
  detail: z.string().exactOptional(),
  occurrences: z.int().meta({ description: 'How often it happened within a minute' }),
})

/** What an account looks for in its audit trail. */
export const auditSearch = {
  since: dateOrTime('Only from this time on'),
  until: dateOrTime('Only before this time'),
  event: textOfCharacters(BOUNDS.word).optional().meta({ description: 'Only this event' }),
  outcome: z.enum(OUTCOMES).optional().meta({ description: 'Only with this outcome' }),
  apiKeyId: textOfCharacters(BOUNDS.word).optional().meta({ description: 'Only by this API key' }),
  tokenSubject: textOfCharacters(BOUNDS.name)
    .optional()
    .meta({ description: 'Only by holders of tokens with this subject' }),
  subject: textOfCharacters(BOUNDS.did).optional().meta({ description: 'Only about this subject' }),
}

/** The agent method of the audit trail, for other plugins of the same agent: it is refused to remote ones. */
export const accountAuditMethods = {
  accountAuditList: {
    description: 'Lists the audit trail of the account, newest first',
    arguments: z.object({
      ...auditSearch,
      limit: z
        .int()
        .optional()
        .meta({ description: `Entries, 1 to ${PAGES.most}; default ${PAGES.usual}` }),
      after: z.string().optional().meta({ description: '`next` of the previous page' }),
    }),
    returns: z.object({ entries: z.array(AuditedEvent), next: pageEnd.next }),
  },
}
