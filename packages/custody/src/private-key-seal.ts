import { AgentError, type KeyEnvelope } from '@vidimus/core-types'
import { SealedTexts, sql, type Connection, type SealedColumn, type Sql } from '@vidimus/database'
import { isKeyType, publicKeysOfPrivateKey } from '@vidimus/verification-methods'
import { scopedName } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

/** The context for which a private key is sealed. */
export interface KeyOwner {
  account: string
  alias: string
  type: string
}

interface OwnerRow {
  stored_name: string
  key_type: string
}

/** The name of a private key that went with an undone creation, and may come back: in no account, but of its owner still. */
export const hiddenName = (account: string, creation: string, alias: string): string =>
  `undone:${creation}:${scopedName(account, alias)}`

const COLUMN: SealedColumn<OwnerRow> = {
  name: 'private keys',
  table: sql`"private-key"`,
  sealed: sql`"privateKeyHex"`,
  id: [sql`"home"`, sql`"alias"`],
  joined: sql`"private-key"`,
  context: sql`"private-key"."alias" AS "stored_name", "private-key"."type" AS "key_type"`,
  contextOf: ({ stored_name: name, key_type: type }) => {
    const [, account, alias] = /^(?:undone:[^:]*:)?([^:]*):(.*)$/s.exec(name) ?? []
    return account === undefined || alias === undefined ? undefined : contextOfKey({ account, alias, type })
  },
  check: {
    table: sql`secret_check`,
    id: 'private-keys',
    text: 'the secret fits',
    context: ['secret check'],
  },
}

/** The form of private keys in the database: sealed by the envelope. */
export class PrivateKeySeal {
  readonly texts: SealedTexts<OwnerRow>

  constructor(
    unit: UnitOfWork,
    private readonly envelope: KeyEnvelope,
  ) {
    const database = {
      query: <Row>(statement: Sql) => unit.query<Row>(statement),
      write: <T>(work: (connection: Connection) => Promise<T>) =>
        unit.transaction(({ connection }) => work(connection)),
      olderTransactionsEnd: () => unit.olderTransactionsEnd(),
    }
    this.texts = new SealedTexts(database, envelope, COLUMN)
  }

  /**
   * Seals a private key for the transaction that stores it.
   *
   * @throws AgentError `wrong_secret`
   */
  close(connection: Connection, owner: KeyOwner, privateKeyHex: string): Promise<string> {
    return this.texts.seal(connection, privateKeyHex, contextOfKey(owner))
  }

  /**
   * @param publicKeyHex - as the key is shown; `null` if it is not
   * @throws AgentError `wrong_secret`, also for an unsealed key, and for one that does not belong to its public half
   */
  open(owner: KeyOwner, stored: string, publicKeyHex: string | null): string {
    if (!this.envelope.isSealed(stored)) {
      throw new AgentError(
        'wrong_secret',
        `the private key of "${owner.alias}" is not encrypted, so it is refused`,
      )
    }
    const privateKeyHex = this.envelope.open(stored, contextOfKey(owner))
    if (publicKeyHex === null || isPublicHalf(owner.type, privateKeyHex, publicKeyHex)) return privateKeyHex
    throw new AgentError('wrong_secret', `the public key of "${owner.alias}" does not match its private key`)
  }
}

const contextOfKey = ({ account, alias, type }: KeyOwner): string[] => [account, alias, type]

/** Keys of types whose public half nothing here can derive are believed. */
function isPublicHalf(type: string, privateKeyHex: string, publicKeyHex: string): boolean {
  if (!isKeyType(type)) return true
  const seed = Buffer.from(privateKeyHex.slice(0, 64), 'hex')
  return publicKeysOfPrivateKey(type, seed).includes(publicKeyHex.toLowerCase())
}
