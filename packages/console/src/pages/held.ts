import type { Loaded } from '../parts/use-loaded.js'

/**
 * Whether the account holds what was read. An error says neither yes nor no, and nothing is offered on a guess.
 *
 * @param held - `null` where the account has none
 */
export const isHeld = ({ value, loading }: Pick<Loaded<unknown>, 'value' | 'loading'>): boolean =>
  !loading && value !== null && value !== undefined
