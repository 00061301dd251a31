import { cpus, totalmem } from 'node:os'
import type { Disturbed } from './beside-writers.js'
import { growthChart } from './chart.js'
import type { LengthFigures } from './list-lengths.js'
import type { Yardstick } from './load/bare-yardstick.js'
import type { Figure } from './measure.js'
import type { MemoryAt } from './memory-course.js'

export const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
const whole = (value: number) => Math.round(value).toLocaleString('en')

export const machine = () =>
  `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${megabytes(totalmem())} of memory`

export function figuresTable(figures: readonly Figure[]): string[] {
  const peers = [...new Set(figures.flatMap((figure) => figure.peers.map(({ name }) => name)))]
  const bare = ({ bare: of }: Figure, kind: Yardstick) => {
    const found = of[kind]
    return found ? `${found.ratio.toFixed(2)} of ${whole(found.perSecond)}` : ''
  }
  const peer = (figure: Figure, wanted: string) => {
    const found = figure.peers.find(({ name }) => name === wanted)
    return found ? `${found.ratio.toFixed(2)} of ${whole(found.perSecond)}` : ''
  }
  return [
    tableRow([
      'operation',
      'connections',
      'per second',
      'p50 ms',
      'p99 ms',
      'processor, ms each',
      'bare Express',
      'bare `node:http`',
      'bare durable',
      ...peers,
    ]),
    tableRow(['---', ...Array.from({ length: 8 + peers.length }, () => '--:')]),
    ...figures.map((figure) =>
      tableRow([
        figure.name,
        figure.connections,
        whole(figure.perSecond),
        figure.p50.toFixed(1),
        figure.p99.toFixed(1),
        figure.serviceMs.toFixed(2),
        bare(figure, 'express'),
        bare(figure, 'http'),
        bare(figure, 'durable'),
        ...peers.map((name) => peer(figure, name)),
      ]),
    ),
    '',
  ]
}

export const writersTable = (disturbed: readonly Disturbed[]): string[] => [
  'Checks, alone and beside four clients that write as fast as they can:',
  '',
  tableRow(['connections', 'the four', 'alone, per second', 'beside them', 'ratio', 'writes per second']),
  tableRow(['--:', '---', '--:', '--:', '--:', '--:']),
  ...disturbed.map(({ connections, writing, alone, beside, ratio, writes }) =>
    tableRow([connections, writing, whole(alone), whole(beside), ratio.toFixed(2), whole(writes)]),
  ),
  '',
]

export const lengthsTable = (lengths: readonly LengthFigures[]): string[] => [
  'Lists of different lengths; updates at 64 connections, together and as a version each:',
  '',
  tableRow([
    'entries',
    'bits each',
    'checks per second',
    'updates per second',
    'a version each, per second',
    'together / each',
  ]),
  tableRow(['--:', '--:', '--:', '--:', '--:', '--:']),
  ...lengths.map((figure) =>
    tableRow([
      whole(figure.length),
      figure.statusSize,
      whole(figure.checksPerSecond),
      whole(figure.updatesPerSecond),
      figure.versionEachPerSecond.toFixed(figure.versionEachPerSecond < 10 ? 1 : 0),
      (figure.updatesPerSecond / figure.versionEachPerSecond).toFixed(1),
    ]),
  ),
  '',
  '![Requests per second over the length of the list](performance-lengths.svg)',
  '',
]

export const memoryTable = (course: readonly MemoryAt[]): string[] => [
  'Resident memory, beside requests of all of these kinds in turn:',
  '',
  tableRow(course.map(({ when }) => when)),
  tableRow(course.map(() => '--:')),
  tableRow(course.map(({ bytes }) => megabytes(bytes))),
  '',
]

export function lengthsChart(lengths: readonly LengthFigures[]): string {
  const lines = [
    { name: 'check', colour: '#1b7837', of: (figure: LengthFigures) => figure.checksPerSecond },
    { name: 'update', colour: '#2166ac', of: (figure: LengthFigures) => figure.updatesPerSecond },
    { name: 'a version each', colour: '#b2182b', of: (figure: LengthFigures) => figure.versionEachPerSecond },
  ]
  return growthChart(
    { title: 'Requests per second over the length of the list', x: 'entries', y: 'per second' },
    lines.flatMap(({ name, colour, of }) =>
      [1, 2].map((size) => ({
        name: `${name}, ${size === 1 ? '1 bit' : '2 bits'}`,
        colour,
        dashed: size === 2,
        points: lengths
          .filter(({ statusSize }) => statusSize === size)
          .map((figure) => ({ x: figure.length, y: of(figure) })),
      })),
    ),
  )
}
