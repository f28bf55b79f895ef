import ts from 'typescript'

/** A public name. */
interface Described {
  name: string
  /** What its doc comment says; `''` if it has none. */
  text: string
  /** Its declaration, without a body and without the comment. */
  code: string
  /** The examples of its comment, as Markdown. */
  examples: string[]
}

/** What an entry says of itself, and what it exports: functions, classes, values, then types. */
export interface DescribedEntry {
  about: string
  exports: Described[]
}

/** Reads the declarations that belong to entries, by file. */
export function describedExports(files: readonly string[]): Map<string, DescribedEntry> {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      if (!source || !module) throw new Error(`${file} exports nothing.`)
      const found = checker.getExportsOfModule(module).flatMap((exported) => {
        const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
        const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported
        const described = describe(exported.name, symbol, checker)
        return described ? [{ order: orderOf(symbol), described }] : []
      })
      const exports = found
        .toSorted(
          (one, other) =>
            one.order - other.order || one.described.name.localeCompare(other.described.name),
        )
        .map(({ described }) => described)
      return [file, { about: aboutOf(source), exports }]
    }),
  )
}

function describe(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): Described | undefined {
  const declarations = symbol.declarations ?? []
  if (declarations.length === 0) return undefined
  const examples = symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'example')
    .map(({ text }) => exampleOf(ts.displayPartsToString(text)))
  const throws = symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'throws')
    .map(({ text }) => `Throws ${ts.displayPartsToString(text)}`)
  const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim()
  return {
    name,
    text: [comment, ...throws].filter((part) => part !== '').join('\n\n'),
    code: declarations.map(codeOf).join('\n\n'),
    examples,
  }
}

/** A declaration as it stands in its file; of a constant, the whole statement. */
function codeOf(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  return node.getText().replace(/^export (?:declare )?/, '')
}

function exampleOf(text: string): string {
  const code = text.trim()
  return code.startsWith('```') ? code : `\`\`\`ts\n${code}\n\`\`\``
}

function orderOf({ flags }: ts.Symbol): number {
  if (flags & ts.SymbolFlags.Function) return 0
  if (flags & ts.SymbolFlags.Variable) return 1
  return flags & ts.SymbolFlags.Class ? 2 : 3
}

function aboutOf(source: ts.SourceFile): string {
  const [, comment = ''] = /^\s*\/\*\*([\s\S]*?)@packageDocumentation/.exec(source.text) ?? []
  return comment.replaceAll(/^ *\* ?/gm, '').trim()
}
