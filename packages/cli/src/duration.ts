import { InvalidArgumentError } from 'commander'

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/**
 * Reads a length of time such as `30m`, `24h` or `7d`; a bare number must be 0.
 *
 * @returns seconds
 * @throws InvalidArgumentError for anything else
 */
export function duration(text: string): number {
  if (text === '0') return 0
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = SECONDS[unit]
  if (seconds === undefined) {
    throw new InvalidArgumentError('It must be a whole number with a unit: 90s, 30m, 24h or 7d; or 0.')
  }
  return Number(count) * seconds
}
