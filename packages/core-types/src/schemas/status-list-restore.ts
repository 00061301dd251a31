import { z } from 'zod'
import { StatusListLocation } from './status-list.js'

const Data = z.string().meta({ description: 'The content, in base64url' })

export const StatusListIdentifyArgs = z.object({ data: Data })

export const StatusListRestoreArgs = z.object({
  list: StatusListLocation,
  copies: z.array(
    z.object({
      source: z.string().meta({ description: 'Where it was found' }),
      data: Data,
      version: z
        .object({ id: z.string(), time: z.string() })
        .exactOptional()
        .meta({ description: 'What the place knows about it, which then vouches for it' }),
    }),
  ),
  most: z
    .int()
    .min(0)
    .exactOptional()
    .meta({ description: 'No list has allocated more indices than this since the backup' }),
  restore: z.string().exactOptional().meta({ description: 'Its id; absent: nothing is changed' }),
})

export const StatusListRestoreResult = z.object({
  listType: z.string().exactOptional(),
  entries: z.int().exactOptional(),
  takenOver: z.object({ source: z.string(), entries: z.int() }).exactOptional(),
  skipped: z.object({ from: z.int(), to: z.int(), isOrderKnown: z.boolean() }).exactOptional(),
  problems: z.array(z.string()),
})
