import { harmless } from './harmless.js'

/**
 * Lines up rows under headings, for people; programs use `--json`. Whatever others chose of it is harmless.
 *
 * @param rows - cells as text, each row as long as the headings
 */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(harmless))
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  return lines
    .map((cells) =>
      cells
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
