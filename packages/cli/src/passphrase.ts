import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AgentError, fileObstacle, systemCodeOf } from '@vidimus/core-types'

/** The terminal that a passphrase is typed at. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean | undefined }
  output: { write(text: string): unknown }
}

export interface PassphraseSource {
  /** the first line of it is the passphrase; `-`: the standard input */
  file?: string | undefined
  /** ask twice, as the input is not shown */
  repeated: boolean
}

/**
 * Reads a passphrase from a file, or asks for it on a terminal without showing it. It is never an argument, which others
 * on the machine could see.
 *
 * @throws AgentError `invalid_input`
 */
export async function readPassphrase(source: PassphraseSource, terminal: Terminal): Promise<string> {
  const passphrase =
    source.file === undefined ? await typed(source, terminal) : await firstLine(source.file, terminal)
  if (passphrase !== '') return passphrase
  throw new AgentError('invalid_input', 'the passphrase is empty')
}

async function firstLine(file: string, { input }: Terminal): Promise<string> {
  try {
    const read = file === '-' ? await text(input) : await readFile(file, 'utf8')
    return read.replace(/\r?\n[^]*$/, '')
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw new AgentError('invalid_input', fileObstacle(file, code, 'read'))
  }
}

async function typed({ repeated }: PassphraseSource, terminal: Terminal): Promise<string> {
  if (!terminal.input.isTTY) {
    throw new AgentError('invalid_input', 'no terminal to prompt for the passphrase; use --passphrase-file')
  }
  const passphrase = await ask('Passphrase: ', terminal)
  if (repeated && (await ask('Repeat it: ', terminal)) !== passphrase) {
    throw new AgentError('invalid_input', 'the passphrases do not match')
  }
  return passphrase
}

/** readline echoes the input on its output: here that goes nowhere. */
async function ask(question: string, { input, output }: Terminal): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  output.write(question)
  try {
    return await Promise.race([lines.question(''), interruption(lines)])
  } finally {
    lines.close()
    output.write('\n')
  }
}

const interruption = (lines: NodeJS.EventEmitter): Promise<never> =>
  new Promise((_, reject) => {
    const interrupt = () => reject(new AgentError('invalid_input', 'no passphrase was given'))
    lines.once('SIGINT', interrupt).once('close', interrupt)
  })
