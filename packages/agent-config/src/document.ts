import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isScalar, parseDocument, visit, type Document, type Scalar } from 'yaml'
import type { ConfigNode, MapNode } from './config-node.js'
import { ConfigurationError, type LocatedProblem } from './configuration-error.js'
import { hideSecrets } from './secret-literals.js'
import { Redaction } from './secret-text.js'
import { fileLabel, SourceText, type Finding } from './source-text.js'
import { toNodes } from './yaml-nodes.js'

/** A configuration file that was read: valid YAML of the right version, nothing more is known of it. */
export interface ConfigurationDocument {
  readonly source: SourceText
  readonly root: MapNode
  /** takes the secrets of this configuration out of messages that others wrote */
  readonly redaction: Redaction
  /** environment variables that are read for secrets, whatever their names */
  readonly secretVariables: ReadonlySet<string>
}

/** @throws ConfigurationError with every syntax error */
export async function readDocument(path: string): Promise<ConfigurationDocument> {
  const file = resolve(path)
  return parseConfiguration(file, await readText(file))
}

/** @param file - absolute */
export function parseConfiguration(file: string, text: string): ConfigurationDocument {
  const source = new SourceText(file, text)
  const yaml = parseDocument(text, {
    lineCounter: source.lineCounter,
    prettyErrors: false,
    // 1 and "1" would be the same key of an object.
    uniqueKeys: (a, b) => isScalar(a) && isScalar(b) && String(a.value) === String(b.value),
  })
  const findings: Finding[] = syntaxFindings(yaml, text)
  source.malformed = findings.length > 0
  const root = toNodes(yaml, (finding) => findings.push(finding))
  const redaction = new Redaction()
  const secretVariables = hideSecrets(root, source, redaction)
  if (!source.malformed) findings.push(...versionFindings(root))
  if (findings.length > 0 || root.kind !== 'map') {
    throw new ConfigurationError(findings.map((finding) => source.problem(finding)))
  }
  return { source, root, redaction, secretVariables }
}

const READ_FAILURES: Record<string, { message: string; advice?: string }> = {
  ENOENT: { message: 'the file does not exist' },
  EISDIR: { message: 'this is a directory, not a file' },
  EACCES: {
    message: 'the file cannot be read (permission denied)',
    advice: 'give the current user read permission',
  },
}

async function readText(file: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    const failure = READ_FAILURES[(error as NodeJS.ErrnoException).code ?? '']
    if (!failure) throw error
    throw new ConfigurationError([{ file: fileLabel(file), path: '', ...failure }])
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const problem: LocatedProblem = { file: fileLabel(file), path: '', message: 'the file is not UTF-8 text' }
    throw new ConfigurationError([problem])
  }
}

function syntaxFindings(yaml: Document.Parsed, text: string): Finding[] {
  return [...yaml.errors, ...yaml.warnings].map(({ code, message, pos: [at, end] }) => {
    if (code === 'DUPLICATE_KEY') {
      const key =
        /^["']?([^"':\s]*)/.exec(text.slice(at, text.indexOf('\n', end) + 1 || undefined))?.[1] ?? ''
      return {
        at,
        path: '',
        message: `the key "${key}" is already in this map`,
        advice: 'remove one of the two',
      }
    }
    if (code === 'MULTIPLE_DOCS') {
      return { at, path: '', message: 'the file holds a second document', advice: 'remove the line "---"' }
    }
    const quote = code === 'MISSING_CHAR' && message.includes('quote') ? unclosedQuote(yaml, at) : undefined
    if (quote !== undefined) return { at: quote, path: '', message: 'this quote is never closed' }
    return { at, path: '', message }
  })
}

/** @param end - where the end of the text was reached */
function unclosedQuote(yaml: Document.Parsed, end: number): number | undefined {
  let start: number | undefined
  visit(yaml, {
    Scalar(_key, { range, type }: Scalar) {
      if (range && type?.startsWith('QUOTE') && range[0] < end && range[2] >= end) start = range[0]
    },
  })
  return start
}

const VERSION_ADVICE = 'write "version: 3" as the first line'

function versionFindings(root: ConfigNode): Finding[] {
  if (root.kind !== 'map') {
    const message =
      root.kind === 'value' && root.value === null ? 'the file is empty' : 'expected a map of sections'
    return [{ at: root.start, path: '', message, advice: VERSION_ADVICE }]
  }
  const version = root.entries.get('version')?.node
  if (!version) return [{ at: root.start, path: 'version', message: 'is missing', advice: VERSION_ADVICE }]
  if (version.kind === 'value' && Number(version.value) === 3 && typeof version.value !== 'boolean') return []
  const found = version.kind === 'value' ? `version ${String(version.value)}` : `a ${version.kind}`
  return [
    {
      at: version.start,
      path: 'version',
      message: `expected version 3, got ${found}`,
      advice: VERSION_ADVICE,
    },
  ]
}
