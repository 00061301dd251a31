import {
  AgentError,
  hasMethods,
  WORK_ACTIONS,
  WORK_KINDS,
  WORK_STATES,
  type OperatedWork,
  type WorkAction,
} from '@vidimus/core-types'
import type { WorkPlugin } from '@vidimus/work'
import { Command, Option } from 'commander'
import { harmlessJson } from '../harmless.js'
import { expectDatabase } from '../lost-database.js'
import { configurationOption, openConfiguration, withParts } from '../installation.js'
import { table } from '../table.js'

type Search = Omit<NonNullable<Parameters<WorkPlugin['methods']['operatorWorkList']>[0]>, 'limit' | 'after'>

interface Options extends Search {
  config: string
  json?: boolean
}

/** Items that are read together. */
const MOST_READ = 1000

const ACTS: Readonly<Record<WorkAction, string>> = {
  retry: 'try work that has failed again at once',
  pause: 'leave work undone until it is resumed',
  resume: 'do paused work',
  cancel: 'leave work undone for good',
}

/** `vidimus work list|retry|pause|resume|cancel`: what waits in the background, of all accounts. */
export function workCommand(): Command {
  const work = new Command('work').description('see what waits in the background, and change it')
  work
    .command('list')
    .description('list what waits, by kind, the earliest due first')
    .addOption(new Option('--kind <kind>', 'only of this kind').choices(WORK_KINDS))
    .addOption(new Option('--state <state>', 'only in this state').choices(WORK_STATES))
    .option('--account <name>', 'only of this account')
    .addOption(configurationOption())
    .option('--json', 'print JSON')
    .action(list)
  for (const action of WORK_ACTIONS) {
    work
      .command(action)
      .description(ACTS[action])
      .argument('<id>', 'of the work, as vidimus work list shows it')
      .addOption(configurationOption())
      .action((id: string, { config }: Options) => change(id, action, config))
  }
  return work
}

async function list({ config, json, ...search }: Options): Promise<void> {
  const items = await withWork(config, async ({ methods }) => {
    const found: OperatedWork[] = []
    for (let after: string | undefined; ;) {
      const page = await methods.operatorWorkList({ ...search, limit: MOST_READ, ...(after && { after }) })
      found.push(...page.items)
      after = page.next
      if (after === undefined) return found
    }
  })
  if (json) console.log(harmlessJson(items))
  else {
    const headings = ['KIND', 'STATE', 'DUE', 'ATTEMPTS', 'ACCOUNT', 'SUBJECT', 'FAILURE', 'CAN', 'ID']
    console.log(table(headings, items.map(cells)))
  }
}

const cells = ({ id, kind, state, dueAt, attempts, account, subject, failure, can }: OperatedWork) => [
  kind,
  state,
  state === 'paused' ? '' : dueAt,
  String(attempts),
  account ?? '',
  subject,
  failure ?? '',
  can.join(' '),
  id,
]

async function change(id: string, action: WorkAction, config: string): Promise<void> {
  const { item } = await withWork(config, ({ methods }) => methods.operatorWorkChange({ id, action }))
  console.log(item ? `${item.kind} of ${item.subject}: ${item.state}.` : 'Cancelled.')
}

/** Gives `work` what waits in an installation, whether its service runs or not. Nothing of it is done meanwhile. */
const withWork = <T>(file: string, work: (plugin: WorkPlugin) => Promise<T>): Promise<T> =>
  withParts(file, async ({ configuration, database }) => {
    await expectDatabase(configuration, () => openConfiguration(file))
    const plugin = configuration.objects.find(isWorkPlugin)
    if (!plugin)
      throw new AgentError('invalid_configuration', `the agent of ${file} has no WorkPlugin of @vidimus/work`)
    await configuration.start([database])
    return work(plugin)
  })

const isWorkPlugin = (value: unknown): value is WorkPlugin =>
  typeof value === 'object' &&
  value !== null &&
  'methods' in value &&
  hasMethods(value.methods, 'operatorWorkList', 'operatorWorkChange')
