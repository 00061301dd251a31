import { statSync } from 'node:fs'
import { AgentError, log, outsideOfRequests } from '@vidimus/core-types'

/** SQLite keeps the latest commits in a file beside the database until they are moved over, and its locks in another. */
const SUFFIXES = ['', '-wal', '-shm'] as const

const LOOK_EVERY_MS = 5_000

const REPLACED = 'the database file was deleted or replaced'

/**
 * The files of an open database, and the locks beside it, by device and inode: deleting or replacing one leaves the process
 * with an unnamed file. Its commits are lost with the process, or its locks exclude no other process any more.
 */
export class SqliteFiles {
  private readonly watched = new Map<string, string | undefined>()
  private readonly identity: Identity
  private timer: NodeJS.Timeout | undefined
  private wasTold = false

  /**
   * @param file - that was opened, and read, just now
   * @param locks - files beside it
   */
  constructor(file: string, locks: readonly string[]) {
    this.identity = identityIn(file)
    for (const path of [...SUFFIXES.map((suffix) => `${file}${suffix}`), ...locks]) this.add(path)
  }

  /** Watches another lock, which was created just now. */
  add(path: string): void {
    this.watched.set(path, this.identity(path))
  }

  /** The first of them that is no longer where it was opened. */
  get lost(): string | undefined {
    // Not asynchronous: it costs microseconds, and would wait behind the statements that share Node.js's threads.
    const lost = this.firstLost()
    if (lost !== undefined && !this.wasTold) this.wasTold = log('error', REPLACED, { file: lost })
    return lost
  }

  /** @throws AgentError `unavailable` if one is lost */
  mustBeThere(): void {
    if (this.lost === undefined) return
    throw new AgentError(
      'unavailable',
      `${REPLACED} while the service was running: nothing can be stored until it is restored and the service is restarted`,
    )
  }

  /** After a COMMIT. @throws AgentError `outcome_unknown` if one is lost */
  mustHaveStayed(): void {
    if (this.lost === undefined) return
    throw new AgentError(
      'outcome_unknown',
      `${REPLACED} while a change was being committed, which may be lost: look once the service has been restarted`,
    )
  }

  /** The log must report it even without requests. */
  watch(): void {
    this.timer = outsideOfRequests(() => setInterval(() => void this.lost, LOOK_EVERY_MS)).unref()
  }

  unwatch(): void {
    clearInterval(this.timer)
  }

  private firstLost(): string | undefined {
    for (const [path, identity] of this.watched) if (this.identity(path) !== identity) return path
    return undefined
  }
}

/** What tells one file from another at the same path; `undefined`: there is none. */
type Identity = (path: string) => string | undefined

const byInode: Identity = (path) => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  // Without a name it has no links; SQLite would open another one of the same name.
  return found && found.nlink > 0n ? `${found.dev}:${found.ino}` : undefined
}

const byName: Identity = (path) => (statSync(path, { throwIfNoEntry: false }) ? 'there' : undefined)

/** Some network and user-space file systems number their files anew at each look, or not at all. */
function identityIn(file: string): Identity {
  const { ino } = statSync(file, { bigint: true })
  if (ino !== 0n && statSync(file, { bigint: true }).ino === ino) return byInode
  log(
    'warn',
    'the file system of the database has no steady inodes: its files are watched by name alone, so that a deleted file is ' +
      'noticed and a replaced one is not',
    { file },
  )
  return byName
}
