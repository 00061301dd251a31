/** A number of seconds, in the largest unit that fits. */
export function ageText(seconds: number | undefined): string {
  if (seconds === undefined) return 'unknown'
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

/** The clocks of the reader and the service may differ. */
export const ageSeconds = (since: string, now: Date): number =>
  Math.max(0, (now.getTime() - Date.parse(since)) / 1000)
