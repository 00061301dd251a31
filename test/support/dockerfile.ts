/** One instruction of a Dockerfile, on one line. */
export interface Instruction {
  keyword: string
  /** `--name=value`, by name */
  flags: Readonly<Record<string, string>>
  /** what follows the flags */
  text: string
}

/** What a `FROM` begins. */
export interface Stage {
  /** after `AS` */
  name: string | undefined
  base: string
  instructions: readonly Instruction[]
}

export interface Dockerfile {
  /** defaults of the `ARG`s above the first `FROM` */
  args: ReadonlyMap<string, string>
  stages: readonly Stage[]
}

/** Reads a Dockerfile whose syntax is right. Here documents and other escape characters are not part of it. */
export function parseDockerfile(text: string): Dockerfile {
  const instructions = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readInstruction)
  const first = instructions.findIndex(({ keyword }) => keyword === 'FROM')
  const args = new Map(instructions.slice(0, first).map(({ text }) => pair(text)))
  const stages: (Stage & { instructions: Instruction[] })[] = []
  for (const instruction of instructions.slice(first)) {
    if (instruction.keyword === 'FROM') {
      const [base = '', , name] = instruction.text.split(/\s+/)
      stages.push({ base: expand(base, args), name, instructions: [] })
    } else {
      stages.at(-1)?.instructions.push(instruction)
    }
  }
  return { args, stages }
}

/** The arguments of the exec form, `["node", "x.js"]`; `undefined` for the shell form. */
export function execForm(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  return JSON.parse(text) as string[]
}

/** `NAME=value` of an `ENV` or `LABEL`, in order; values in double quotes may hold spaces. */
export const pairs = (text: string): [string, string][] =>
  [...text.matchAll(/([\w.]+)=("[^"]*"|\S+)/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('"', ''),
  ])

const pair = (text: string): [string, string] => pairs(text)[0] ?? [text, '']

const expand = (text: string, args: ReadonlyMap<string, string>) =>
  text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => args.get(name) ?? '')

function readInstruction(line: string): Instruction {
  const [keyword = ''] = line.split(/\s+/, 1)
  const flags: Record<string, string> = {}
  let text = line.slice(keyword.length).trim()
  for (let flag = FLAG.exec(text); flag; flag = FLAG.exec(text)) {
    flags[flag[1] ?? ''] = flag[2] ?? ''
    text = text.slice(flag[0].length)
  }
  return { keyword: keyword.toUpperCase(), flags, text }
}

const FLAG = /^--([\w-]+)(?:=(\S+))?\s+/
