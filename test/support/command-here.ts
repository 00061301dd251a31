import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { main } from '../../packages/cli/src/main.js'

/** Built, as are the packages that a configuration names: the scope of an account is one for all of them. */
const MAIN = pathToFileURL(join(import.meta.dirname, '../../packages/cli/build/main.js')).href

export interface CommandOutcome {
  code: number
  printed: string
  complained: string
}

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the command line in this process, which costs a twentieth of a process of its own. One at a time: output,
 * environment and exit code are those of the whole process meanwhile.
 */
export function commandHere(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<CommandOutcome> {
  const outcome = last.then(() => withEnvironment(environment, () => collected(args)))
  last = outcome.catch(() => undefined)
  return outcome
}

async function collected(args: readonly string[]): Promise<CommandOutcome> {
  const commandLine = (await import(MAIN)) as { main: typeof main }
  const [printed, complained] = [new Captured(process.stdout), new Captured(process.stderr)]
  const before = process.exitCode
  process.exitCode = undefined
  try {
    await commandLine.main(['node', 'vidimus', ...args])
    return { code: Number(process.exitCode ?? 0), printed: printed.text, complained: complained.text }
  } finally {
    process.exitCode = before
    printed.release()
    complained.release()
  }
}

/** What is written to a stream, which is no terminal meanwhile. */
class Captured {
  text = ''
  private readonly write: typeof process.stdout.write
  private readonly isTTY: boolean

  constructor(private readonly stream: NodeJS.WriteStream) {
    this.write = stream.write.bind(stream)
    this.isTTY = stream.isTTY
    stream.isTTY = false
    stream.write = (chunk: string | Uint8Array) => {
      this.text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
      return true
    }
  }

  release(): void {
    this.stream.write = this.write
    this.stream.isTTY = this.isTTY
  }
}

async function withEnvironment<T>(
  environment: Record<string, string | undefined>,
  work: () => Promise<T>,
): Promise<T> {
  const before = process.env
  process.env = { ...environment }
  try {
    return await work()
  } finally {
    process.env = before
  }
}
