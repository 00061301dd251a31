import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

/**
 * Coloured text on terminals that support it, unless `NO_COLOR` is set: Node.js checks both.
 *
 * @see https://no-color.org
 */
export const coloured = (
  colour: 'green' | 'yellow' | 'red',
  text: string,
  output: Pick<WriteStream, 'isTTY' | 'hasColors'> = process.stdout,
): string => (output.isTTY && output.hasColors() ? styleText(colour, text) : text)
