import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'

/**
 * Text in a colour, on terminals that have some, and not where `NO_COLOR` asks for none: Node.js looks at that.
 *
 * @see https://no-color.org
 */
export const coloured = (
  colour: 'green' | 'yellow' | 'red',
  text: string,
  output: Pick<WriteStream, 'isTTY' | 'hasColors'> = process.stdout,
): string => (output.isTTY && output.hasColors() ? styleText(colour, text) : text)
