/** Part of the response of POST /presentation/create, beside the signed content. */
export const TESTING_NOTE =
  'for testing, not for production: in production the holder creates presentations with their own key'

/**
 * A presentation without that note, so that the response of POST /presentation/create can be verified unchanged. An
 * object must not contain more than its JWT; any other `note` is kept and must be in the JWT as well.
 */
export function withoutTestingNote(
  presentation: string | Record<string, unknown>,
): string | Record<string, unknown> {
  if (typeof presentation === 'string' || presentation.note !== TESTING_NOTE) return presentation
  const { note, ...signed } = presentation
  return signed
}
