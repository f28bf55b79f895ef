import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { policyKeys } from './check/check-config.ts'
import { loadConfigFile } from './load-config.ts'
import { policyOf } from './policy-of.ts'
import type { Config } from './config.ts'

const page = readFileSync(new URL('../../../../docs/config.md', import.meta.url), 'utf8')
const packageFolder = fileURLToPath(new URL('../../', import.meta.url))
const built = existsSync(join(packageFolder, 'dist/config.js'))

const folder = mkdtempSync(join(tmpdir(), 'throughline-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function exampleIn(language: string): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? []
  const path = join(folder, `throughline.config.${language}`)
  writeFileSync(path, text)
  return path
}

describe('docs/config.md', () => {
  it('has an example in JSON that holds', async () => {
    const configuration = await loadConfigFile(exampleIn('json'), { env: { HOME: '/home/me' } })
    const { whole } = configuration.settings
    expect(whole.store?.value).toBe('/home/me/agents/sessions.db')
    expect(whole.recall?.value).toBe('look_up')
    const policy = policyOf(configuration, 'gpt-5.2')
    expect(policy.keep(180_000)).toBe(8000)
    expect(policy.breaker).toEqual({ failures: 2, pause: 10 })
    expect(policy.lenses.map(({ tools }) => tools)).toEqual([
      ['save_note'],
      ['run_remote', 'run_in_box'],
    ])
  })

  it.skipIf(!built || !process.features.typescript)(
    'has an example in TypeScript that Node itself runs where the package is installed',
    () => {
      mkdirSync(join(folder, 'node_modules'))
      symlinkSync(packageFolder, join(folder, 'node_modules/throughline'), 'junction')
      const own = join(folder, 'throughline')
      mkdirSync(own)
      renameSync(exampleIn('ts'), join(own, 'throughline.config.ts'))
      const script = `
        import { loadConfig, pluginsOf, policyOf, windowFor } from 'throughline/config'
        const env = { HOME: ${JSON.stringify(folder)}, XDG_CONFIG_HOME: ${JSON.stringify(folder)} }
        const configuration = await loadConfig({ cwd: '/', env })
        const policy = policyOf(configuration, 'claude-opus-4-5')
        const rename = { tool: 'move_note', input: { from: 'a', to: 'b' }, output: '', failed: false }
        console.log(JSON.stringify({
          keep: policy.keep(100_000),
          reserved: policy.reserved({ context: 200_000, output: 64_000 }),
          lowWater: policy.lowWater(100_000),
          effects: policy.lenses[1].read(rename),
          window: windowFor(configuration, 'my-local-model-2').value,
          plugins: pluginsOf(configuration).length,
        }))`
      const { stdout, stderr } = spawnSync(
        process.execPath,
        ['--input-type=module', '-e', script],
        { cwd: folder, encoding: 'utf8' },
      )
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual({
        keep: 30_000,
        reserved: 32_000,
        lowWater: 30_000,
        effects: [{ type: 'rename', path: 'a', to: 'b' }],
        window: { context: 64_000, output: 8000 },
        plugins: 1,
      })
    },
  )

  it('names every key', () => {
    const keys: Record<keyof Config, true> = {
      store: true,
      preset: true,
      policy: true,
      protectedTools: true,
      models: true,
      lenses: true,
      plugins: true,
      recall: true,
    }
    for (const key of [...Object.keys(keys), ...policyKeys]) {
      expect(page).toMatch(new RegExp(`\`${key}[\`.]`))
    }
  })
})
