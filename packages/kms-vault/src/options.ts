import { isConfidentialAddress, isHttpUrl } from '@vidimus/core-types'
import { z } from 'zod'

const KUBERNETES_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token'

/** From an environment variable everything arrives as text; an empty one counts as not set. */
const given = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

const Text = z.string('must be text').min(1)
const Path = z
  .string('must be text')
  .regex(/^[\w-]+(\/[\w-]+)*$/, 'must be a path of letters, digits, "-" and "_", without a slash at its ends')
const Prefix = z.string('must be text').regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')

/** How the service authenticates to the key service. */
export type VaultLogin =
  | { kind: 'token'; token: string }
  | { kind: 'approle'; mount: string; roleId: string; secretId: string }
  | { kind: 'kubernetes'; mount: string; role: string; tokenFile: string }

export const Options = z
  .strictObject({
    address: z.string('must be an http(s) URL').refine(isHttpUrl, 'must be an http(s) URL'),
    allowHttp: z.boolean().default(false),
    namespace: given(Text),
    mount: Path.default('transit'),
    token: given(Text),
    roleId: given(Text),
    secretId: given(Text),
    appRoleMount: Path.default('approle'),
    kubernetesRole: given(Text),
    kubernetesMount: Path.default('kubernetes'),
    kubernetesTokenFile: Text.default(KUBERNETES_TOKEN),
    keyPrefix: Prefix.default('vidimus'),
    allowDeletion: z.boolean().default(false),
    timeoutMs: z.int().min(100).max(600_000).default(10_000),
    attempts: z.int().min(1).max(10).default(3),
    pauseMs: z.int().min(1).max(60_000).default(200),
    requests: z.int().min(1).max(1000).default(64),
  })
  .superRefine(({ allowHttp, address }, context) => {
    if (allowHttp || !isHttpUrl(address) || isConfidentialAddress(address)) return
    const message =
      'must be https, unless it is on this machine; "allowHttp: true" allows http, which exposes the token to the network'
    context.addIssue({ code: 'custom', path: ['address'], message })
  })
  .transform((options, context) => {
    const login = readLogin(options)
    if (typeof login !== 'string') return { ...options, login }
    context.addIssue({ code: 'custom', message: login })
    return z.NEVER
  })

export type ParsedOptions = z.output<typeof Options>

interface Credentials {
  token?: string | undefined
  roleId?: string | undefined
  secretId?: string | undefined
  appRoleMount: string
  kubernetesRole?: string | undefined
  kubernetesMount: string
  kubernetesTokenFile: string
}

/** AppRole before Kubernetes before a token. @returns the problem, if there is one */
function readLogin(options: Credentials): VaultLogin | string {
  const { token, roleId, secretId, kubernetesRole: role } = options
  if (roleId !== undefined && secretId !== undefined) {
    return { kind: 'approle', mount: options.appRoleMount, roleId, secretId }
  }
  if (roleId !== undefined || secretId !== undefined) return 'AppRole needs both roleId and secretId'
  if (role !== undefined) {
    return {
      kind: 'kubernetes',
      mount: options.kubernetesMount,
      role,
      tokenFile: options.kubernetesTokenFile,
    }
  }
  return token === undefined ? 'needs roleId and secretId, kubernetesRole or token' : { kind: 'token', token }
}

/** The configuration of an OpenBao or HashiCorp Vault with a transit engine in `agent.yml`. */
export interface VaultOptions {
  /** `https://vault.example:8200`; http only on this machine */
  address: string
  /** allows an http address of another machine, such as that of a sidecar; the token is then sent in clear */
  allowHttp?: boolean
  /** of Vault Enterprise or OpenBao; absent: the root namespace */
  namespace?: string | null
  /** the mount path of the transit engine; default `transit` */
  mount?: string
  /** a token of the key service; AppRole or Kubernetes replace it if they are given */
  token?: string | null
  /** of AppRole */
  roleId?: string | null
  secretId?: string | null
  appRoleMount?: string
  /** role of the Kubernetes auth method, with the token of the pod's service account */
  kubernetesRole?: string | null
  kubernetesMount?: string
  kubernetesTokenFile?: string
  /** what names of keys begin with; the account's id follows. Default `vidimus` */
  keyPrefix?: string
  /** whether keys that callers delete are deleted there; by default deleting is refused */
  allowDeletion?: boolean
  /** how long a response may take, in milliseconds; default 10,000 */
  timeoutMs?: number
  /** how often a request is sent that fails for want of a healthy server; default 3 */
  attempts?: number
  /** the pause before the second attempt, in milliseconds, doubled before each further one; default 200 */
  pauseMs?: number
  /** requests under way at a time; default 64 */
  requests?: number
}
