import { capturedIo, type Setting } from '../../testing/captured-io.ts'
import { main } from '../../main.ts'
import type { Output } from '../../io.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { commands } from '../../commands.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { newDirectory, runMain } from '../../testing/run-main.ts'

const json = 'throughline.config.json'

/** A home with a project in it, each with a configuration. */
function newHome(near: object, user: object) {
  const home = newDirectory()
  const cwd = join(home, 'app')
  const folder = join(home, '.config', 'throughline')
  mkdirSync(cwd)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(cwd, json), JSON.stringify(near))
  writeFileSync(join(folder, json), JSON.stringify(user))
  return { cwd, env: { HOME: home }, home }
}

const home = newHome(
  {
    policy: { keep: '20%', lowWater: '90%' },
    models: { 'claude-opus': { window: '100k', tail: '2k' } },
    protectedTools: ['deploy'],
    lenses: [{ tool: ['note', 'memo'], writes: 'path' }],
  },
  { policy: { keep: '10%', breaker: { pause: 3 } }, recall: 'look_up', store: '~/s.db' },
)

/** The rows of the listing: key, value and where it is from. */
async function rows(...options: string[]): Promise<string[][]> {
  const { code, out, err } = await runMain(['config', ...options], home)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
    .split('\n')
    .slice(out.split('\n').findIndex((line) => line.startsWith('Active for')) + 1)
    .map((line) => line.trim().split(/ {2,}/))
}

describe('config', () => {
  it('says where it looked', async () => {
    const { out } = await runMain(['config'], home)
    expect(out).toMatch(
      /^Configuration files\n {2}here and above {2}throughline.config.json\n {2}your own +~\/.config\/throughline\/throughline.config.json\n/,
    )
    const nowhere = await runMain(['config'], { env: { HOME: '/none' }, cwd: '/' })
    expect(nowhere.out).toMatch(
      /here and above {2}none, looked in \/\n.* none, looked in ~\/.config/,
    )
    const none = await runMain(['config', '--no-config'], home)
    expect(none.out).toMatch(/^No configuration file is read\n/)
  })

  it('says what is in force, and where each value is from', async () => {
    const found = await rows()
    for (const row of [
      ['store', '~/s.db', '"~/s.db" in ~/.config/throughline/throughline.config.json'],
      ['preset', 'default', 'default'],
      ['policy.auto', 'true', 'default'],
      ['policy.keep', '36,000', '"20%" in throughline.config.json'],
      ['policy.breaker.failures', '3', 'default'],
      ['policy.breaker.pause', '3', 'in ~/.config/throughline/throughline.config.json'],
      ['protectedTools', 'skill', 'default'],
      ['protectedTools', 'deploy', 'in throughline.config.json'],
      ['lenses', 'note, memo', 'in throughline.config.json'],
      ['recall', 'look_up', 'in ~/.config/throughline/throughline.config.json'],
      ['models.claude-opus.window', '100k', 'in throughline.config.json'],
    ]) {
      expect(found).toContainEqual(row)
    }
  })

  it('says what holds for a model', async () => {
    const { out } = await runMain(['config', '--model', 'claude-opus-4-5'], home)
    expect(out).toContain(
      'Active for claude-opus-4-5, in a window of 100k (models.claude-opus.window in throughline.config.json)',
    )
    const found = await rows('--model', 'claude-opus-4-5')
    expect(found).toContainEqual([
      'policy.tail',
      '2,000',
      'models.claude-opus.tail "2k" in throughline.config.json',
    ])
    expect(found.map(([key]) => key)).not.toContain('models.claude-opus.tail')
  })

  it('says so where a value cannot have its way', async () => {
    const cwd = newHome({ policy: { keep: '90%' } }, {})
    const { out } = await runMain(['config'], cwd)
    expect(out).toContain('90,000') // of the 162,000 that were asked for
    expect(out).toContain('"90%" in throughline.config.json; lowWater leaves no more')
  })

  it('names the preset, the option and the environment', async () => {
    const seed = newHome({ preset: 'seed' }, {})
    expect((await runMain(['config'], seed)).out).toMatch(/policy.reserved +20,000 +preset seed\n/)
    expect(await rows('--store', 'x.db')).toContainEqual(['store', 'x.db', '--store'])
    const env = { ...home.env, THROUGHLINE_STORE: 'y.db' }
    const { out } = await runMain(['config'], { ...home, env })
    expect(out).toMatch(/store +y.db +THROUGHLINE_STORE\n/)
  })

  it('says the same as JSON', async () => {
    const { out } = await runMain(['config', '--json', '--model', 'claude-opus-4-5'], home)
    const file = join(home.cwd, json)
    const found = JSON.parse(out)
    expect(found).toMatchObject({
      version: 1,
      model: 'claude-opus-4-5',
      window: { context: 100_000 },
      files: [{ file }, { file: join(home.home, '.config', 'throughline', json) }],
    })
    expect(found.values).toContainEqual({
      key: 'policy.keep',
      value: 16_000,
      from: { type: 'file', file, key: 'policy.keep', given: '20%' },
    })
    expect(found.values).toContainEqual({
      key: 'policy.auto',
      value: true,
      from: { type: 'preset', name: 'default' },
    })
    const listed = (await rows('--model', 'claude-opus-4-5')).filter(([key]) => key !== '')
    expect(found.values).toHaveLength(listed.length)
  })

  it('prints nothing that a terminal obeys', async () => {
    const bad = newHome({ protectedTools: ['\u001b[2Jx'], models: { '\u202ea': { keep: 9 } } }, {})
    for (const options of [[], ['--json'], ['--model', '\u001b[31mm']]) {
      const { out } = await runMain(['config', ...options], bad)
      expect(out).not.toMatch(/[\u001b\u202e]/)
    }
  })
})

it('says of code in a project that it was not run', async () => {
  const home = newDirectory()
  const cwd = join(home, 'app')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'throughline.config.mjs'), 'export default { recall: "it" }')
  const { err, out } = await runMain(['config'], { cwd, env: { HOME: home } })
  expect(err).toBe(
    'throughline: throughline.config.mjs: it is code of this project, and was not run. If you wrote it: --config FILE. Otherwise: --no-config.\n',
  )
  expect(out).not.toMatch(/recall +it /)
})

/** Runs a command; one that goes on until Ctrl-C is interrupted when it has said something. */
async function untilItServes(name: string, argv: readonly string[], setting: Setting) {
  const { io, interrupt } = capturedIo(setting)
  if (!['serve', 'run'].includes(name)) return main(argv, io)
  const heard = (output: Output): Output => ({
    ...output,
    write: async (text) => {
      await output.write(text)
      interrupt()
    },
  })
  return main(argv, { ...io, stdout: heard(io.stdout), stderr: heard(io.stderr) })
}

it('no command runs the code of a project', async () => {
  const cwd = newDirectory()
  const env = { HOME: newDirectory() }
  mkdirSync(join(cwd, '.git'))
  writeFileSync(join(cwd, 'session.jsonl'), claudeSession({ turns: 2, steps: 2 }))
  const ran = join(cwd, 'it-ran')
  const evil = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(ran)}, '')`
  writeFileSync(join(cwd, 'throughline.config.mjs'), `${evil}\nexport default {}`)
  for (const { name } of commands) {
    const argv = [name, 'session.jsonl', 'x', '--to', 'codex', '--yes']
    for (const given of [[name], argv.slice(0, 2), argv.slice(0, 3), argv])
      await untilItServes(name, given, { cwd, env, input: '' })
    expect({ name, ran: existsSync(ran) }).toEqual({ name, ran: false })
  }
  await runMain(['report', '--fill', 'session.jsonl', '--config', 'throughline.config.mjs'], {
    cwd,
    env,
  })
  expect(existsSync(ran)).toBe(true)
})

const bin = fileURLToPath(new URL('../../../../bin/throughline.js', import.meta.url))
const built = existsSync(new URL('../../../../dist/command.js', import.meta.url))

describe.skipIf(!built)('the built command', () => {
  const cwd = newDirectory()
  mkdirSync(join(cwd, 'throughline'))
  writeFileSync(
    join(cwd, 'throughline', 'throughline.config.ts'),
    'export default { recall: "it" as string }',
  )
  const ran = (...options: string[]) =>
    spawnSync(process.execPath, [...options, bin, 'config'], {
      cwd,
      env: { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd, APPDATA: cwd },
      encoding: 'utf8',
    })

  it.skipIf(!process.features.typescript)('reads TypeScript', () => {
    const { stdout, stderr } = ran()
    expect(stderr).toBe('')
    expect(stdout).toMatch(/recall +it +in throughline\/throughline.config.ts\n/)
  })

  it('says what to do where Node does not', () => {
    const { status, stdout, stderr } = ran('--no-experimental-strip-types')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^throughline: throughline\/throughline.config.ts: this Node \([\d.]+\) cannot run TypeScript by itself. Use Node 22.18 or newer, or write the configuration as .mjs or .json.\n$/,
    )
  })
})
