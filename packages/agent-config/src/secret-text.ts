/** A part of a text, `end` exclusive. */
export interface TextRange {
  start: number
  end: number
}

export const MASK = '***'

const SECRET_WORDS = /secret|passw(or)?d|passphrase|apikey|privatekey|encryptionkey|mnemonic|seedphrase|token/

// Login credentials: here credentials are usually verifiable ones, as in `maxCredentials`.
const LOGIN_CREDENTIALS =
  /^(admin|api|auth|aws|azure|client|cloud|database|db|gcp|google|ledger|login|registry|service|smtp|user)?credentials$/

/** Whether values under this key are likely to be secret: `secret`, `dbPassword`, `api_key`, `privateKeyHex`, ... */
export function looksSecret(key: string): boolean {
  const word = key.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return SECRET_WORDS.test(word) || LOGIN_CREDENTIALS.test(word)
}

// Unlike the key of a map, a variable that is called a key is hardly a map of key managers. PWD is the working folder.
const SECRET_VARIABLE =
  /(^|_)(keys?|pass|pwd|seed|auth|credentials?|jwt|cookie)(_(hex|base64|b64|jwk|pem|old|new|\d+))?$/
const PLAIN_VARIABLE = /^pwd$|(^|_)public_key|_(file|path|dir|directory)$/

/** Whether the value of an environment variable is likely to be secret: `KMS_SECRET_KEY`, `DB_PASS`, ... */
export function isSecretVariable(name: string): boolean {
  const words = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  return !PLAIN_VARIABLE.test(words) && (looksSecret(name) || SECRET_VARIABLE.test(words))
}

/** The passwords in a text that is itself no secret, such as the URL of a database; as written and as meant. */
export function passwordsIn(text: string): string[] {
  const userInfo = [...text.matchAll(/:\/\/[^\s/@:]*:(\S+)@/g)].map((match) => match[1] ?? '')
  const parameters = [...text.matchAll(/([\w.-]+)=([^\s&;#]+)/g)]
    .filter(([, name]) => name !== undefined && isSecretVariable(name))
    .map((match) => match[2] ?? '')
  return [...userInfo, ...parameters].flatMap((password) => [password, decoded(password)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// Texts that look secret, whatever the key: long hex and base64url texts, and passwords in URLs.
const SECRET_SHAPES = [
  /(?<![A-Za-z0-9])(?:0x)?[0-9a-fA-F]{32,}(?![A-Za-z0-9])/g,
  /[A-Za-z0-9+_-]{40,}={0,2}/g,
  /(?<=:\/\/[^\s/@:]*:)[^\s@]+(?=@)/g,
]

/** The parts of a line that look secret by their shape. */
export const secretShapes = (line: string): TextRange[] =>
  SECRET_SHAPES.flatMap((shape) =>
    [...line.matchAll(shape)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  )

/**
 * The value in a line with a key that looks secret. In invalid YAML the end of a value is unknown: everything up to
 * the end of the line.
 */
export function secretMember(line: string): TextRange | undefined {
  for (const match of line.matchAll(/([\w$-]+)["']?[ \t]*:[ \t]*(?=\S)/g)) {
    if (match[1] !== undefined && looksSecret(match[1])) {
      return { start: match.index + match[0].length, end: line.length }
    }
  }
  return undefined
}

/**
 * Masks parts of a line and returns the new place of the caret.
 *
 * @param caret - index into the line
 */
export function maskLine(
  line: string,
  hidden: readonly TextRange[],
  caret: number,
): { text: string; caret: number } {
  let text = ''
  let at = 0
  let moved: number | undefined
  for (const { start, end } of [...hidden].sort((a, b) => a.start - b.start)) {
    if (end <= at || end <= start) continue
    if (start >= at) {
      if (moved === undefined && caret < start) moved = text.length + caret - at
      text += line.slice(at, start)
      if (moved === undefined && caret < end) moved = text.length
      text += MASK
    }
    at = end
  }
  moved ??= text.length + Math.max(0, caret - at)
  return { text: text + line.slice(at), caret: moved }
}

/** Takes values that must not be shown out of texts that others wrote. */
export class Redaction {
  readonly #values = new Set<string>()

  add(value: string): void {
    // The user of the value may trim it first.
    const text = value.trim()
    // One or two characters reveal nothing, but would leave holes in every message.
    if (text.length >= 3) this.#values.add(text)
  }

  apply(text: string): string {
    let result = text
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      result = result.replaceAll(pattern(value), MASK)
    }
    return result
  }
}

// Long values are hidden wherever they appear; a short one, such as `info`, only as a whole word.
function pattern(value: string): RegExp {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return value.length >= 8
    ? new RegExp(escaped, 'g')
    : new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'g')
}
