import { charsetOfMark, charsetOfText } from './charset.js'
import { withoutLeadingSpace } from './media-type.js'

/** By the declaration at the beginning, if the ledger can read it: of XML 1.0 and UTF-8. */
export function charsetOfXml(content: Buffer): string {
  const declared = declaredInXml(withoutLeadingSpace(content))
  return declared === '' ? charsetOfText(content) : declared
}

function declaredInXml(content: Buffer): string {
  const end = content.indexOf('?>')
  const [, target, instruction] =
    /^<\?([a-z_][\w.-]*)[\t\n\r ]*(.*)$/is.exec(content.toString('latin1', 0, Math.max(end, 0))) ?? []
  if (target === undefined || instruction === undefined) return ''
  if (target === 'xml' && !isReadable(instruction)) return ''
  const [, value = ''] =
    /^(["'])(.*?)\1/s.exec(instruction.split('encoding=').slice(1).join('encoding='))?.slice(1) ?? []
  return value.toLowerCase()
}

/** In quotes; unquoted text is skipped. */
function instructionParameter(instruction: string, name: string): string {
  const [, , value = ''] = new RegExp(`${name}=(["'])(.*?)\\1`, 's').exec(instruction) ?? []
  return value
}

const isReadable = (instruction: string) =>
  ['', '1.0'].includes(instructionParameter(instruction, 'version')) &&
  ['', 'utf-8'].includes(instructionParameter(instruction, 'encoding').toLowerCase())

/** By a mark, by the first `meta` that names one, or by the bytes. */
export function charsetOfHtml(content: Buffer): string {
  const marked = charsetOfMark(content)
  if (marked !== '') return marked
  const declared = declaredInHtml(content.toString('latin1'))
  return declared === '' ? charsetOfText(content) : declared
}

/** Elements whose content is text up to their end, whatever it looks like. */
const RAW_TEXT = [
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]
const TOKEN = /<!--|<[!?]|<\/?([a-z][^\s/>]*)/gi
const ATTRIBUTE =
  /[\s/]*([^\s/>=]?[^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*|(?=[\s>]))))?/gy

/** The text before a value whose quote is not closed. */
const OPEN_QUOTE = /\s*=/y

function declaredInHtml(text: string): string {
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(text); token; token = TOKEN.exec(text)) {
    const [found, name = ''] = token
    if (found === '<!--') TOKEN.lastIndex = behind(text, '-->', TOKEN.lastIndex)
    else if (name === '') TOKEN.lastIndex = behind(text, '>', TOKEN.lastIndex)
    else {
      const tag = readAttributes(text, TOKEN.lastIndex)
      if (!tag) return ''
      TOKEN.lastIndex = tag.end
      if (found.startsWith('</')) continue
      const charset = lowered(name) === 'meta' ? charsetOfMeta(tag.attributes) : undefined
      if (charset !== undefined) return charset
      if (RAW_TEXT.includes(lowered(name))) TOKEN.lastIndex = endOfRawText(text, name, tag.end)
    }
  }
  return ''
}

function behind(text: string, mark: string, start: number): number {
  const place = text.indexOf(mark, start)
  return place < 0 ? text.length : place + mark.length
}

function endOfRawText(text: string, name: string, start: number): number {
  const end = new RegExp(`</${name}[\\s/>]`, 'gi')
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

/** `undefined` if the tag or a quote in it is never closed. */
function readAttributes(
  text: string,
  start: number,
): { attributes: Map<string, string>; end: number } | undefined {
  const attributes = new Map<string, string>()
  let place = start
  for (;;) {
    ATTRIBUTE.lastIndex = place
    const [all = '', name = '', double, single, bare] = ATTRIBUTE.exec(text) ?? []
    remember(attributes, name, double ?? single ?? bare)
    place += all.length
    if (text[place] === '>') return { attributes, end: place + 1 }
    OPEN_QUOTE.lastIndex = place
    if (all === '' || OPEN_QUOTE.test(text)) return undefined
  }
}

/** The first of several with one name counts. */
function remember(attributes: Map<string, string>, name: string, value = ''): void {
  const key = lowered(name)
  if (key !== '' && !attributes.has(key)) attributes.set(key, lowered(value))
}

/** Only ASCII letters. */
const lowered = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** `undefined` if it names none. */
function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const isPragma = attributes.get('http-equiv') === 'content-type'
  let charset: string | undefined
  for (const [name, value] of attributes) {
    if (name === 'charset') charset = value
    const inContent = name === 'content' && isPragma ? charsetOfContent(value) : ''
    if (inContent !== '') charset = inContent
  }
  return charset?.startsWith('utf-16') ? 'utf-8' : charset
}

/** "Algorithm for extracting a character encoding from a meta element" of HTML. */
function charsetOfContent(content: string): string {
  const [, double, single, bare] =
    /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^;\t\n\f\r "'][^;\t\n\f\r ]*))/.exec(content) ??
    []
  return double ?? single ?? bare ?? ''
}
