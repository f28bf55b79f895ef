import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { libraryEntries } from '../packages/throughline/build/entries.ts'

// How large the house is: npm run bench:surface
const root = join(import.meta.dirname, '..')

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(?:[cm]?[jt]sx?|py)$/.test(file) && !/\.d\.[cm]?ts$/.test(file))
const isTest = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file)
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Size {
  files: number
  lines: number
  /** Literals of regular expressions. */
  expressions: number
}

function sizeOf(files: readonly string[]): Size {
  const texts = files.map(read)
  const sum = (count: (text: string) => number): number =>
    texts.reduce((total, text) => total + count(text), 0)
  return {
    files: files.length,
    lines: sum((text) => text.split('\n').length - 1),
    expressions: sum(
      (text) =>
        text.match(/(?<=[(,=:?&|![{]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\[])+\/[a-z]*/g)
          ?.length ?? 0,
    ),
  }
}

/** The rooms of a package, by the first folder below its sources. */
function roomsOf(files: readonly string[], sources: string): [string, Size][] {
  const names = new Set(
    files
      .map((file) => file.slice(sources.length + 1))
      .flatMap((file) => (file.includes('/') ? [file.slice(0, file.indexOf('/'))] : [])),
  )
  return [...names]
    .map((name): [string, Size] => [
      name,
      sizeOf(files.filter((file) => file.startsWith(`${sources}/${name}/`))),
    ])
    .toSorted(([, one], [, other]) => other.lines - one.lines)
}

/** What `npm pack` would put into a package, in bytes. */
function packed(workspace: string): { size: number; unpackedSize: number } | undefined {
  try {
    const [found] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '-w', workspace], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as { size: number; unpackedSize: number }[]
    return found
  } catch {
    return undefined
  }
}

/** Names that each door has, as its page of the reference lists them. */
function namesOf(folder: string): [string, number][] {
  return readdirSync(join(root, folder))
    .filter((page) => page.endsWith('.md') && page !== 'README.md')
    .map((page): [string, number] => [
      basename(page, '.md'),
      readFileSync(join(root, folder, page), 'utf8').match(/^## /gm)?.length ?? 0,
    ])
}

const number = (value: number): string => value.toLocaleString('en-US')
const row = (name: string, { files, lines, expressions }: Size): void =>
  console.log(
    `| ${name.padEnd(34)} | ${number(files).padStart(6)} | ${number(lines).padStart(8)} | ${number(expressions).padStart(6)} |`,
  )

console.log(`| ${'sources without tests'.padEnd(34)} |  files |    lines | regexp |`)
console.log(`| ${'-'.repeat(34)} | -----: | -------: | -----: |`)
const sources = tracked.filter((file) => file.startsWith('packages/') && !isTest(file))
row('all packages', sizeOf(sources))
for (const folder of new Set(sources.map((file) => file.split('/').slice(0, 2).join('/')))) {
  const own = sources.filter((file) => file.startsWith(`${folder}/`))
  row(folder, sizeOf(own))
  for (const [name, size] of roomsOf(
    own.filter((file) => file.startsWith(`${folder}/src/`)),
    `${folder}/src`,
  ))
    row(`  ${name}`, size)
}
row(
  'tests of the packages',
  sizeOf(tracked.filter((file) => file.startsWith('packages/') && isTest(file))),
)
const outside = tracked.filter((file) => !file.startsWith('packages/'))
row(
  'bench, clients, attacks and others',
  sizeOf(outside.filter((file) => !isTest(file) && dirname(file) !== '.')),
)

const names = namesOf('docs/reference')
const all = names.reduce((sum, [, count]) => sum + count, 0)
const main = names.find(([name]) => name === 'throughline')?.[1] ?? 0
console.log(
  `\n${Object.keys(libraryEntries).length} doors with ${all} public names, ${main} of them in the main door`,
)
for (const workspace of ['throughline', 'throughline-gateway']) {
  const found = packed(workspace)
  console.log(
    found
      ? `${workspace}: ${number(found.size)} bytes packed, ${number(found.unpackedSize)} unpacked`
      : `${workspace}: not packed; run npm run build first`,
  )
}
