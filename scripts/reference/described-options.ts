import { join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')

/** An option as its interface describes it. */
export interface DescribedOption {
  name: string
  meaning: string
  /** as TypeScript writes it, without what only says that it may be left out */
  type: string
  members: DescribedOption[]
}

/** What the comments and types of sources say. */
export class DescribedSources {
  private readonly program: ts.Program
  private readonly checker: ts.TypeChecker

  /** @param files - from the root of the project */
  constructor(files: readonly string[]) {
    this.program = ts.createProgram(
      files.map((file) => join(root, file)),
      {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        noEmit: true,
        types: ['node'],
      },
    )
    this.checker = this.program.getTypeChecker()
  }

  /** The first paragraph of what an export says of itself. */
  summaryOf(file: string, name: string): string {
    const text = ts.displayPartsToString(this.exportOf(file, name).getDocumentationComment(this.checker))
    return oneLine(text.split('\n\n')[0] ?? '')
  }

  optionsOf(file: string, interfaceName: string): DescribedOption[] {
    return this.membersOf(this.checker.getDeclaredTypeOfSymbol(this.exportOf(file, interfaceName)))
  }

  private exportOf(file: string, name: string): ts.Symbol {
    const source = this.program.getSourceFile(join(root, file))
    const symbol = source && this.checker.getSymbolAtLocation(source)
    const found = symbol && this.checker.getExportsOfModule(symbol).find((each) => each.name === name)
    if (!found) throw new Error(`${file} has no export ${name}`)
    return found
  }

  private membersOf(type: ts.Type): DescribedOption[] {
    const parts = type.isUnion() ? type.types : [type]
    const symbols = new Map(
      parts
        .flatMap((part) => this.checker.getPropertiesOfType(part))
        .map((symbol) => [symbol.name, symbol] as const),
    )
    return [...symbols.values()].map((symbol) => {
      const known = this.checker.getNonNullableType(this.checker.getTypeOfSymbol(symbol))
      return {
        name: symbol.name,
        meaning: oneLine(ts.displayPartsToString(symbol.getDocumentationComment(this.checker))),
        type: this.checker.typeToString(known, undefined, ts.TypeFormatFlags.NoTruncation),
        members: this.isOfOptions(known) ? this.membersOf(known) : [],
      }
    })
  }

  /** Objects that are written out in the configuration, unlike those that it only refers to. */
  private isOfOptions(type: ts.Type): boolean {
    const parts = type.isUnion() ? type.types : [type]
    const written = parts.filter((part) => {
      const { symbol } = part
      if (!(part.flags & ts.TypeFlags.Object) || this.checker.isArrayLikeType(part)) return false
      if (part.getCallSignatures().length > 0 || part.getStringIndexType()) return false
      return symbol === undefined || symbol.name === '__type' || /Option(s)?$/.test(symbol.name)
    })
    return written.length === parts.length
  }
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/\{@link (\w+)(?:\.(\w+))?\}/g, (_, name: string, member?: string) => `\`${member ?? name}\``)
    .replaceAll(/\s+/g, ' ')
    .trim()
