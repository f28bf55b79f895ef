import {
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
  lstatSync,
  existsSync,
  chmodSync,
  statSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newDirectory } from '../testing/run-main.ts'
import { installableClients } from './clients.ts'
import { install, planInstallation, problemsOf, uninstall } from './install-client.ts'
import { readLedger } from './ledger.ts'
import { placeOf, shellLine, type Place } from './place.ts'
import type { InstallableClient } from './client.ts'

const built = newDirectory()
mkdirSync(join(built, 'dist', 'clients'), { recursive: true })
mkdirSync(join(built, 'bin'))
writeFileSync(join(built, 'bin', 'throughline.js'), '// the command')
for (const name of [...installableClients.map((client) => client.name), 'claude-code-module']) {
  writeFileSync(join(built, 'dist', 'clients', `${name}.js`), `// ${name}\n`)
}

/** A home as people have it: spaces and quotes in its name. */
function newPlace(): Place {
  const home = join(newDirectory(), `Ann's "home" $HOME`)
  mkdirSync(home)
  return { ...placeOf({ HOME: home, PATH: '' }, 'linux'), package: built }
}

function installed(client: InstallableClient, place: Place, local = false): void {
  install(planInstallation(client, { local }, place), { local }, place, 0)
}

function filesOf(place: Place): Record<string, string> {
  const found: Record<string, string> = {}
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        found[`${relative(place.home, path)}/`] = ''
        look(path)
      } else found[relative(place.home, path)] = readFileSync(path, 'utf8')
    }
  }
  look(place.home)
  return found
}

function isWriting(client: InstallableClient, place: Place): boolean {
  return planInstallation(client, { local: false }, place).prepared.some(({ writes }) => writes)
}

function written(place: Place, client: InstallableClient): string[] {
  return readLedger(place).clients[client.name]?.steps.map(({ path }) => path) ?? []
}

describe.each(installableClients.map((client) => [client.name, client] as const))(
  '%s',
  (_, client) => {
    it('is installed twice as once, and leaves every byte as it was', () => {
      const place = newPlace()
      mkdirSync(join(place.home, '.config'))
      const before = filesOf(place)
      expect(isWriting(client, place)).toBe(true)
      expect(filesOf(place)).toEqual(before)
      installed(client, place)
      const once = filesOf(place)
      expect(isWriting(client, place)).toBe(false)
      installed(client, place, true)
      installed(client, place)
      expect({ ...filesOf(place), ...ledgerOf(once) }).toEqual(once)
      expect(problemsOf(readLedger(place).clients[client.name] ?? fail(), place)).toEqual([])
      uninstall(client, place)
      expect(filesOf(place)).toEqual(before)
      expect(uninstall(client, place)).toBeUndefined()
    })

    it('leaves what stood in its place, and the links to it', () => {
      const place = newPlace()
      installed(client, place)
      // The folder of what clients start is ours alone.
      const own = join(place.folder, 'runtime')
      const files = written(place, client).filter(
        (path) => statSync(path).isFile() && !path.startsWith(own),
      )
      const contents = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))
      uninstall(client, place)
      for (const [path, content] of contents) {
        mkdirSync(dirname(path), { recursive: true })
        const mine = path.endsWith('.json') ? '{\n\t// mine\n\t"theme": "dark"\n}' : `# mine\n`
        const real = join(newDirectory(), 'real')
        writeFileSync(real, path.startsWith(place.folder) ? content : mine)
        chmodSync(real, 0o640)
        symlinkSync(real, path)
      }
      const before = filesOf(place)
      installed(client, place)
      uninstall(client, place)
      expect(filesOf(place)).toEqual(before)
      for (const path of files.filter((path) => !path.startsWith(place.folder))) {
        expect(lstatSync(path).isSymbolicLink(), path).toBe(true)
        expect(statSync(path).mode & 0o777).toBe(0o640)
      }
    })

    it('does not go where one of its kind is', () => {
      const place = newPlace()
      const settings = client.settings(place)
      mkdirSync(join(settings, 'plugins', 'opencode-dcp'), { recursive: true })
      mkdirSync(join(settings, 'extensions', 'billion-context-pi'), { recursive: true })
      for (const name of ['settings.json', 'config.toml', 'mcp-config.json']) {
        writeFileSync(
          join(settings, name),
          '# "morphllm"\n// sleev\nurl = "http://127.0.0.1:17321"\n',
        )
      }
      const before = filesOf(place)
      expect(() => planInstallation(client, { local: false }, place)).toThrow(
        /already loads (?:DCP|billion-context|Sleev) /,
      )
      expect(filesOf(place)).toEqual(before)
    })
  },
)

it('says what is missing of an installation', () => {
  const place = newPlace()
  const [client = fail()] = installableClients
  installed(client, place)
  const [path = ''] = written(place, client)
  writeFileSync(`${path}.x`, '')
  const ledger = readLedger(place).clients[client.name] ?? fail()
  expect(problemsOf({ ...ledger, version: '0.0.1' }, { ...place, node: '/none' })).toEqual([
    expect.stringContaining('of version 0.0.1'),
    '/none is missing',
  ])
  expect(existsSync(path)).toBe(true)
})

it('says where a file of ours says something else now, but not where the user has set something', () => {
  const place = newPlace()
  const [client = fail()] = installableClients
  installed(client, place, true)
  const [path = '', settings = ''] = written(place, client).slice(-2)
  const ledger = readLedger(place).clients[client.name] ?? fail()
  writeFileSync(settings, '{ "off": true }')
  expect(problemsOf(ledger, place)).toEqual([])
  writeFileSync(path, 'throw new Error("broken")')
  expect(problemsOf(ledger, place)).toEqual([`${path} is not what was installed`])
})

it.each(['claude-code', 'codex', 'qwen-code', 'gemini-cli', 'copilot-cli'])(
  'says where the settings of %s have lost what is ours, but not where the user has set more in it',
  (name) => {
    const place = newPlace()
    const client = installableClients.find((each) => each.name === name) ?? fail()
    installed(client, place)
    const ledger = readLedger(place).clients[name] ?? fail()
    const entered = ledger.steps.filter(({ what }) => what.type === 'entries')
    expect(entered.length).toBeGreaterThan(0)
    for (const { path } of entered) {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace('"args":', '"trust": true, "args":'))
      expect(problemsOf(ledger, place)).toEqual([])
      writeFileSync(path, path.endsWith('.toml') ? 'model = "m"\n' : '{ "theme": "dark" }\n')
      expect(problemsOf(ledger, place)).toEqual([`${path} has lost what was installed`])
      writeFileSync(path, text)
    }
  },
)

it.each(['claude-code', 'codex', 'qwen-code'])(
  'says of all that %s starts that it is a module, whatever stands in the home',
  (name) => {
    const place = newPlace()
    const client = installableClients.find((each) => each.name === name) ?? fail()
    writeFileSync(join(place.home, 'package.json'), '{ "type": "commonjs" }')
    installed(client, place)
    const typeOf = (folder: string): unknown => {
      const file = join(folder, 'package.json')
      return existsSync(file)
        ? JSON.parse(readFileSync(file, 'utf8')).type
        : typeOf(dirname(folder))
    }
    const programs = written(place, client).filter((path) => /\.js$|\bbin$|\bdist$/.test(path))
    expect(programs).toHaveLength(3)
    expect(programs.map((path) => typeOf(dirname(path)))).toEqual(['module', 'module', 'module'])
  },
)

it('keeps what Node compiled until a version is taken away, and does not take it for a change', () => {
  const place = newPlace()
  const before = filesOf(place)
  const client = installableClients.find(({ name }) => name === 'codex') ?? fail()
  installed(client, place)
  const program = written(place, client).find((path) => path.endsWith('program.js')) ?? fail()
  const [, cache = fail()] =
    /enableCompileCache\((".*")\)/.exec(readFileSync(program, 'utf8')) ?? []
  mkdirSync(JSON.parse(cache) as string)
  expect(isWriting(client, place)).toBe(false)
  uninstall(client, place)
  expect(filesOf(place)).toEqual(before)
})

it('takes away what two clients share with the last of them, and leaves nothing of it', () => {
  const place = newPlace()
  const before = filesOf(place)
  const clients = ['codex', 'qwen-code', 'gemini-cli'].map(
    (name) => installableClients.find((each) => each.name === name) ?? fail(),
  )
  for (const client of clients) installed(client, place)
  for (const client of clients) uninstall(client, place)
  expect(filesOf(place)).toEqual(before)
})

it('quotes what a shell would take apart', () => {
  expect(shellLine({ platform: 'linux' }, ['/a b/node', `it's`, 'plain'])).toBe(
    `'/a b/node' 'it'\\''s' plain`,
  )
  expect(shellLine({ platform: 'win32' }, ['C:\\Program Files\\node.exe', 'C:\\x\\y.js'])).toBe(
    '"C:/Program Files/node.exe" C:/x/y.js',
  )
})

/** When it was installed is not what it wrote. */
function ledgerOf(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => path.endsWith('installed.json')),
  )
}

function fail(): never {
  throw new Error('nothing is there')
}
