/**
 * Whether a text has more characters than that: code points, as JSON Schema counts them, of which some take two places in
 * a string of JavaScript.
 */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

/** Of UTF-8. */
export const hasMoreBytes = (text: string, most: number): boolean => Buffer.byteLength(text) > most
