import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { libraryEntries, packageFolder } from '../build/entries.ts'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const built = existsSync(join(dist, 'command.js'))
if (!built)
  console.warn('shipped.long.test.ts is skipped: dist is missing. npm test builds it first.')

const entries = Object.entries(libraryEntries)
const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  dependencies?: object
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional: boolean }>
}

/** What a bundle imports by a plain `import`, or by any. */
function importsOf(file: string, { lazy }: { lazy: boolean }): string[] {
  const code = readFileSync(file, 'utf8')
  const plain = code.matchAll(/(?<=^|[;}\n])(?:import|export)(?:[ *{][^"'`;]*from)? ?"([^"]+)"/g)
  const dynamic = lazy ? code.matchAll(/\bimport\(["`]([^"`]+)["`]\)/g) : []
  return [...plain, ...dynamic].map(([, name = '']) => name)
}

/** Our own files that are loaded with one, and the packages and parts of Node. */
function loadedWith(name: string, { lazy = false } = {}) {
  const files = new Set<string>()
  const others = new Set<string>()
  const open = [join(dist, name)]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue
    files.add(file)
    for (const imported of importsOf(file, { lazy })) {
      if (imported.startsWith('.')) open.push(join(dirname(file), imported))
      else others.add(imported)
    }
  }
  return { files: [...files].map((file) => basename(file)), others: [...others] }
}

function mapsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js.map'),
  )
}

interface SourceMap {
  sources: string[]
}

describe.skipIf(!built)('what is published', () => {
  it('is under 104 files, none of them a test or a map', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: packageFolder,
      encoding: 'utf8',
      shell: true,
    })
    const answer = JSON.parse(stdout) as Record<string, unknown> | unknown[]
    const [packed] = Object.values(answer) as { files: { path: string }[]; unpackedSize: number }[]
    const paths = packed?.files.map(({ path }) => path) ?? []
    expect(paths).toContain('dist/THIRD-PARTY-LICENSES.md')
    expect(paths.filter((path) => path.includes('.test.'))).toEqual([])
    expect(paths.length).toBeLessThan(104)
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([])
    expect(packed?.unpackedSize).toBeLessThan(2_000_000)
  })

  it.each(entries)('exports from %s what its source does', async (name, source) => {
    const [shipped, own] = await Promise.all([
      import(pathToFileURL(join(dist, `${name}.js`)).href) as Promise<object>,
      import(pathToFileURL(join(packageFolder, source)).href) as Promise<object>,
    ])
    expect(Object.keys(shipped).sort()).toEqual(Object.keys(own).sort())
  })

  it('depends on nothing, and asks only for optional peers', () => {
    expect(manifest.dependencies).toBeUndefined()
    const peers = Object.keys(manifest.peerDependencies)
    expect(peers.filter((peer) => !manifest.peerDependenciesMeta[peer]?.optional)).toEqual([])
    // npm refuses an install beside another version even of an optional peer.
    expect(new Set(Object.values(manifest.peerDependencies))).toEqual(new Set(['*']))
    const foreign = ['command', ...entries.map(([name]) => name)].flatMap((name) =>
      loadedWith(`${name}.js`, { lazy: true }).others.filter(
        (other) =>
          !other.startsWith('node:') &&
          !builtinModules.includes(other) &&
          !peers.some((peer) => other === peer || other.startsWith(`${peer}/`)),
      ),
    )
    expect(foreign).toEqual([])
  })

  it('loads no other package and no file of the command with the library', () => {
    for (const [name] of entries) {
      const { files } = loadedWith(`${name}.js`, { lazy: true })
      expect(files.filter((file) => /^(?:third-party|command|terminal|mcp)/.test(file))).toEqual([])
    }
    const { files, others } = loadedWith('index.js')
    expect(others.filter((other) => other !== 'node:util')).toEqual([])
    expect(files).not.toContain('formats.js')
    expect(files).not.toContain('sqlite.js')
  })

  it('loads for the overview nothing but that', () => {
    const { files } = loadedWith('command.js')
    for (const file of ['core.js', 'formats.js', 'sqlite.js', 'third-party.js', 'mcp.js']) {
      expect(files).not.toContain(file)
    }
  })

  it('loads for a client’s status line little more', () => {
    const { files, others } = loadedWith('commands/statusline.js')
    expect(files.toSorted()).toEqual(['base.js', 'command.js', 'places.js', 'statusline.js'])
    expect(others.filter((other) => !other.startsWith('node:'))).toEqual([])
  })

  it('leaves the names in the module that Claude Code reads before it runs it', () => {
    const module = readFileSync(join(dist, 'clients/claude-code-module.js'), 'utf8')
    expect(module).toContain('function register(on)')
    expect(module).toContain('on(`session.compact`,async($,event,next)=>')
    expect(module).not.toMatch(/^import|[;}]import/)
  })

  it('has the page of a report, under 400 kB, which no other command loads', () => {
    const page = readFileSync(join(dist, 'report-page.html'), 'utf8')
    expect(page.length).toBeLessThan(400_000)
    expect(page).toContain("default-src 'none'")
    for (const name of ['command.js', 'index.js']) {
      expect(loadedWith(name).files.filter((file) => /report/.test(file))).toEqual([])
    }
  })

  it('names everybody whose code it holds, with the licence', () => {
    const page = readFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), 'utf8')
    const names = mapsIn(dist).flatMap((name) => {
      const { sources } = JSON.parse(readFileSync(join(dist, name), 'utf8')) as SourceMap
      return sources.flatMap((source) => {
        const [, found] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? []
        return found ?? []
      })
    })
    expect(names).toEqual(expect.arrayContaining(['smol-toml', 'string-width', 'wrap-ansi']))
    // The page of a report has no map: its reader debugs a session, not the page.
    names.push('preact', 'uplot')
    for (const name of new Set(names)) expect(page).toContain(`\n## ${name} `)
    expect(page.match(/^## /gm)?.length).toBe(new Set(names).size)
  })
})
