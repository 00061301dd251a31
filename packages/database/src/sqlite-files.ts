import { statSync } from 'node:fs'
import { AgentError, log, outsideOfRequests } from '@vidimus/core-types'

/** SQLite keeps the latest commits in a file beside the database, until they are moved over. */
const SUFFIXES = ['', '-wal'] as const

const LOOK_EVERY_MS = 5_000

/**
 * The files of an open database, by device and inode: deleting or replacing one leaves the process with an unnamed
 * file, whose content is lost with the process.
 */
export class SqliteFiles {
  private readonly opened: readonly (readonly [path: string, identity: string | undefined])[]
  private timer: NodeJS.Timeout | undefined
  private wasTold = false

  /** @param file - that was opened, and read, just now */
  constructor(file: string) {
    this.opened = SUFFIXES.map((suffix) => [`${file}${suffix}`, fileIdentity(`${file}${suffix}`)])
  }

  /** The first of them that is no longer where it was opened. */
  get lost(): string | undefined {
    // Not asynchronous: it costs microseconds, and would wait behind the statements that share Node.js's threads.
    const lost = this.opened.find(([path, identity]) => fileIdentity(path) !== identity)?.[0]
    if (lost !== undefined && !this.wasTold) {
      this.wasTold = log('error', 'the database file was deleted or replaced', { file: lost })
    }
    return lost
  }

  /** @throws AgentError `unavailable` if one is lost */
  mustBeThere(): void {
    if (this.lost === undefined) return
    throw new AgentError(
      'unavailable',
      'the database file was deleted or replaced while the service was running: nothing can be stored until it is ' +
        'restored and the service is restarted',
    )
  }

  /** The log must report it even without requests. */
  watch(): void {
    this.timer = outsideOfRequests(() => setInterval(() => void this.lost, LOOK_EVERY_MS)).unref()
  }

  unwatch(): void {
    clearInterval(this.timer)
  }
}

function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}
