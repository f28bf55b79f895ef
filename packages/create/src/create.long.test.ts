import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProvider, type ScriptedProvider } from 'throughline/testing/provider'
import { afterAll, describe, expect, it } from 'vitest'

const packageFolder = join(import.meta.dirname, '..')
const root = join(packageFolder, '../..')
const folder = mkdtempSync(join(tmpdir(), 'create-throughline-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  code: number | null
  out: string
  err: string
}

function ran(argv: string[], cwd: string, env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, argv, { cwd, env: { ...process.env, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += String(chunk)))
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

const create = (...argv: string[]): Promise<Ran> =>
  ran([join(packageFolder, 'create.js'), ...argv], folder)

/** A new agent, with the packages of this repository in place of those that npm would install. */
async function agentFrom(
  template: string,
): Promise<(request: string, to: ScriptedProvider) => Promise<Ran>> {
  const made = await create(template, '--template', template)
  expect(made).toMatchObject({ code: 0, err: '' })
  const at = join(folder, template)
  symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'))
  writeFileSync(join(at, 'notes.txt'), `Buy milk. ${'word '.repeat(12_000)}`)
  return (request, { url }) =>
    ran(['--no-warnings', 'agent.ts', request], at, {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'none',
      CONTEXT: '40000',
    })
}

const built = existsSync(join(root, 'packages/throughline/dist/langchain.js'))
const here = existsSync(join(root, 'node_modules/@langchain/openai'))

describe.skipIf(!built || !here)('an agent made from a template', () => {
  it.each(['ai-sdk', 'bare', 'langchain'])('%s works past its window', async (template) => {
    const read = { name: 'read_file', input: { path: 'notes.txt' } }
    const reads = Array.from({ length: 5 }, () => ({ calls: [read] }))
    const provider = await startProvider({
      script: [...reads, { text: 'Milk.' }],
      rules: { window: 40_000, strict: true },
    })
    try {
      const agent = await agentFrom(template)
      const { code, out, err } = await agent('What must I buy? Never write a file.', provider)
      expect({ code, out: out.trim(), err }).toEqual({ code: 0, out: 'Milk.', err: '' })
      const last = JSON.stringify(provider.requests.at(-1))
      expect(last).toContain('Never write a file.')
    } finally {
      await provider.close()
    }
  })

  it.each(['ai-sdk', 'bare'])(
    '%s goes on with its session in another process',
    async (template) => {
      rmSync(join(folder, template), { recursive: true, force: true })
      const provider = await startProvider({ script: [{ text: 'One.' }, { text: 'Two.' }] })
      try {
        const agent = await agentFrom(template)
        expect((await agent('What is first?', provider)).out.trim()).toBe('One.')
        expect((await agent('And then?', provider)).out.trim()).toBe('Two.')
        const last = JSON.stringify(provider.requests.at(-1))
        expect(last).toMatch(/What is first\?.*One\..*And then\?/)
      } finally {
        await provider.close()
      }
    },
  )
})

describe('npm create throughline', () => {
  it('makes a project that installs what its agent imports', async () => {
    for (const template of ['ai-sdk', 'bare', 'langchain']) {
      const name = `My ${template}`
      expect(await create(name, '--template', template)).toMatchObject({ code: 0 })
      const text = readFileSync(join(folder, name, 'package.json'), 'utf8')
      const manifest = JSON.parse(text) as { name: string; dependencies: object }
      expect(manifest.name).toBe(`my-${template}`)
      const agent = readFileSync(join(folder, name, 'agent.ts'), 'utf8')
      const imported = [...agent.matchAll(/from '((?:@[^/']+\/)?[^/':]+)(?:\/[^']*)?'/g)]
      const missing = imported.filter(([, from = '']) => !(from in manifest.dependencies))
      expect({ imports: imported.length > 1, missing }).toEqual({ imports: true, missing: [] })
    }
  })

  it('writes into no folder that holds something, and says what to do', async () => {
    mkdirSync(join(folder, 'full'))
    writeFileSync(join(folder, 'full', 'a.txt'), '')
    expect(await create('full')).toEqual({
      code: 2,
      out: '',
      err: 'create-throughline: full is not empty. Name a new folder.\n',
    })
    expect((await create('new', '--template', 'vue')).err).toContain('Use one of ai-sdk, bare')
    expect((await create()).err).toContain('name one folder')
    expect((await create('--help')).out).toContain('--template')
  })
})
