import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type OutputChunk } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import {
  clientEntries,
  commandEntry,
  moduleEntry,
  pageEntry,
  typedEntry,
  importedAs,
  libraryEntries,
  packageFolder,
  peersOf,
  pureEntries,
} from './entries.ts'
import { reportPage } from './report-page.ts'
import { groups } from './rooms.ts'
import { packageOf, thirdPartyPage } from './third-party.ts'

const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>
  exports: Record<string, unknown>
}
const dist = join(packageFolder, 'dist')
const declarations = join(packageFolder, '.cache/declarations')

checkExports()
rmSync(dist, { recursive: true, force: true })
const chunks = await writeCode()
checkHoldNoPackage([...Object.keys(libraryEntries), ...Object.keys(clientEntries)], chunks)
checkEdgeNeedsNoNode(chunks)
const page = await reportPage()
writeFileSync(join(dist, 'report-page.html'), page.html)
const modules = [...chunks, page].flatMap(({ moduleIds }) => moduleIds)
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), thirdPartyPage(modules))
await writeModule()
const types = await writeDeclarations()
checkDoorsNeedOwnPeers(chunks, '.js')
checkDoorsNeedOwnPeers(types, '.d.ts')

/** Every entry is one of package.json and the other way round. */
function checkExports(): void {
  const named = Object.keys(manifest.exports).filter((key) => key !== './package.json')
  const made = Object.keys(libraryEntries).map((name) => (name === 'index' ? '.' : `./${name}`))
  const wrong = [...named, ...made].filter((key) => !named.includes(key) || !made.includes(key))
  if (wrong.length > 0) {
    throw new Error(`package.json and build/entries.ts differ in ${wrong.join(', ')}.`)
  }
}

async function writeCode(): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    cwd: packageFolder,
    platform: 'node',
    input: {
      ...libraryEntries,
      ...clientEntries,
      command: commandEntry,
      'session-page': pageEntry,
      typed: typedEntry,
    },
    external: isPeer,
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    // Tests read the maps; nothing of them is published.
    sourcemap: 'hidden',
    // The names of classes stay: an error shows its own. A trace is read with the maps of a build of
    // the same commit, which is the same byte for byte.
    minify: {
      compress: true,
      mangle: { toplevel: true, keepNames: { class: true, function: false } },
      codegen: { removeWhitespace: true },
    },
    // Doc comments are in the declarations. Bundlers need the annotations.
    comments: { annotation: true, jsdoc: false, legal: true },
    entryFileNames: '[name].js',
    chunkFileNames: ({ isDynamicEntry, facadeModuleId, name }) =>
      isDynamicEntry && /\/cli\/(?:commands|groups)\//.test(facadeModuleId ?? '')
        ? `commands/${commandNameOf(facadeModuleId ?? '')}.js`
        : `shared/${name}.js`,
    codeSplitting: { groups },
  })
  return output.filter((each) => each.type === 'chunk')
}

/** What Claude Code loads into itself. */
async function writeModule(): Promise<void> {
  const bundle = await rolldown({ cwd: packageFolder, platform: 'neutral', input: moduleEntry })
  const { output } = await bundle.write({
    file: join(dist, 'clients/claude-code-module.js'),
    format: 'esm',
    codeSplitting: false,
    comments: { annotation: true, jsdoc: false, legal: true },
    // Claude Code reads the names in it before it runs it.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  if (output.length !== 1) throw new Error(`The module has ${output.length} files.`)
}

function commandNameOf(path: string): string {
  const [, name = ''] = /cli\/(?:commands|groups)\/([^/.]+)/.exec(path) ?? []
  return name
}

async function writeDeclarations(): Promise<OutputChunk[]> {
  rmSync(declarations, { recursive: true, force: true })
  const argv = ['tsc', '-p', 'build/tsconfig.json', '--outDir', declarations]
  const { status } = spawnSync('npx', argv, { cwd: packageFolder, stdio: 'inherit', shell: true })
  if (status !== 0) throw new Error('tsc could not write the declarations.')
  const input = Object.entries(libraryEntries).map(([name, file]) => [
    name,
    join(declarations, file.replace(/\.ts$/, '.d.ts')),
  ])
  const bundle = await rolldown({
    cwd: packageFolder,
    platform: 'node',
    input: Object.fromEntries(input),
    external: (id) => isPeer(id) || /^[^./]/.test(id),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    minifyInternalExports: false,
    entryFileNames: '[name].ts',
    chunkFileNames: 'types/[name].ts',
    codeSplitting: {
      // An adapter's types name its SDK, which whoever uses another door need not have.
      groups: [
        {
          name: 'shared.d',
          test: /declarations[\\/]src[\\/](?!integrations[\\/](?!conversation[\\/]))/,
          minShareCount: 2,
        },
      ],
    },
  })
  return output.filter((each) => each.type === 'chunk')
}

function isPeer(id: string): boolean {
  return Object.keys(manifest.peerDependencies).some(
    (name) => id === name || id.startsWith(`${name}/`),
  )
}

/** The library and the plugins are our code alone; only the command brings others'. */
function checkHoldNoPackage(entries: readonly string[], chunks: readonly OutputChunk[]): void {
  for (const chunk of loadedBy(entries, chunks)) {
    const foreign = chunk.moduleIds.find((id) => packageOf(id) !== undefined)
    if (foreign !== undefined) {
      throw new Error(`${chunk.fileName} would bundle ${packageOf(foreign)}: make it a peer.`)
    }
  }
}

/** A file that several doors share must not bring Node to those that need nothing of it. */
function checkEdgeNeedsNoNode(chunks: readonly OutputChunk[]): void {
  for (const { fileName, imports, dynamicImports } of loadedBy(pureEntries, chunks)) {
    const node = [...imports, ...dynamicImports].find((name) => name.startsWith('node:'))
    if (node !== undefined) {
      throw new Error(`${fileName} would load ${node} in a browser: see build/rooms.ts.`)
    }
  }
}

/** Whoever has only the package that a door is for opens it, and its types compile. */
function checkDoorsNeedOwnPeers(chunks: readonly OutputChunk[], ending: '.js' | '.d.ts'): void {
  for (const entry of Object.keys(libraryEntries) as (keyof typeof libraryEntries)[]) {
    const own = peersOf[entry] ?? []
    for (const { fileName, imports, dynamicImports } of loadedBy([entry], chunks, ending)) {
      const other = [...imports, ...dynamicImports].find(
        (id) => isPeer(id) && !own.some((name) => id === name || id.startsWith(`${name}/`)),
      )
      if (other !== undefined) {
        throw new Error(`${importedAs(entry)} would ask for ${other}, by ${fileName}.`)
      }
    }
  }
}

/** The files that come with some entries, at once or when they are needed. */
function loadedBy(
  entries: readonly string[],
  chunks: readonly OutputChunk[],
  ending = '.js',
): OutputChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const names = new Set(entries.map((name) => `${name}${ending}`))
  for (const name of names) {
    const { imports = [], dynamicImports = [] } = byName.get(name) ?? {}
    for (const next of [...imports, ...dynamicImports]) names.add(next)
  }
  return chunks.filter(({ fileName }) => names.has(fileName))
}
