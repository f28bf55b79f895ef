import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from './testing/claude-session.ts'
import { newDirectory, runMain } from './testing/run-main.ts'
import type { Config } from '../config/config.ts'

const session = claudeSession({ turns: 12, steps: 6 })

/** The directory of a project with a session in it, and what configures it. */
function directoryWith(config: Config | string, name = 'throughline.config.json'): string {
  const directory = newDirectory()
  mkdirSync(join(directory, '.git'))
  writeFileSync(join(directory, 'session.jsonl'), session)
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  writeFileSync(join(directory, name), text)
  return directory
}

async function ran(cwd: string, command: string, ...options: string[]) {
  const argv = [command, 'session.jsonl', '--json', ...options]
  const { code, out, err } = await runMain(argv, { cwd })
  expect(err).not.toContain('throughline:')
  expect(code).toBe(0)
  return JSON.parse(out)
}

/** Code runs only where the user names it. */
const code = ['--config', 'throughline.config.mjs']
const small = ['--window', '32k']

async function differsFromDefault(config: Config, command: string, ...options: string[]) {
  const changed = await ran(directoryWith(config), command, ...options)
  const usual = await ran(directoryWith({}), command, ...options)
  expect(changed).not.toEqual(usual)
  return { changed, usual }
}

describe('compact heeds', () => {
  it.each<[string, Config, object]>([
    ['reserved', { policy: { reserved: '25%', threshold: '10k' } }, { reserved: 8000 }],
    ['threshold', { policy: { threshold: '50%' } }, { threshold: 12_000 }],
    ['lowWater', { policy: { lowWater: 9000 } }, { lowWater: 9000 }],
    ['keep', { policy: { keep: '20%' } }, { keep: 4800 }],
    ['tail', { policy: { tail: '1.5k' } }, { tail: 1500 }],
    ['the preset', { preset: 'seed' }, { reserved: 20_000, keep: expect.any(Number) }],
    ['what holds for the model', { models: { 'claude-opus': { tail: 900 } } }, { tail: 900 }],
  ])('%s', async (_, config, budget) => {
    const { plan } = await ran(directoryWith(config), 'compact', ...small)
    expect(plan.budget).toMatchObject(budget)
  })

  it('auto', async () => {
    const cwd = directoryWith({ policy: { auto: false } })
    const off = await ran(cwd, 'compact', ...small, '--if-needed')
    expect(off.report).toMatchObject({ action: 'none', reason: 'off' })
    const forced = await ran(cwd, 'compact', ...small)
    expect(forced.report.action).toBe('summary')
    const { err } = await runMain(['compact', '--if-needed', 'session.jsonl', ...small], { cwd })
    expect(err).toContain('Compaction is off (policy.auto): ')
    const plan = await runMain(['compact', '--if-needed', 'session.jsonl', ...small, '--dry-run'], {
      cwd,
    })
    expect(plan.out).toContain('Plan: nothing, because compaction is off: policy.auto')
  })

  it('summaryRole', async () => {
    const { changed, usual } = await differsFromDefault(
      { policy: { summaryRole: 'system' } },
      'compact',
      ...small,
    )
    expect([changed.messages[0].role, usual.messages[0].role]).toEqual(['system', 'user'])
  })

  it('recall', async () => {
    const cwd = directoryWith({ recall: 'look_up' })
    const { out } = await runMain(['compact', '--if-needed', 'session.jsonl', ...small], { cwd })
    expect(out).toMatch(/\n\n=== note\n\[[^\n]* The tool look_up reads it back: [^\n]*\]\n/)
  })

  it('tailTurns', async () => {
    const { changed, usual } = await differsFromDefault(
      { policy: { tailTurns: 5 } },
      'compact',
      ...small,
    )
    const users = ({ messages }: { messages: { role: string }[] }) =>
      messages.filter(({ role }) => role === 'user').length
    expect(users(changed)).toBeGreaterThan(users(usual))
  })

  it('lenses', async () => {
    const { changed, usual } = await differsFromDefault(
      { lenses: [{ tool: 'edit', deletes: 'file_path' }] },
      'compact',
      ...small,
    )
    expect(usual.summary).not.toContain('deleted')
    expect(changed.summary).toContain('deleted')
  })

  it('plugins, with their template', async () => {
    const plugin = `{ name: 'p', template: () => ({ sections: [{ heading: 'Deploys', guide: '' }] }) }`
    const cwd = directoryWith(`export default { plugins: [${plugin}] }`, 'throughline.config.mjs')
    const { summary } = await ran(cwd, 'compact', ...small, ...code)
    expect(summary).toContain('## Deploys')
  })

  it('plugins, with what they add, change and forbid', async () => {
    const plugin = `{
      name: 'p',
      sections: [{ heading: 'Deploys', guide: 'Where.' }],
      beforeCompact: () => 5,
      afterSummary: ({ summary }) => summary + '\\n- signed by p',
    }`
    const cwd = directoryWith(`export default { plugins: [${plugin}] }`, 'throughline.config.mjs')
    const { summary } = await ran(cwd, 'compact', ...small, ...code)
    expect(summary).toMatch(/## Deploys\n[^]*- signed by p/)
    const { err } = await runMain(['compact', 'session.jsonl', ...small, ...code], { cwd })
    expect(err).toContain('The plugin "p" failed in beforeCompact: its answer cannot be used;')
    const guard = `{ name: 'guard', beforeCompact: () => ({ veto: 'not today' }) }`
    const other = directoryWith(`export default { plugins: [${guard}] }`, 'throughline.config.mjs')
    const vetoed = await runMain(['compact', 'session.jsonl', ...small, ...code], { cwd: other })
    expect(vetoed.code).toBe(1)
    expect(vetoed.err).toContain('The plugin "guard" vetoed a compaction: not today.')
    expect(vetoed.out).toBe('')
  })

  it('the window of a model, and says where it is from', async () => {
    const cwd = directoryWith({
      models: { 'claude-opus': { window: { context: '40k', input: '30k' } } },
    })
    const { plan } = await ran(cwd, 'compact')
    expect(plan.window).toEqual({
      context: 40_000,
      input: 30_000,
      from: 'models.claude-opus.window in throughline.config.json',
    })
  })

  it('--keep and --window before the configuration', async () => {
    const models = { claude: { window: '64k', keep: 20_000, tail: 10, lowWater: 10 } }
    const cwd = directoryWith({ models, policy: { keep: 19_000 } })
    const { plan } = await ran(cwd, 'compact', '--keep', '6k', ...small)
    expect(plan.window).toEqual({ context: 32_000, from: 'as requested' })
    expect(plan.budget.keep).toBeLessThanOrEqual(6000)
    expect(plan.budget.tail).toBeGreaterThan(1000)
  })
})

describe('inspect heeds', () => {
  it.each<[string, Config]>([
    ['recent', { policy: { recent: 0 } }],
    ['tailTurns', { policy: { tailTurns: 1 } }],
    ['protectedTools', { protectedTools: ['read'] }],
  ])('%s in what pruning would free', async (_, config) => {
    const { changed, usual } = await differsFromDefault(config, 'report', '--fill', ...small)
    expect(changed.prunable).not.toEqual(usual.prunable)
  })

  it('tools that a plugin protects in what pruning would free', async () => {
    const cwd = directoryWith({ plugins: [{ name: 'p', protectedTools: ['read'] }] }, 'own.json')
    const changed = await ran(cwd, 'report', '--fill', ...small, '--config', 'own.json')
    const usual = await ran(directoryWith({}), 'report', '--fill', ...small)
    expect(changed.prunable).not.toEqual(usual.prunable)
  })

  it('recentSteps', async () => {
    const freed = async (recentSteps: number) => {
      const cwd = directoryWith({ policy: { recent: 0, recentSteps } })
      return (await ran(cwd, 'report', '--fill', ...small)).prunable.tokens
    }
    expect(await freed(9)).toBeLessThan(await freed(2))
  })

  it('reserved, lenses and the window', async () => {
    const cwd = directoryWith({
      policy: { reserved: 1000 },
      lenses: [{ tool: 'Edit', reads: 'file_path' }],
      models: { claude: { window: '50k' } },
    })
    const found = await ran(cwd, 'report', '--fill')
    expect(found.window).toMatchObject({ context: 50_000, usable: 49_000 })
    expect(found.changed).toEqual([])
  })
})

describe('compact --if-needed heeds', () => {
  it.each<[string, Config]>([
    ['threshold', { policy: { threshold: 10_000 } }],
    ['auto', { policy: { auto: false } }],
    ['keep', { policy: { keep: 3000, lowWater: 5000 } }],
    ['the preset', { preset: 'seed' }],
    ['what holds for the model', { models: { 'claude-opus-4-5': { threshold: 10_000 } } }],
  ])('%s', async (_, config) => {
    const { changed, usual } = await differsFromDefault(
      config,
      'compact',
      '--if-needed',
      '--window',
      '48k',
    )
    expect(changed.messages).not.toEqual(usual.messages)
  })

  it('protectedTools, and whether old outputs are pruned without a summary', async () => {
    const compacted = async (config: string) => {
      const cwd = directoryWith(`export default { ${config} }`, 'throughline.config.mjs')
      const { messages } = await ran(cwd, 'compact', '--if-needed', '--window', '48k', ...code)
      return messages
    }
    const always = 'policy: { pruneAlone: () => true }'
    const [pruned, guarded, usual] = [
      await compacted(always),
      await compacted(`${always}, protectedTools: ['Read']`),
      await compacted(''),
    ]
    expect(guarded).not.toEqual(pruned)
    expect(usual).not.toEqual(pruned)
  })

  it('the window of a model', async () => {
    const cwd = directoryWith({ models: { claude: { window: '48k' } } })
    const { window } = await ran(cwd, 'report', '--fill')
    expect(window).toMatchObject({
      context: 48_000,
      from: 'models.claude.window in throughline.config.json',
    })
  })
})

describe('every command that a session is given to', () => {
  const bad = directoryWith({ policy: { keep: '8q' } })

  it.each([['compact'], ['report', '--fill'], ['config']])(
    '%s %s says in one line what is wrong with the configuration, and can do without',
    async (...command) => {
      const argv = command[0] === 'config' ? command : [...command, 'session.jsonl']
      const { code, out, err } = await runMain(argv, { cwd: bad })
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toBe(
        'throughline: throughline.config.json: policy.keep is "8q"; it must be tokens such as 8000 or "8k", or a percentage such as "40%".\n',
      )
      expect((await runMain([...argv, '--no-config'], { cwd: bad })).code).toBe(0)
      writeFileSync(join(bad, 'good.json'), '{}')
      expect((await runMain([...argv, '--config', 'good.json'], { cwd: bad })).code).toBe(0)
      const both = await runMain([...argv, '--no-config', '--config', 'good.json'], { cwd: bad })
      expect(both.code).toBe(2)
      expect(both.err).toContain('--config names a file and --no-config forbids it')
    },
  )

  it('finds the file in a directory above', async () => {
    const above = directoryWith({ models: { claude: { window: '50k' } } })
    const cwd = join(above, 'a', 'b')
    mkdirSync(cwd, { recursive: true })
    const { out } = await runMain(['report', '--fill', '../../session.jsonl', '--json'], { cwd })
    expect(JSON.parse(out).window.context).toBe(50_000)
  })
})
