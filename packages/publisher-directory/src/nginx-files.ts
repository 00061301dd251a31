import { OWN_FOLDER } from './folder.js'

/** Included in `http { }`, in this order: sizes come before maps. */
export const MAPS = 'nginx-http-1.conf'
export const CACHE_MAP = 'nginx-http-2-cache.conf'
/** Included in `server { }`, behind `root`. */
export const LOCATIONS = 'nginx-server.conf'

/** Forms of lists as servers send them, the usual ones in the order in which they are looked for. */
const USUAL_FORMS = ['statuslist+jwt', 'vc+jwt', 'json']
const FORMS: Readonly<Record<string, string>> = {
  'statuslist+jwt': 'application/statuslist+jwt',
  'statuslist+cwt': 'application/statuslist+cwt',
  'vc+jwt': 'application/vc+jwt',
  vc: 'application/vc',
  'vc+ld+json': 'application/vc+ld+json',
  json: 'application/json',
  'did+ld+json': 'application/did+ld+json',
  'did-resolution': 'application/ld+json;profile="https://w3id.org/did-resolution"',
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** The file that matches what a client accepts, and how long it may be cached. */
export const mapsFile = (): string => `# Written by Vidimus, for "http { }" of nginx.

# Paths are long, and lists may be many.
map_hash_bucket_size 512;
map_hash_max_size 262144;

# The form of a list that a client asks for first; ".usual" is none that there is.
map $http_accept $vidimus_form {
  default ".usual";
  "~^application/statuslist\\+cwt" ".statuslist+cwt";
  "~^application/statuslist\\+jwt" ".statuslist+jwt";
  "~^application/vc\\+jwt" ".vc+jwt";
  "~^application/vc\\+ld\\+json" ".vc+ld+json";
  "~^application/vc(,|;|$)" ".vc";
}

# A DID document by itself, or the result of its resolution around it.
map $http_accept $vidimus_did_form {
  default ".did-resolution";
  "" ".did+ld+json";
  "~^application/did(\\+ld\\+json|\\+json)?(,|;|$)" ".did+ld+json";
}

# What a DID URL names: the list by its name and type, or a version by its id. A client may encode the DID URL as a whole.
map $uri$is_args$args $vidimus_did_url {
  default "";
  "~^(?<vidimus_did>/1\\.0/identifiers/did:cheqd:[^/?]+)\\?resourceName=(?<vidimus_name>[^&]+)&resourceType=(?<vidimus_type>[^&]+)$"
    "$vidimus_did?resourceName=$vidimus_name&resourceType=$vidimus_type";
  "~^(?<vidimus_did_2>/1\\.0/identifiers/did:cheqd:[^/?]+)\\?resourceType=(?<vidimus_type_2>[^&]+)&resourceName=(?<vidimus_name_2>[^&]+)$"
    "$vidimus_did_2?resourceName=$vidimus_name_2&resourceType=$vidimus_type_2";
  "~^(?<vidimus_did_3>/1\\.0/identifiers/did:cheqd:[^/?]+)/resources/(?<vidimus_id>[0-9a-f-]{36})$"
    "$vidimus_did_3.resources/$vidimus_id";
  "~^(?<vidimus_did_4>/1\\.0/identifiers/did:cheqd:[^/?]+(\\?transformKeys=JsonWebKey2020)?)$" "$vidimus_did_4";
  "~^(?<vidimus_lists>/status-lists/aggregation)\\?did=(?<vidimus_publisher>[^&]+)$"
    "$vidimus_lists?did=$vidimus_publisher";
}
`

/** The served locations, and their headers. */
export function locationsFile(
  headers: Readonly<Record<string, string>>,
  preflight: Readonly<Record<string, string>>,
): string {
  const added = Object.entries({ ...headers, 'cache-control': '$vidimus_cache' }).map(
    ([name, value]) => `add_header ${name} ${quoted(value)} always;`,
  )
  const asked = Object.entries(preflight).map(([name, value], n) => {
    const variable = `$vidimus_preflight_${n}`
    return { set: `  set ${variable} ${quoted(value)};`, add: `add_header ${name} ${variable};`, variable }
  })
  const types = Object.entries(FORMS).map(([form, type]) => `  ${quoted(type)} ${form};`)
  const usual = (path: string) => USUAL_FORMS.map((form) => `${path}.${form}`).join(' ')
  return `# Written by Vidimus, for "server { }" of nginx, behind "root" with the folder of the publication.

types {
${types.join('\n')}
}
default_type application/octet-stream;
gzip_static on;
# Every version has another time, or another length; the service's own tags are not known here.
etag on;
${added.join('\n')}

# What browsers ask before a request with headers of its own; an empty header is not sent.
${asked.map(({ variable }) => `set ${variable} "";`).join('\n')}
if ($request_method = OPTIONS) {
${asked.map(({ set }) => set).join('\n')}
  return 204;
}
${asked.map(({ add }) => add).join('\n')}

location ^~ /${OWN_FOLDER} { return 404; }

location ~ "^/status-lists/[A-Za-z0-9_-]{22}$" {
  try_files $uri$vidimus_form ${usual('$uri')} =404;
}

location = /status-lists/aggregation {
  set $vidimus_path $vidimus_did_url;
  if ($args) { rewrite ^ /vidimus-did-url last; }
  try_files $uri.json =404;
}

location ^~ /1.0/identifiers/ {
  set $vidimus_path $vidimus_did_url;
  rewrite ^ /vidimus-did-url last;
}

location = /vidimus-did-url {
  internal;
  try_files $vidimus_path$vidimus_did_form $vidimus_path$vidimus_form ${usual('$vidimus_path')} =404;
}

location ~ /did\\.json$ {
  default_type application/did+ld+json;
  types { }
  try_files $uri =404;
}
`
}

/** Paths as in nginx's \`$uri\`, with how long they may be cached. */
export const cacheMap = (
  paths: ReadonlyMap<string, string>,
): string => `# Written by Vidimus, for "http { }" of nginx.

# How long a copy may be used, by path; nginx must reload to know of others than these.
map $uri $vidimus_cache {
  default "public, no-cache";
  "~^/1\\.0/identifiers/[^/]+\\.resources/" "public, max-age=31536000, immutable";
${[...paths]
  .sort()
  .map(([path, value]) => `  ${quoted(path)} ${quoted(value)};\n`)
  .join('')}}
`

export function parseCacheMap(text: string): Map<string, string> {
  const lines = text.matchAll(/^ {2}"(\/(?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)";$/gm)
  const plain = (part = '') => part.replace(/\\(.)/g, '$1')
  return new Map([...lines].map(([, path, value]) => [plain(path), plain(value)]))
}
