import { join, resolve } from 'node:path'
import { parseOptions } from '@vidimus/core-types'
import { z } from 'zod'
import { GivenSecrets } from './given-secrets.js'
import { SealingKey } from './sealing-key.js'
import { SecretFile } from './secret-file.js'
import { checkedSecret, misconfigured } from './secret-shape.js'
import type { Secrets } from './secrets.js'

export const Options = z
  .strictObject({
    value: z.string().nullable(),
    previous: z.string().nullable().optional(),
    file: z.string().min(1).optional(),
    directory: z.string().min(1).optional(),
  })
  .refine(({ value, file, directory }) => value !== null || (file ?? directory) !== undefined, {
    message: 'file or directory is required if there is no value',
  })
  .refine(({ file, directory }) => file === undefined || directory === undefined, {
    message: 'file and directory are mutually exclusive',
  })

export interface SecretSource {
  /** the secret itself, 32 bytes in hex, white space around it aside; `null`: it is in the file */
  value: string | null
  /** beside `value`: earlier secrets whose texts are still to be opened, with white space or commas between them */
  previous?: string | null
  /** where it is kept otherwise: the current secret in the first line, earlier ones in those below */
  file?: string
  /** in place of `file`: the directory of the file `kms-secret.key` */
  directory?: string
}

const FILE_NAME = 'kms-secret.key'

/**
 * The secrets that seal private keys: those given as values, otherwise those in the file. If there is neither,
 * nothing is created yet: a database that is sealed with a missing secret must not get another one.
 *
 * @throws AgentError `invalid_configuration` for a malformed secret or a file that others may read; names the place,
 *   never the value
 */
export function loadSecrets(source: SecretSource): Secrets {
  const { value, previous = null, file, directory } = parseOptions(Options, source)
  const earlier = (previous ?? '').split(/[\s,]+/).filter((text) => text !== '')
  if (value !== null) {
    const secrets = [
      checkedSecret(value.trim(), 'value', 'the secret'),
      ...earlier.map((text) => checkedSecret(text, 'previous', 'each of the earlier secrets')),
    ]
    return new GivenSecrets(secrets, 'the value that it was given (by default KMS_SECRET_KEY)')
  }
  if (earlier.length > 0) {
    throw misconfigured('previous', 'requires a value; earlier secrets of a file are in that file')
  }
  const path = resolve(file ?? join(directory ?? '.', FILE_NAME))
  const secrets = new SecretFile(
    path,
    file === undefined ? 'directory' : 'file',
    (secret) => new SealingKey(secret).id,
  )
  // A file that is wrong is found before anything is opened.
  secrets.read()
  return secrets
}
