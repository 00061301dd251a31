import { EventEmitter } from 'node:events'
import pg from 'pg'

/** What a coordinator of Citus asked of the servers that have the rows, between two moments. */
export interface RemoteCounts {
  /** apart from those that begin and end transactions */
  statements: number
  /** those that begin and end transactions */
  control: number
  /** numbers of the parts of tables in the statements */
  parts: ReadonlySet<number>
  /** each text, in its order */
  texts: readonly string[]
}

/** Texts of a session and of a transaction that are not about rows. */
const CONTROL =
  /^\s*(BEGIN|COMMIT|ROLLBACK|PREPARE TRANSACTION|SAVEPOINT|RELEASE|SET|SELECT (?:assign|citus_internal))/i

/**
 * Counts the statements that a coordinator sends for this process. Its sessions must report them: `ALTER DATABASE ... SET
 * citus.log_remote_commands = on`.
 */
export class RemoteStatements {
  private texts: string[] = []
  private readonly own = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'emit')

  constructor() {
    const note = ({ message }: { message?: string }) => {
      const [, text] = /^issuing (.*)$/s.exec(message ?? '') ?? []
      if (text !== undefined) this.texts.push(text)
    }
    pg.Client.prototype.emit = function (name: string | symbol, ...args: unknown[]) {
      if (name === 'notice') note(args[0] as { message?: string })
      return EventEmitter.prototype.emit.call(this, name, ...args)
    }
  }

  /** From here on. @returns what there was until now */
  take(): RemoteCounts {
    const { texts } = this
    this.texts = []
    const statements = texts.filter((text) => !CONTROL.test(text))
    const parts = statements.flatMap((text) =>
      [...text.matchAll(/_(\d{6,})\b/g)].map(([, number]) => Number(number)),
    )
    return {
      statements: statements.length,
      control: texts.length - statements.length,
      parts: new Set(parts),
      texts,
    }
  }

  end(): void {
    if (this.own) Object.defineProperty(pg.Client.prototype, 'emit', this.own)
    else Reflect.deleteProperty(pg.Client.prototype, 'emit')
  }
}
