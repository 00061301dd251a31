/** A credential as people paste it: a JWT or SD-JWT, JSON, or the id of one that was issued here. */
export type WrittenCredential =
  { credential: string | Record<string, unknown> } | { credentialId: string } | { problem: string }

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*(?:~[\w.~-]*)?$/

export function readCredential(text: string): WrittenCredential {
  const written = text.trim()
  if (written === '') return { problem: 'Paste a credential first, or the id of one that was issued here.' }
  if (written.startsWith('{')) {
    const read = readObject(written)
    return read ? { credential: read } : { problem: 'This is not valid JSON.' }
  }
  if (COMPACT.test(written)) return { credential: written }
  if (/^\S+:\S+$/.test(written)) return { credentialId: written }
  return { problem: 'This is neither a JWT, nor an SD-JWT, nor JSON, nor the id of a credential (a URI).' }
}

/** The form in which a credential is handed to its holder: the text of its proof, or all of it. */
export function handedOut(credential: { proof?: unknown }): string {
  const { proof } = credential
  const jwt = typeof proof === 'object' && proof !== null && 'jwt' in proof ? proof.jwt : undefined
  return typeof jwt === 'string' ? jwt : JSON.stringify(credential, null, 2)
}

/** @returns `undefined` if it is not a JSON object */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
