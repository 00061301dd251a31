import { durationMs, type StatusListPace } from '@vidimus/core-types'

/** The first beat after a time. */
export function nextBeat({ publishEvery, startedAt }: StatusListPace, after: Date): Date {
  const everyMs = durationMs(publishEvery)
  const beats = Math.floor((after.getTime() - startedAt.getTime()) / everyMs) + 1
  return new Date(startedAt.getTime() + Math.max(1, beats) * everyMs)
}
