import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { buildContext } from '../../test/support/build-context.js'
import {
  execForm,
  pairs,
  parseDockerfile,
  type Instruction,
  type Stage,
} from '../../test/support/dockerfile.js'

/** What the last stage says of itself, and where it lies. */
export interface Image {
  /** the mounted root of the last stage */
  root: string
  environment: Record<string, string>
  workingDirectory: string
  user: string
  volumes: readonly string[]
  entryPoint: readonly string[]
  command: readonly string[]
  healthCheck: readonly string[]
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Carries out the Dockerfile of a repository, stage by stage.
 *
 * @param folder - empty; keeps what the stages change
 * @param node - the folder of another Node.js for all stages
 * @param args - build arguments, in place of their defaults
 * @returns the last stage
 */
export function buildStages(
  repository: string,
  folder: string,
  node?: string,
  args: Readonly<Record<string, string>> = {},
): Image {
  const context = join(folder, 'context')
  for (const file of buildContext(repository)) {
    mkdirSync(dirname(join(context, file)), { recursive: true })
    cpSync(join(repository, file), join(context, file))
  }
  const version = spawnSync(
    node === undefined ? process.execPath : resolve(node, 'bin/node'),
    ['--version'],
    {
      encoding: 'utf8',
    },
  )
  console.log(`Node.js ${version.stdout.trim()}`)
  const { stages } = parseDockerfile(readFileSync(join(repository, 'deploy/Dockerfile'), 'utf8'))
  const built = new Map<string, string>()
  let last: StageBuild | undefined
  for (const [n, stage] of stages.entries()) {
    const name = stage.name ?? `stage-${n}`
    console.log(`\n${stage.base}, in its place the root of this machine: ${name}`)
    const root = mountRoot(join(folder, name))
    placeNode(root, node)
    last = new StageBuild(root, context, built, args)
    last.run(stage)
    built.set(name, root)
  }
  if (!last) throw new Error('the Dockerfile has no stage')
  return last.image()
}

/** A copy-on-write view of the root of this machine. */
function mountRoot(folder: string): string {
  const [upper, work, root] = [join(folder, 'upper'), join(folder, 'work'), join(folder, 'root')]
  for (const path of [upper, work, root]) mkdirSync(path, { recursive: true })
  const layers = `lowerdir=/,upperdir=${upper},workdir=${work}`
  command('mount', ['-t', 'overlay', 'overlay', '-o', layers, root])
  command('mount', ['--rbind', '/dev', join(root, 'dev')])
  command('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
  return root
}

/** Where the base image has it: below /usr/local. */
function placeNode(root: string, node: string | undefined): void {
  const present = dirname(dirname(process.execPath))
  for (const path of ['bin/node', 'include/node']) {
    const place = join(root, 'usr/local', path)
    if (node !== undefined) {
      cpSync(resolve(node, path), place, { recursive: true })
    } else if (!existsSync(place)) {
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(join(present, path), place)
    }
  }
}

class StageBuild {
  private workingDirectory = '/'
  private user = '0:0'
  private readonly environment: Record<string, string> = {}
  private readonly volumes: string[] = []
  private readonly commands: Record<string, readonly string[]> = {}
  /** build arguments that the stage knows, for its commands alone */
  private readonly known: Record<string, string> = {}

  constructor(
    private readonly root: string,
    private readonly context: string,
    private readonly stages: ReadonlyMap<string, string>,
    private readonly args: Readonly<Record<string, string>>,
  ) {}

  run({ instructions }: Stage): void {
    for (const instruction of instructions) this.carryOut(instruction)
  }

  image(): Image {
    const { root, environment, workingDirectory, user, volumes, commands } = this
    const [entryPoint = [], command = [], healthCheck = []] = ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map(
      (keyword) => commands[keyword],
    )
    return { root, environment, workingDirectory, user, volumes, entryPoint, command, healthCheck }
  }

  private carryOut(instruction: Instruction): void {
    const { keyword, text } = instruction
    if (keyword === 'RUN') this.shell(text)
    else if (keyword === 'COPY') this.copy(instruction)
    else if (keyword === 'ARG') this.learn(text)
    else if (keyword === 'ENV') Object.assign(this.environment, Object.fromEntries(pairs(text)))
    else if (keyword === 'WORKDIR') this.enter(text)
    else if (keyword === 'USER') this.user = text
    else if (keyword === 'VOLUME') this.volumes.push(...(execForm(text) ?? [text]))
    else this.commands[keyword] = execForm(text.replace(/^CMD\s+/, '')) ?? []
  }

  private learn(text: string): void {
    const [name = '', ...value] = text.split('=')
    this.known[name] = this.args[name] ?? value.join('=')
  }

  private enter(path: string): void {
    this.workingDirectory = posix.resolve(this.workingDirectory, path)
    if (existsSync(this.workingDirectory)) {
      throw new Error(`this machine has ${this.workingDirectory} itself, which would come into the image`)
    }
    mkdirSync(join(this.root, this.workingDirectory), { recursive: true })
  }

  private copy({ flags, text }: Instruction): void {
    const from = flags.from === undefined ? this.context : this.stages.get(flags.from)
    if (from === undefined) throw new Error(`there is no stage ${flags.from}`)
    const paths = text.split(/\s+/)
    const target = paths.pop() ?? ''
    const place = join(this.root, posix.resolve(this.workingDirectory, target))
    for (const path of paths) {
      const source = join(from, path)
      const into = statSync(source).isFile() && target.endsWith('/') ? join(place, basename(path)) : place
      // Folders give their content; symbolic links stay what they are.
      cpSync(source, into, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    }
    console.log(`  COPY ${text}`)
  }

  private shell(text: string): void {
    if (text.startsWith('apt-get ')) {
      console.log(`  not run, this machine must have it: ${text}`)
      return
    }
    const started = Date.now()
    command('chroot', [this.root, 'env', `--chdir=${this.workingDirectory}`, '/bin/sh', '-c', text], {
      ...surroundings(),
      ...this.known,
      ...this.environment,
    })
    console.log(`  RUN ${text} (${Math.round((Date.now() - started) / 1000)} s)`)
  }
}

const KEPT = /^npm_config_(registry|cafile|userconfig|proxy|https_proxy|noproxy)$/

/** This process's environment without what npm told about the script that it runs. */
function surroundings(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || KEPT.test(name))
  return { ...Object.fromEntries(entries), PATH, NODE_ENV: '' }
}

function command(name: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, stdout, stderr, error } = spawnSync(name, args, {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status === 0) return
  throw new Error(`${name} ${args.join(' ')} failed: ${error?.message ?? `${stdout}${stderr}`}`)
}
