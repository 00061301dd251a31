import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { TYP_TABLE } from '@vidimus/credentials'
import { format, resolveConfig } from 'prettier'
import { boundsPage } from './bounds.js'
import { commandsPage } from './commands.js'
import { configurationPage } from './configuration.js'
import { errorTable } from './errors.js'
import { code, table } from './markdown.js'
import { operationsPage } from './operations.js'

const root = resolve(import.meta.dirname, '../..')
const ORIGIN = '<!-- written by `npm run docs` from the sources: change those -->'

/** The pages that are made of the sources, by their paths, as they must be now. */
export async function referencePages(): Promise<Record<string, string>> {
  const pages = {
    'docs/reference/operations.md': whole(operationsPage()),
    'docs/reference/configuration.md': whole(await configurationPage()),
    'docs/reference/bounds.md': whole(boundsPage()),
    'docs/reference/commands.md': whole(commandsPage()),
    'docs/errors.md': await within('docs/errors.md', errorTable()),
    'docs/credentials.md': await within('docs/credentials.md', typTable()),
  }
  const formatted = Object.entries(pages).map(async ([path, text]) => {
    const settings = await resolveConfig(join(root, path))
    return [path, await format(text, { ...settings, parser: 'markdown' })] as const
  })
  return Object.fromEntries(await Promise.all(formatted))
}

const typTable = (): string =>
  table(
    ['form', '`typ` of its JWT'],
    Object.entries(TYP_TABLE).map(([form, types]) => [
      code(form),
      types.map((one) => (one === undefined ? 'none' : code(one))).join(', '),
    ]),
  )

const whole = (text: string): string => `${ORIGIN}\n\n${text}\n`

/** In the place of what stands between the two marks of a page. */
async function within(path: string, part: string): Promise<string> {
  const page = await readFile(join(root, path), 'utf8')
  const changed = page.replace(
    /<!-- written by[^]*<!-- \/written -->/,
    () => `${ORIGIN}\n\n${part}\n\n<!-- /written -->`,
  )
  if (!changed.includes(part)) throw new Error(`${path} has no place for what is written by npm run docs`)
  return changed
}
