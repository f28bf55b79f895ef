import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  importedAs,
  libraryEntries,
  packageFolder,
} from '../../packages/throughline/build/entries.ts'

// Writes docs/reference: a page for each entry of the package, from its doc comments.
const root = join(import.meta.dirname, '../..')
const out = join(root, 'docs/reference')
const declarations = join(packageFolder, '.cache/reference')

if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', import.meta.dirname])
}
run('npx', ['tsc', '-p', join(packageFolder, 'build/tsconfig.json'), '--outDir', declarations])
const { describedExports } = await import('./described-exports.ts')

const files = Object.entries(libraryEntries).map(([entry, file]) => ({
  entry,
  file: join(declarations, file.replace(/\.ts$/, '.d.ts')),
}))
const described = describedExports(files.map(({ file }) => file))
const undocumented: string[] = []
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const pages = files.map(({ entry, file }) => {
  const name = importedAs(entry)
  const { about, exports } = described.get(file) ?? { about: '', exports: [] }
  undocumented.push(...exports.filter(({ text }) => text === '').map((each) => each.name))
  const parts = exports.map((each) =>
    [`## ${each.name}`, each.text, `\`\`\`ts\n${each.code}\n\`\`\``, ...each.examples].join('\n\n'),
  )
  const page = `${name.replaceAll('/', '-')}.md`
  writeFileSync(join(out, page), `${[`# ${name}`, about, ...parts].join('\n\n')}\n`)
  return `- [${name}](${page}): ${about.split('\n\n')[0]?.replaceAll('\n', ' ') ?? ''}`
})
const intro = 'Every public name with its types and its doc comment; `npm run reference` writes it.'
writeFileSync(join(out, 'README.md'), `# Reference\n\n${intro}\n\n${pages.join('\n')}\n`)
run('npx', ['oxfmt', out])
if (undocumented.length > 0) {
  console.error(`Without a sentence: ${[...new Set(undocumented)].join(', ')}`)
  process.exitCode = 1
}

function run(program: string, argv: readonly string[]): void {
  const { status } = spawnSync(program, argv, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
