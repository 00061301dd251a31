/** Stands in the answer of POST /presentation/create, beside what the holder signed. */
export const TESTING_NOTE =
  'for testing, not for production: in production the holder creates presentations with their own key'

/**
 * A presentation without that note, so that the answer of POST /presentation/create may be verified as it is. An object
 * may say nothing that its JWT does not say; any other `note` stays and must stand in the JWT as well.
 */
export function withoutTestingNote(
  presentation: string | Record<string, unknown>,
): string | Record<string, unknown> {
  if (typeof presentation === 'string' || presentation.note !== TESTING_NOTE) return presentation
  const { note, ...signed } = presentation
  return signed
}
