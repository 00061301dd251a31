import assert from 'node:assert/strict'
import type { Finding, FindingLevel } from '@vidimus/core-types'
import { worstLevel } from '@vidimus/core-types'
import { examine } from '../../packages/cli/src/doctor/examine.js'
import { codeOfVidimus, endOfVidimus, installationOf, type ServiceOptions } from './service.js'

type Options = ServiceOptions & { dataDirectory: string }

const EXIT_CODES: Readonly<Record<FindingLevel, number>> = { ok: 0, warn: 1, fail: 2 }

/** What `vidimus doctor` finds; its exit code says how bad that is. */
export class Examination {
  private constructor(
    readonly level: FindingLevel,
    readonly findings: readonly Finding[],
  ) {}

  /** In this process, without one for the command. */
  static async of(options: Options): Promise<Examination> {
    const { file, environment } = await installationOf(options)
    return this.from(
      await examine(file, { environment, readOnly: options.args?.includes('--read-only') ?? false }),
    )
  }

  /** As an operator gets it: printed, and with an exit code that says how bad it is. */
  static async byCommand(options: Options): Promise<Examination> {
    const command = ['doctor', '--json']
    // What Node.js itself is told needs a process.
    const { code, printed, complained } = options.environment?.NODE_OPTIONS
      ? await endOfVidimus(command, options)
      : await codeOfVidimus(command, options)
    assert.equal(complained, '')
    const { level, findings } = JSON.parse(printed) as { level: FindingLevel; findings: Finding[] }
    const examination = this.from(findings)
    assert.equal(level, examination.level)
    assert.equal(code, EXIT_CODES[level], printed)
    return examination
  }

  private static from(findings: readonly Finding[]): Examination {
    for (const finding of findings) {
      assert.ok(finding.level === 'ok' || finding.advice !== undefined, `no advice: ${finding.message}`)
    }
    return new Examination(worstLevel(findings), findings)
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
