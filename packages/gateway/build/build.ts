import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { thirdPartyPage } from '../../throughline/build/third-party.ts'

const packageFolder = join(import.meta.dirname, '..')
const dist = join(packageFolder, 'dist')
const declarations = join(packageFolder, '.cache/declarations')
// The engine; and Postgres's driver, some of whose packages hold no text of their licence.
const isApart = (id: string): boolean => /^(?:throughline|pg)(?:\/|$)/.test(id)

rmSync(dist, { recursive: true, force: true })
await writeCode()
checkSyntax()
await writeDeclarations()

/** Everything else is in the bundles: of the package, and of the threads and the process that it starts. */
async function writeCode(): Promise<void> {
  const modules = [
    ...(await bundled({
      index: 'src/index.ts',
      'gateway-process': 'src/run/kept/gateway-process.ts',
    })),
    ...(await bundled({ 'engine-thread': 'src/engine/engine-thread.ts' })),
    ...(await bundled({ 'page-thread': 'src/pages/page-thread.ts' })),
  ]
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), thirdPartyPage(modules))
}

async function bundled(input: Record<string, string>): Promise<string[]> {
  const bundle = await rolldown({
    cwd: packageFolder,
    platform: 'node',
    input,
    external: isApart,
    // Node 22 has no `await using` yet.
    transform: { target: 'node22' },
    // Its other form asks for its own files at run time, which a bundle cannot answer.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  })
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    minify: false,
    entryFileNames: '[name].js',
    // What they share looks for the thread beside itself.
    chunkFileNames: 'shared-[name].js',
  })
  return output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []))
}

/** What the tests run is made for them: a Node has to read this as it is. */
function checkSyntax(): void {
  for (const name of readdirSync(dist).filter((each) => each.endsWith('.js'))) {
    const argv = ['--check', join(dist, name)]
    const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit' })
    if (status !== 0) throw new Error(`Node cannot read ${name} of the gateway.`)
  }
}

async function writeDeclarations(): Promise<void> {
  rmSync(declarations, { recursive: true, force: true })
  const argv = ['tsc', '-p', 'build/tsconfig.json', '--outDir', declarations]
  const { status } = spawnSync('npx', argv, { cwd: packageFolder, stdio: 'inherit', shell: true })
  if (status !== 0) throw new Error('tsc could not write the declarations of the gateway.')
  const bundle = await rolldown({
    cwd: packageFolder,
    platform: 'node',
    input: { 'index.d': join(declarations, 'src/index.d.ts') },
    external: (id) => /^[^./]/.test(id),
    plugins: [dts({ dtsInput: true, tsconfig: false })],
  })
  await bundle.write({ dir: dist, format: 'esm', entryFileNames: '[name].ts' })
}
