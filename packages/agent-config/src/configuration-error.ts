/** One error in a configuration file. */
export interface LocatedProblem {
  /** the file as the operator knows it: relative to the working directory if it is below that */
  file: string
  /** from 1; absent for the file as a whole */
  line?: number
  /** from 1, in UTF-16 code units */
  column?: number
  /** where in the configuration, such as `server.$args[0].port`; `''` for the whole */
  path: string
  /** what is wrong, as a sentence without the path */
  message: string
  /** the line of the file and a caret below the place; literals that look secret are masked */
  excerpt?: string
  /** what to do about it */
  advice?: string
}

/**
 * The configuration cannot be used. Everything that was found is in `problems`, in the order of the file, and in
 * the message, ready to be shown to the operator.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly LocatedProblem[]

  /** @param problems - at least one */
  constructor(problems: readonly LocatedProblem[]) {
    const sorted = eachOnce(problems).sort(
      (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
    )
    super(sorted.map(formatProblem).join('\n'))
    this.problems = sorted
  }
}

/** An error that several objects report about the same value is shown once. */
function eachOnce(problems: readonly LocatedProblem[]): LocatedProblem[] {
  const told = new Map<string, LocatedProblem>()
  for (const problem of problems) {
    const { line, column, message, path } = problem
    const key = JSON.stringify(line === undefined ? [path, message] : [line, column, message])
    if (!told.has(key)) told.set(key, problem)
  }
  return [...told.values()]
}

/** `agent.yml:3:9  server.port: ...`, then the source line with its caret, then the advice. */
export function formatProblem(problem: LocatedProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const what = problem.path ? `${problem.path}: ${problem.message}` : problem.message
  const lines = [`${place}  ${what}`]
  if (problem.excerpt !== undefined) lines.push(problem.excerpt)
  if (problem.advice !== undefined) lines.push(`      ${problem.advice}`)
  return lines.join('\n')
}
