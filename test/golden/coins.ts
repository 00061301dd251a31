const DECIMALS = 18

/** A decimal number as one with 18 places and no point. */
export const decimal = (text: string): bigint => {
  const [whole = '0', places = ''] = text.split('.')
  return BigInt(whole + places.padEnd(DECIMALS, '0'))
}

/** The first of a list of coins. */
export const coinOf = (text: unknown): { denom: string; amount: bigint } => {
  const [coin] = coinsOf(text)
  return { denom: coin?.denom ?? '', amount: BigInt(coin?.amount ?? '0') }
}

export const coinsOf = (text: unknown): { denom: string; amount: string }[] =>
  [...String(text).matchAll(/(\d+)([a-z][^,]*)/g)].map(([, amount = '0', denom = '']) => ({ denom, amount }))
