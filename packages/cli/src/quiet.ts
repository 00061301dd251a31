import { Option } from 'commander'
import { harmlessJson } from './harmless.js'

/** How much a command prints. */
export interface Loudness {
  json?: boolean
  quiet?: boolean
}

/** The option of commands that take long. */
export const quietOption = () => new Option('-q, --quiet', 'print only failures').conflicts('json')

/** Whether to show progress. */
export const showsProgress = ({ json, quiet }: Loudness): boolean => !json && !quiet

/** Prints what came of a command, as it was asked for. */
export function printOutcome<T>({ json, quiet }: Loudness, outcome: T, words: (outcome: T) => string): void {
  if (json) console.log(harmlessJson(outcome))
  else if (!quiet) console.log(words(outcome))
}
