import { z } from 'zod'
import { ACCOUNT_NAME, ACCOUNT_NAME_SHAPE } from '../account.js'
import { BOUNDS } from '../bounds.js'
import { QUOTAS } from '../account-usage.js'
import { ApiKeyRequest, CreatedApiKey } from './api-keys.js'
import { textOfCharacters } from './fields.js'
import { pageEnd, PageRequest } from './paging.js'

/** An account as operators see it. */
export const OperatedAccount = z.object({
  id: z.string().meta({ description: 'By which the log of the service names the account' }),
  name: z.string(),
  createdAt: z.string().meta({ format: 'date-time' }),
  disabledAt: z
    .string()
    .exactOptional()
    .meta({ description: 'Absent: it is not disabled', format: 'date-time' }),
  deletionBeganAt: z.string().exactOptional().meta({
    description: 'Its deletion began then and has not ended; it can only be continued',
    format: 'date-time',
  }),
})

const name = textOfCharacters(BOUNDS.name).meta({ description: 'Name of the account' })

const quota = z
  .int()
  .min(0)
  .nullable()
  .optional()
  .meta({ description: 'In place of the default; null: the default' })

/** What the rows of one kind become when their account is deleted. */
const AccountContent = z.object({
  name: z.string().meta({ description: 'What they are' }),
  rows: z.int().min(0),
  fate: z.enum(['erased', 'made nameless', 'waited for']),
})

const contents = z.array(AccountContent).meta({ description: 'What the account has in this service' })

/** A list that states an expiry, and that nobody can sign again once its publisher is gone. */
const LapsingList = z.object({
  did: z.string(),
  statusListName: z.string(),
  validUntil: z.string().meta({ format: 'date-time' }),
})

const LEVELS = ['ok', 'warn', 'fail'] as const

const Finding = z.object({
  name: z.string(),
  level: z.enum(LEVELS),
  message: z.string(),
  advice: z.string().exactOptional(),
})

const seconds = (description: string) => z.number().min(0).exactOptional().meta({ description })
const count = (description: string) => z.int().min(0).exactOptional().meta({ description })
const amount = (description: string) => z.number().exactOptional().meta({ description })

/** A network of did:cheqd and what waits for it. */
const NetworkHealth = z.object({
  network: z.string(),
  outbox: z
    .record(z.string(), z.int().min(0))
    .exactOptional()
    .meta({ description: 'Messages to the network that are not settled, by state' }),
  outboxOldestSeconds: seconds('Age of the oldest of these messages; 0 if there are none'),
  blockAgeSeconds: seconds('Age of the newest block known here'),
  blockHeight: count('Height of the newest block known here'),
  payerBalanceCheq: amount('Balance of the payer, in CHEQ'),
  spendTodayCheq: amount('What accounts have spent today (UTC) on writes, in CHEQ'),
})

/** How the service is: for operators, as one process of it sees it. */
export const ServiceHealth = z.object({
  level: z.enum(LEVELS).meta({ description: 'The worst level of the findings' }),
  examinedAt: z.string().meta({
    description: 'When the findings were made; they are shared for a minute',
    format: 'date-time',
  }),
  findings: z.array(Finding).meta({ description: 'What `vidimus doctor` reports' }),
  database: z
    .object({
      dialect: z.enum(['sqlite', 'postgres']),
      readOnly: z.boolean(),
      migrations: z.int().meta({ description: 'Migrations of this version of the service' }),
      pendingMigrations: z.int(),
      waitingWrites: count('Transactions waiting for their turn in this process'),
      connections: count('Open connections of this process to PostgreSQL'),
      replicationLagSeconds: seconds('How far a standby is behind'),
      diskAvailableBytes: count('Free space on the disk of the SQLite file'),
    })
    .meta({ description: 'The database of the service' }),
  networks: z.array(NetworkHealth).meta({ description: 'Cheqd networks; none for embedded ledgers' }),
  publication: z
    .object({
      lagSeconds: seconds('Age of the oldest change that is not published'),
      failures: count('Failed attempts of this process'),
    })
    .exactOptional()
    .meta({ description: 'The static publication; absent: none is configured' }),
  lists: z
    .object({
      beatLagSeconds: seconds('How long the version of a paced list has been due'),
      waitingChanges: count('Changed entries that wait for the next version of their list'),
      oldestWaitingSeconds: seconds('Age of the oldest of these changes'),
      openJobs: count('Mass changes that are queued or running'),
    })
    .meta({ description: 'Work on status lists, of all accounts' }),
  versions: z
    .object({
      service: z.string(),
      node: z.string(),
      packages: z.array(z.object({ name: z.string(), version: z.string() })),
    })
    .meta({ description: 'What runs, with the packages that agent.yml names' }),
})

/** A session of the console as operators see it: never what its browser keeps. */
export const ListedSession = z.object({
  id: z.string(),
  issuer: z.string().meta({ description: 'Identity provider that it began at' }),
  subject: z.string(),
  account: z.string().meta({ description: 'Name of the account' }),
  scopes: z.array(z.string()).exactOptional().meta({
    description: 'By the rules of now; absent: not limited; none if no rule applies any more',
  }),
  createdAt: z.string().meta({ format: 'date-time' }),
  usedAt: z.string().meta({ format: 'date-time' }),
  endsAt: z.string().meta({ format: 'date-time' }),
})

/** The agent methods of operators, for other plugins of the same agent: all of them are refused to remote ones. */
export const operatorMethods = {
  operatorAccountList: {
    description: 'Lists the accounts of the service, by name',
    arguments: PageRequest.extend({
      name: textOfCharacters(BOUNDS.name)
        .optional()
        .meta({ description: 'Exact name, or a prefix ending in `*`' }),
    }),
    returns: z.object({ accounts: z.array(OperatedAccount), ...pageEnd }),
  },
  operatorAccountCreate: {
    description: 'Creates an account, and its first API key if asked',
    arguments: z.object({
      name: z.string().regex(ACCOUNT_NAME, ACCOUNT_NAME_SHAPE).meta({
        description: 'Begins with a letter or digit; at most 63 letters, digits, spaces or any of . _ @ -',
        maxLength: 63,
      }),
      quotas: z
        .strictObject(Object.fromEntries(Object.keys(QUOTAS).map((one) => [one, quota])))
        .optional()
        .meta({ description: 'Quotas in place of the defaults' }),
      firstKey: z.strictObject(ApiKeyRequest.shape).optional().meta({
        description:
          'Also creates an API key of the account, with these limits; `{}`: none. It ends with what creates it at the latest. Default: no key',
      }),
    }),
    returns: z.object({ account: OperatedAccount, firstKey: CreatedApiKey.exactOptional() }),
  },
  operatorAccountDisable: {
    description: 'Refuses all callers of an account, at once and in every process; nothing is lost',
    arguments: z.object({ name }),
    returns: OperatedAccount,
  },
  operatorAccountEnable: {
    description: 'Enables a disabled account again',
    arguments: z.object({ name }),
    returns: OperatedAccount,
  },
  operatorAccountContents: {
    description: 'Reports what deleting an account would end; changes nothing',
    arguments: z.object({ name }),
    returns: z.object({
      account: OperatedAccount,
      contents,
      lists: z.array(LapsingList).meta({
        description: 'Published lists that state an expiry, which nobody could sign again',
      }),
      listsAreAll: z.literal(false).exactOptional().meta({
        description: 'Present if there are more DIDs or lists than were looked at',
      }),
    }),
  },
  operatorAccountDelete: {
    description: 'Disables an account for good and erases its data; what it has published stays',
    arguments: z.object({ name }),
    returns: z.object({
      account: OperatedAccount,
      deleted: z.boolean().meta({ description: 'False: it goes on in the background' }),
    }),
  },
  operatorDeletionsContinue: {
    description: 'Completes deletions that were begun, now and from then on',
    arguments: z.object({}),
    returns: z.object({}),
  },
  operatorSessionList: {
    description: 'Lists the sessions of the console that began with an identity provider, newest first',
    arguments: PageRequest.extend({ account: name.optional() }),
    returns: z.object({ sessions: z.array(ListedSession), next: pageEnd.next }),
  },
  operatorSessionEnd: {
    description: 'Ends a session of the console',
    arguments: z.object({
      id: textOfCharacters(BOUNDS.word).meta({ description: 'Id of the session, as it is listed' }),
    }),
    returns: z.object({ id: z.string(), ended: z.literal(true) }),
  },
  operatorHealth: {
    description: 'Reports how the service is',
    arguments: z.object({}),
    returns: ServiceHealth,
  },
}
