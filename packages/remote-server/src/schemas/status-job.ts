import { StatusListJob } from '@vidimus/core-types/schemas'

export const StatusJob = StatusListJob.meta({ id: 'StatusJob' })

export const exampleJob = {
  id: 'december-2026',
  state: 'running',
  dryRun: false,
  rows: 3000000,
  applied: 1740000,
  refused: 12,
  createdAt: '2026-12-01T09:30:00.000Z',
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
}
