/** What begins a formula, also behind quotation marks and blanks. */
const FORMULA = `['" ]*[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20`

/**
 * The places of marks: a cell may begin with a formula, and so may the cells that a spreadsheet makes of it which
 * separates by `;` or tab, or for which a line break always ends a row.
 */
const places = (mark: string): RegExp =>
  new RegExp(`^${mark}(?=${FORMULA}\\t\\r\\n])|(?<=[;\\t\\r\\n])${mark}(?=${FORMULA}])`, 'gu')

const [UNMARKED, MARKED] = [places(''), places("'")]

/** A text for a cell of a CSV file, with an apostrophe before everything that a spreadsheet would take for a formula. */
export const markFormulas = (text: string): string => text.replace(UNMARKED, "'")

/** The text that {@link markFormulas} was given. */
export const withoutFormulaMarks = (text: string): string => text.replace(MARKED, '')
