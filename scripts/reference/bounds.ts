import { BOUND_TABLE, PAGES } from '@vidimus/core-types'
import { code, grouped, table } from './markdown.js'

/** The page of what no configuration changes. */
export const boundsPage = (): string =>
  [
    '# Bounds',
    '',
    'The same through every door: the REST API, the methods of other agents, the registrar, imports. What is over one is a 400',
    'that names the field. What an earlier version has stored stays as it is: it can be read, exported, deleted, and changed',
    'as long as it does not grow over its bound any further. Limits that an operator chooses are in',
    '[configuration](configuration.md).',
    '',
    table(
      ['bound', 'at most', 'of what'],
      Object.entries(BOUND_TABLE).map(([name, { most, unit, of }]) => [
        code(name),
        `${grouped(most)} ${unit}`.trim(),
        of,
      ]),
    ),
    '',
    `A page of a listing has at most ${grouped(PAGES.most)} entries and ${grouped(PAGES.bytes)} bytes, and \`page\` reaches ${grouped(PAGES.deepestRow)} entries deep; \`after\` goes on from there.`,
  ].join('\n')
