import { isConfidentialAddress, isHttpUrl } from '@vidimus/core-types'
import { z } from 'zod'

/** From an environment variable everything arrives as text; an empty one counts as not set. */
const given = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

const Text = z.string('must be text').min(1)

export const Options = z
  .strictObject({
    bucket: z.string('must be the name of a bucket').regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
      error: 'must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and dashes',
    }),
    endpoint: given(z.string().refine(isHttpUrl, 'must be an http(s) URL')),
    allowHttp: z.boolean().default(false),
    region: given(Text),
    prefix: given(z.string().regex(/^[\w.-]+(\/[\w.-]+)*$/, 'must be a path without a slash at its ends')),
    forcePathStyle: z.boolean().optional(),
    accessKeyId: given(Text),
    secretAccessKey: given(Text),
    timeoutMs: z.int().min(100).max(600_000).default(10_000),
    attempts: z.int().min(1).max(10).default(3),
  })
  .superRefine(({ endpoint, allowHttp, accessKeyId, secretAccessKey }, context) => {
    if (endpoint !== undefined && isHttpUrl(endpoint) && !allowHttp && !isConfidentialAddress(endpoint)) {
      const message = 'must be https, unless it is on this machine; "allowHttp: true" allows http'
      context.addIssue({ code: 'custom', path: ['endpoint'], message })
    }
    if ((accessKeyId === undefined) === (secretAccessKey === undefined)) return
    context.addIssue({ code: 'custom', message: 'accessKeyId and secretAccessKey must be given together' })
  })

export type ParsedOptions = z.output<typeof Options>

/**
 * The configuration of a bucket in `agent.yml`, beside what the AWS SDK reads itself, such as AWS_REGION and
 * AWS_ACCESS_KEY_ID.
 */
export interface S3PublisherOptions {
  /** its name, with nothing else in it that others may write */
  bucket: string
  /** of a store that is not AWS; https, or http on this machine */
  endpoint?: string | null
  /** takes an http endpoint on another machine */
  allowHttp?: boolean
  /** default: from the AWS SDK, and `us-east-1` for an endpoint */
  region?: string | null
  /** what keys begin with, without a slash at its ends; default: nothing */
  prefix?: string | null
  /** whether the bucket is in the path of requests and not in the host name; default: with an endpoint */
  forcePathStyle?: boolean
  /** default: from the AWS SDK */
  accessKeyId?: string | null
  secretAccessKey?: string | null
  /** how long one request may take, in milliseconds, 100 to 600,000; default 10,000 */
  timeoutMs?: number
  /** how often a request is sent that fails for want of a healthy server, 1 to 10; default 3 */
  attempts?: number
}
