/** The text and the colour of a value. */
export interface Meaning {
  text: string
  tone: 'unset' | 'revoked' | 'suspended' | 'other'
}
