import { relative, resolve } from 'node:path'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { nameProblem, packageName, writePlugin, type PluginKind } from '../plugin-template.js'
import { shellWord } from '../shell-word.js'

/** `vidimus plugin new list-type|did-method|credential-format`: a package of one's own that passes its own tests. */
export function pluginCommand(): Command {
  const plugin = new Command('plugin').description('create plugin packages')
  const create = plugin.command('new').description('create a package with passing tests')
  create.addCommand(newCommand('list-type', 'create a package for a status list type, such as my-list'))
  create.addCommand(newCommand('did-method', 'create a package for a DID method, such as acme for did:acme'))
  create.addCommand(
    newCommand('credential-format', 'create a package for a credential format, such as my-format'),
  )
  return plugin
}

const newCommand = (kind: PluginKind, description: string): Command =>
  new Command(kind)
    .description(description)
    .addArgument(new Argument('<name>').argParser((name) => checkedName(kind, name)))
    .option('-d, --directory <path>', 'folder to create; default: the name of the package')
    .action((name: string, options: { directory?: string }) => write(kind, name, options.directory))

function checkedName(kind: PluginKind, name: string): string {
  const problem = nameProblem(kind, name)
  if (problem !== undefined) throw new InvalidArgumentError(problem)
  return name
}

async function write(kind: PluginKind, name: string, wanted = packageName(kind, name)): Promise<void> {
  const directory = resolve(wanted)
  const files = await writePlugin(kind, name, directory)
  const shown = relative(process.cwd(), directory) || '.'
  console.log(`${packageName(kind, name)}, in ${shown}:\n`)
  for (const file of files) console.log(`    ${file}`)
  console.log(`\nNext:\n\n    cd ${shellWord(shown)}\n    npm install\n    npm test\n`)
  console.log('README.md has the lines for agent.yml.')
}
