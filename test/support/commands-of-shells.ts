import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commandElsewhere } from './refused-start.js'

/**
 * `vidimus` of a shell that asks at `$COMMANDS`: it hands over its folder, words and environment in files. What it reads from
 * its standard input is not handed over.
 */
export const VIDIMUS_FUNCTION = `vidimus() {
  local said
  said=$(mktemp -d "$HOME/said-XXXXXX")
  env -0 > "$said/environment"
  printf '%s\\0' "$PWD" "$@" > "$said/words"
  command curl -sS --unix-socket "$COMMANDS" -d "$said" http://vidimus/
  cat "$said/printed"
  cat "$said/complained" >&2
  return "$(cat "$said/code")"
}
`

/** Runs the commands of shells in one process, one after the other: loading the command line costs half a second each time. */
export async function commandsOfShells(socket: string): Promise<{ close: () => void }> {
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    last = last
      .then(async () => run(await text(request)))
      .then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  server.listen(socket)
  await once(server, 'listening')
  return { close: () => void server.close() }
}

async function run(said: string): Promise<void> {
  const partsOf = async (file: string) => (await readFile(join(said, file), 'utf8')).split('\0').slice(0, -1)
  const [cwd = '', ...args] = await partsOf('words')
  const variables = (await partsOf('environment')).map((line) => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1),
  ])
  const outcome = await commandElsewhere({
    args,
    cwd,
    environment: Object.fromEntries(variables) as Record<string, string>,
  })
  await Promise.all(
    (['printed', 'complained', 'code'] as const).map((part) =>
      writeFile(join(said, part), `${outcome[part]}`),
    ),
  )
}
