import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { CONFIGURED_OBJECTS, type ConfiguredObject } from './configured-objects.js'
import { DescribedSources, type DescribedOption } from './described-options.js'
import { code, table } from './markdown.js'
import { optionFacts } from './option-schema.js'

const root = resolve(import.meta.dirname, '../..')

/** Of tests, not of installations. */
const NOT_OF_INSTALLATIONS = ['clock', 'now', 'checks']

/** `docs/reference/configuration.md`: every option of every object, from its schema and its description. */
export async function configurationPage(): Promise<string> {
  const files = CONFIGURED_OBJECTS.flatMap(({ folder, file, optionsFile }) =>
    [file, optionsFile].map((name) => `${folder}/${name}.ts`),
  )
  const sources = new DescribedSources([...new Set(files)])
  const sections = await Promise.all(CONFIGURED_OBJECTS.map((object) => section(object, sources)))
  return [
    '# Configuration',
    'What the objects that [agent.yml](../../agent.yml) names can be told. The file itself shows them in place, with comments; a mistake in it ends the start with its line, and `npx vidimus plugins` tells of all of them. What differs between machines comes from [environment variables](../settings.md).',
    'Whole numbers and flags of the server may be text, as environment variables are. A type such as `Database` is a reference to another object: `{ $ref: /database }`.',
    ...sections,
  ].join('\n\n')
}

async function section(object: ConfiguredObject, sources: DescribedSources): Promise<string> {
  const { reference, argument, folder, file, optionsFile, interfaceName } = object
  const name = reference.split('#')[1] ?? ''
  const { Options: schema } = (await import(join(root, folder, `${optionsFile}.ts`))) as {
    Options: z.core.$ZodType
  }
  const options = sources.optionsOf(`${folder}/${optionsFile}.ts`, interfaceName)
  const rows = optionRows(options, optionFacts(schema).members ?? {}, '')
  return [
    `## ${name}`,
    `${code(reference)}, ${PLACES[argument] ?? ''} of \`$args\`. ${sources.summaryOf(`${folder}/${file}.ts`, name)}`,
    rows.length === 0
      ? 'It has no options for installations.'
      : table(['option', 'value', 'default', 'meaning'], rows),
  ].join('\n\n')
}

const PLACES = ['the first', 'the second', 'the third']

function optionRows(
  options: readonly DescribedOption[],
  members: Record<string, z.core.$ZodType>,
  prefix: string,
): string[][] {
  return options
    .filter(({ name }) => !NOT_OF_INSTALLATIONS.includes(name))
    .flatMap((option) => {
      const schema = members[option.name]
      const facts = schema && optionFacts(schema)
      const path = `${prefix}${option.name}`
      const below = optionRows(option.members, facts?.members ?? {}, `${path}.`)
      // An object of which every member is shown says nothing by its own row, unless it is described.
      if (below.length > 0 && facts?.members && option.meaning === '') return below
      const told = facts?.values ?? ''
      const values = below.length > 0 ? 'object' : told === '' ? code(option.type) : told
      return [
        [
          code(path),
          values,
          facts?.needed ? '_needed_' : (facts?.standard ?? ''),
          withoutDefault(option.meaning, facts?.standard ?? ''),
        ],
        ...below,
      ]
    })
}

/** What has a column of its own is not said twice. */
const withoutDefault = (meaning: string, standard: string): string =>
  standard === '' ? meaning : meaning.replace(/(^|[;,.] )default:? [^;.]*\.?$/i, '')

/** Every object of ours that `agent.yml` names, commented ones included. */
export async function namedObjects(): Promise<string[]> {
  const text = await readFile(join(root, 'agent.yml'), 'utf8')
  return [...new Set([...text.matchAll(/\$require: '(@vidimus\/[^']+)'/g)].map(([, name = '']) => name))]
}
