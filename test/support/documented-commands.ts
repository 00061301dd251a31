/** What a page tells its reader to type, and what it says about that. */
export interface DocumentedCommands {
  page: string
  line: number
  code: string
  /** why no test runs it: `<!-- not run: reason -->` before the block */
  notRun?: string
  /** statuses beyond 2xx and 3xx that it is meant to get: `<!-- answers: 410 -->` before the block */
  answers: readonly string[]
  /** what the block after it shows, where nothing stands in between */
  output?: { language: 'json' | 'text'; text: string; line: number }
}

const FENCE = /^( *)```(\w*)\n([^]*?)^\1```$/gm
const MARK = /<!-- (not run|answers): ([^>]*?) -->\s*$/

/** The `sh` blocks of a page, in its order. */
export function documentedCommands(page: string, markdown: string): DocumentedCommands[] {
  const found: DocumentedCommands[] = []
  let end = 0
  for (const block of markdown.matchAll(FENCE)) {
    const [whole, indent = '', language = '', content = ''] = block
    const between = markdown.slice(end, block.index)
    const line = markdown.slice(0, block.index).split('\n').length
    const text = content.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    end = block.index + whole.length
    const last = found.at(-1)
    if (language === 'sh') {
      const [, mark, meaning = ''] = MARK.exec(between) ?? []
      found.push({
        page,
        line,
        code: text,
        answers: mark === 'answers' ? meaning.split(', ') : [],
        ...(mark === 'not run' && { notRun: meaning }),
      })
    } else if (last && between.trim() === '' && (language === 'json' || language === 'text')) {
      last.output = { language, text, line }
    }
  }
  return found
}

/** What differs from one run to the next, put in the place of itself. */
const VOLATILE: readonly [RegExp, string][] = [
  [/\bvidimus_(\w+|\.\.\.)/g, '<API key>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<uuid>'],
  [/\bz[1-9A-HJ-NP-Za-km-z]{40,}/g, '<key>'],
  [/[\w-]{20,}(\.[\w-]{20,}){0,2}/g, '<long>'],
  [/\d+/g, '<n>'],
]

const steady = (text: string): string =>
  VOLATILE.reduce((rest, [what, name]) => rest.replaceAll(what, name), text)

/**
 * Where what was printed has another shape than what a page shows: ids, keys, times and numbers may differ. `...` in a
 * text stands for anything, also for lines; a member `"..."` of an object or element of a list for further ones.
 *
 * @returns one sentence for each difference
 */
export function differencesOf(
  { language, text }: NonNullable<DocumentedCommands['output']>,
  printed: string,
): string[] {
  if (language === 'json') return differences(JSON.parse(text), parsed(printed), '')
  const fits = new RegExp(`^${patternOf(text.trim())}$`).test(steady(normalised(printed.trim())))
  return fits ? [] : [`it printed:\n${printed}`]
}

const normalised = (text: string): string => text.replaceAll(/[ \t]+/g, ' ')

const patternOf = (text: string): string =>
  normalised(text)
    .split('...')
    .map((part) => escaped(steady(part)))
    .join('[^]*')

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function differences(shown: unknown, actual: unknown, path: string): string[] {
  if (typeof shown === 'string' && typeof actual === 'string') {
    const fits = new RegExp(`^${patternOf(shown)}$`).test(steady(normalised(actual)))
    return fits ? [] : [`${path}: "${actual}" in place of "${shown}"`]
  }
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const elements: unknown[] = shown.filter((each) => each !== '...')
    const fits =
      elements.length < shown.length ? elements.length <= actual.length : elements.length === actual.length
    return fits
      ? elements.flatMap((each, place) => differences(each, actual[place], `${path}[${place}]`))
      : [`${path}: ${actual.length} elements in place of ${elements.length}`]
  }
  if (isRecord(shown) && isRecord(actual)) {
    const names = Object.keys(shown).filter((name) => name !== '...')
    return [
      ...names.flatMap((name) => differences(shown[name], actual[name], `${path}.${name}`)),
      ...('...' in shown ? [] : Object.keys(actual).filter((name) => !names.includes(name))).map(
        (name) => `${path}.${name} is not shown`,
      ),
    ]
  }
  if (typeof shown === 'number' && typeof actual === 'number') return []
  return Object.is(shown, actual)
    ? []
    : [`${path}: ${JSON.stringify(actual)} in place of ${JSON.stringify(shown)}`]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
