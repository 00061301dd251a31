import { isAbsolute, relative } from 'node:path'
import { LineCounter } from 'yaml'
import type { LocatedProblem } from './configuration-error.js'
import { maskLine, secretMember, secretShapes, type TextRange } from './secret-text.js'

/** An error at a place of the file. */
export interface Finding {
  /** offset into the text, in UTF-16 code units */
  at: number
  /** the place as people read it, such as `server.port` */
  path: string
  message: string
  advice?: string | undefined
}

/** The text of a configuration file: knows lines and columns, and never shows what looks secret. */
export class SourceText {
  /** the file as the operator knows it */
  readonly label: string
  readonly lineCounter = new LineCounter()
  /** set if the text is not valid YAML, so that secrets can only be recognised by the look of a line */
  malformed = false
  readonly #secrets: TextRange[] = []

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.label = fileLabel(file)
  }

  /** Never shows this part of the text. */
  hide(range: TextRange): void {
    this.#secrets.push(range)
  }

  /** from 1 */
  lineAt(offset: number): number {
    return Math.max(1, this.lineCounter.linePos(offset).line)
  }

  problem({ at, path, message, advice }: Finding): LocatedProblem {
    const line = this.lineAt(at)
    const start = this.lineCounter.lineStarts[line - 1] ?? 0
    return {
      file: this.label,
      line,
      column: at - start + 1,
      path,
      message,
      excerpt: this.#excerpt(line, start, at),
      ...(advice !== undefined && { advice }),
    }
  }

  #excerpt(line: number, start: number, at: number): string {
    const source = /.*/.exec(this.text.slice(start))?.[0] ?? ''
    const masked = maskLine(source, this.#hiddenIn(source, start), at - start)
    const before = masked.text.slice(0, masked.caret).replaceAll(/[^\t]/g, ' ')
    const padding = ' '.repeat(Math.max(0, masked.caret - masked.text.length))
    return `${String(line).padStart(5)} | ${masked.text}\n      | ${before}${padding}^`
  }

  #hiddenIn(source: string, start: number): TextRange[] {
    const indentation = source.length - source.trimStart().length
    const literals = this.#secrets
      .filter((range) => range.start < start + source.length && range.end > start)
      .map((range) => ({
        start: Math.max(indentation, range.start - start),
        end: Math.min(source.length, range.end - start),
      }))
    const member = this.malformed ? secretMember(source) : undefined
    return [...literals, ...secretShapes(source), ...(member ? [member] : [])]
  }
}

/** Relative to the working directory if the file is below it. */
export function fileLabel(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || isAbsolute(path) ? file : path
}
