/** A table; cells are Markdown already. Columns that are empty in every row are left out. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = headings.flatMap((_, column) => (rows.some((row) => row[column]) ? [column] : []))
  const line = (cells: readonly string[]) => `| ${kept.map((column) => cells[column] ?? '').join(' | ')} |`
  return [line(headings), line(headings.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join(
    '\n',
  )
}

/** In one line, with no bar that would end the cell. */
const cell = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/(?<!\\)\|/g, '\\|')

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

/** Digits in groups of three, as people read them. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(\d{3})+(?!\d))/g, ' ')

/** `to` is left out where it is the largest number that there is. */
export const range = (from: number | undefined, to: number | undefined): string => {
  const most = to === undefined || to >= Number.MAX_SAFE_INTEGER ? undefined : to
  if (from === undefined || from <= Number.MIN_SAFE_INTEGER)
    return most === undefined ? '' : `up to ${grouped(most)}`
  return most === undefined ? `from ${grouped(from)}` : `${grouped(from)} to ${grouped(most)}`
}
