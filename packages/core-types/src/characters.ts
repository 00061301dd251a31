/**
 * Whether a text has more characters than this: code points, as JSON Schema counts them, some of which take two
 * places in a JavaScript string.
 */
export const isLongerThan = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most)

/** Of UTF-8. */
export const hasMoreBytes = (text: string, most: number): boolean => Buffer.byteLength(text) > most
