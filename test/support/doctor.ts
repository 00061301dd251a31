import assert from 'node:assert/strict'
import type { Finding, FindingLevel } from '@vidimus/core-types'
import { endOfVidimus, type ServiceOptions } from './service.js'

const EXIT_CODES: Readonly<Record<FindingLevel, number>> = { ok: 0, warn: 1, fail: 2 }

/** What `vidimus doctor` finds; its exit code says how bad that is. */
export class Examination {
  private constructor(
    readonly level: FindingLevel,
    readonly findings: readonly Finding[],
  ) {}

  static async of(options: ServiceOptions & { dataDirectory: string }): Promise<Examination> {
    const { code, printed, complained } = await endOfVidimus(['doctor', '--json'], options)
    assert.equal(complained, '')
    const { level, findings } = JSON.parse(printed) as { level: FindingLevel; findings: Finding[] }
    assert.equal(code, EXIT_CODES[level], printed)
    for (const finding of findings) {
      assert.ok(finding.level === 'ok' || finding.advice !== undefined, `no advice: ${finding.message}`)
    }
    return new Examination(level, findings)
  }

  /** The level and the message under a name, each `level: message`. */
  of(name: string): string {
    return this.findings
      .filter((finding) => finding.name === name)
      .map(({ level, message }) => `${level}: ${message}`)
      .join('\n')
  }

  /** Everything that is not as it should be. */
  get complaints(): string[] {
    return this.findings
      .filter(({ level }) => level !== 'ok')
      .map(({ name, message }) => `${name}: ${message}`)
  }
}
