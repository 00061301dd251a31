/** A line of a chart: what is measured at each length. */
export interface Series {
  name: string
  colour: string
  dashed: boolean
  points: { x: number; y: number }[]
}

const WIDTH = 760
const HEIGHT = 420
const FRAME = { left: 70, right: 230, top: 40, bottom: 50 }
const FONT = 'font-family="system-ui, sans-serif" font-size="12" fill="#333"'

/** Where values stand between two ends, and the values that are written beside them. */
interface Axis {
  at: (value: number) => number
  marks: number[]
}
type Scale = (values: readonly number[], from: number, to: number) => Axis

interface Names {
  title: string
  x: string
  y: string
}

/** Draws series over two logarithmic axes, as SVG; each x that occurs is marked. */
export function growthChart(names: Names, series: readonly Series[]): string {
  const marked: Scale = (values, from, to) => ({
    ...logarithmic(values, from, to),
    marks: [...new Set(values)],
  })
  return chart(names, series, { x: marked, y: logarithmic })
}

/** Draws series over two axes that begin with 0, as SVG. */
export function courseChart(names: Names, series: readonly Series[]): string {
  return chart(names, series, { x: linear, y: linear })
}

function chart(names: Names, series: readonly Series[], scales: { x: Scale; y: Scale }): string {
  const all = series.flatMap(({ points }) => points)
  const x = scales.x(
    all.map((point) => point.x),
    FRAME.left,
    WIDTH - FRAME.right,
  )
  const y = scales.y(
    all.map((point) => point.y),
    HEIGHT - FRAME.bottom,
    FRAME.top,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${names.title}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${FRAME.left}" y="22" ${FONT} font-weight="bold">${names.title}</text>`,
    ...y.marks.flatMap((mark) => [
      `<line x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${y.at(mark)}" y2="${y.at(mark)}" stroke="#ddd"/>`,
      `<text x="${FRAME.left - 8}" y="${y.at(mark) + 4}" text-anchor="end" ${FONT}>${mark.toLocaleString('en')}</text>`,
    ]),
    ...x.marks.map(
      (mark) =>
        `<text x="${x.at(mark)}" y="${HEIGHT - FRAME.bottom + 20}" text-anchor="middle" ${FONT}>${mark.toLocaleString('en')}</text>`,
    ),
    `<text x="${(FRAME.left + WIDTH - FRAME.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle" ${FONT}>${names.x}</text>`,
    `<text transform="translate(16 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle" ${FONT}>${names.y}</text>`,
    ...series.flatMap((line, n) => drawn(line, n, x.at, y.at)),
    '</svg>',
    '',
  ].join('\n')
}

function drawn(
  { name, colour, dashed, points }: Series,
  n: number,
  x: (value: number) => number,
  y: (value: number) => number,
): string[] {
  const style = `fill="none" stroke="${colour}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}`
  const left = WIDTH - FRAME.right + 20
  const top = FRAME.top + 10 + n * 22
  return [
    `<polyline points="${points.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}" ${style}/>`,
    ...(points.length > 20 ? [] : points).map(
      (point) => `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3" fill="${colour}"/>`,
    ),
    `<line x1="${left}" x2="${left + 28}" y1="${top}" y2="${top}" ${style}/>`,
    `<text x="${left + 36}" y="${top + 4}" ${FONT}>${name}</text>`,
  ]
}

/** An axis from the power of ten below the least value to the one above the greatest. */
function logarithmic(values: readonly number[], from: number, to: number): Axis {
  const least = Math.floor(Math.log10(Math.min(...values)))
  const most = Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))
  const at = (value: number) => round(from + ((Math.log10(value) - least) / (most - least)) * (to - from))
  return { at, marks: Array.from({ length: most - least + 1 }, (_, n) => 10 ** (least + n)) }
}

/** An axis from 0 to the round number above the greatest value. */
function linear(values: readonly number[], from: number, to: number): Axis {
  const greatest = Math.max(...values, 1)
  const step = [1, 2, 5, 10]
    .map((n) => n * 10 ** Math.floor(Math.log10(greatest / 2)))
    .find((one) => greatest / one <= 6)
  const every = step ?? greatest
  // a minute more than an hour is no reason for twenty
  const most = Math.ceil(greatest / every - 0.05)
  const at = (value: number) => round(from + (value / (most * every)) * (to - from))
  return { at, marks: Array.from({ length: most + 1 }, (_, n) => n * every) }
}

const round = (place: number) => Math.round(place * 10) / 10
