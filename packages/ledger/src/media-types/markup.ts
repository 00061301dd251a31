import { any, mediaType, standsAt, withoutLeadingSpace, type MediaType, type Test } from './media-type.js'

/** Letters in any case, with something after them. */
export const startsInAnyCase = (...texts: string[]): Test => {
  return function startsSo(content) {
    return texts.some((text) => {
      const start = content.toString('latin1', 0, text.length)
      return content.length > text.length && start.toUpperCase() === text && isAscii(start)
    })
  }
}

/** Two non-ASCII letters have upper-case forms in it. */
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** One of these tags first, and a blank or a bracket behind it. */
const tag = (...names: string[]): Test => {
  return function beginsWithTag(content) {
    const hasMark = content.toString('latin1', 0, 3) === '\xef\xbb\xbf'
    const text = withoutLeadingSpace(hasMark ? content.subarray(3) : content)
    return names.some((name) => {
      const behind = text[name.length]
      return (behind === 0x20 || behind === 0x3e) && startsInAnyCase(name)(text)
    })
  }
}

const HTML_TAGS = [
  ...['<!DOCTYPE HTML', '<HTML', '<HEAD', '<SCRIPT', '<IFRAME', '<H1', '<DIV', '<FONT', '<TABLE'],
  ...['<A', '<STYLE', '<TITLE', '<B', '<BODY', '<BR', '<P'],
]

/** As far as a vocabulary of XML is looked for. */
const XML_START = 512

const markupStart = (content: Buffer) => withoutLeadingSpace(content).subarray(0, XML_START)

/** An element, and behind its name one of these texts. */
const vocabulary = (element: string, ...namespaces: string[]): Test => {
  return function usesVocabulary(content) {
    const start = markupStart(content)
    const place = start.indexOf(`<${element}`)
    return place >= 0 && namespaces.some((namespace) => place < start.indexOf(namespace))
  }
}

/** One of these texts, not at the very beginning. */
const mentions = (...texts: string[]): Test => {
  return function mentionsOne(content) {
    return texts.some((text) => markupStart(content).indexOf(text) > 0)
  }
}

const xmlns = (uri: string, prefix = '') => `xmlns${prefix}="${uri}"`

export const HTML = mediaType('text/html', tag(...HTML_TAGS))
export const SVG = mediaType('image/svg+xml', (content) => content.includes('<svg'))

export const XML = mediaType(
  'text/xml',
  tag('<?XML'),
  mediaType('application/rss+xml', mentions('<rss')),
  mediaType('application/atom+xml', vocabulary('feed', xmlns('http://www.w3.org/2005/Atom'))),
  mediaType('model/x3d+xml', vocabulary('X3D', xmlns('http://www.w3.org/2001/XMLSchema-instance', ':xsd'))),
  mediaType(
    'application/vnd.google-earth.kml+xml',
    vocabulary(
      'kml',
      xmlns('http://www.opengis.net/kml/2.2'),
      ...['2.0', '2.1', '2.2'].map((version) => xmlns(`http://earth.google.com/kml/${version}`)),
    ),
  ),
  mediaType('application/x-xliff+xml', vocabulary('xliff', xmlns('urn:oasis:names:tc:xliff:document:1.2'))),
  mediaType(
    'model/vnd.collada+xml',
    vocabulary('COLLADA', xmlns('http://www.collada.org/2005/11/COLLADASchema')),
  ),
  mediaType(
    'application/gml+xml',
    mentions(
      ...['', '/3.2', '/3.3/exr'].map((version) => xmlns(`http://www.opengis.net/gml${version}`, ':gml')),
    ),
  ),
  mediaType('application/gpx+xml', vocabulary('gpx', xmlns('http://www.topografix.com/GPX/1/1'))),
  mediaType(
    'application/vnd.garmin.tcx+xml',
    vocabulary('TrainingCenterDatabase', xmlns('http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2')),
  ),
  mediaType('application/x-amf', mentions('<amf')),
  mediaType(
    'application/vnd.ms-package.3dmanufacturing-3dmodel+xml',
    vocabulary('model', xmlns('http://schemas.microsoft.com/3dmanufacturing/core/2015/02')),
  ),
  mediaType('application/vnd.adobe.xfdf', vocabulary('xfdf', xmlns('http://ns.adobe.com/xfdf/'))),
  mediaType('application/owl+xml', vocabulary('Ontology', xmlns('http://www.w3.org/2002/07/owl#'))),
)

const SHEBANG = Buffer.from('#!')

/** The first line of a script names what runs it. */
const runBy = (...programs: string[]): Test => {
  return function isRunByOne(content) {
    // before the line is read: many contents are one long line
    if (!standsAt(content, 0, SHEBANG)) return false
    const end = content.indexOf(0x0a)
    const line = content.toString('latin1', SHEBANG.length, end < 0 ? undefined : end)
    return programs.includes(trimmed(line))
  }
}

const trimmed = (text: string) => text.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '')

const inEither = (program: string) => [
  `/usr/bin/${program}`,
  `/usr/local/bin/${program}`,
  `/usr/bin/env ${program}`,
]

export const SCRIPTS: readonly MediaType[] = [
  mediaType('text/x-php', any(startsInAnyCase('<?PHP', '<?\n', '<?\r', '<? '), runBy(...inEither('php')))),
  mediaType(
    'text/javascript',
    runBy(
      ...['node', 'nodejs'].flatMap((program) => [
        `/bin/${program}`,
        `/usr/bin/${program}`,
        `/usr/bin/env ${program}`,
      ]),
    ),
  ),
  mediaType('text/x-lua', runBy(...inEither('lua'))),
  mediaType('text/x-perl', runBy('/usr/bin/perl', '/usr/bin/env perl')),
  mediaType('text/x-python', runBy(...inEither('python'))),
]

export const TCL = mediaType('text/x-tcl', runBy(...['tcl', 'tclsh', 'wish'].flatMap(inEither)))
