import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  startProvider,
  type ProviderScript,
  type ScriptedProvider,
} from 'throughline/testing/provider'
import { allClients, clientOf } from './clients.ts'
import { runBehind, type RunOptions } from './run-behind.ts'

const open: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()))
})

/** A client: it asks over its variable, with more each time, and writes down what it heard. */
const client = `
const { writeFileSync } = require('node:fs')
const said = []
void (async () => {
  const messages = [{ role: 'user', content: 'Read it all. Never edit main.ts.' }]
  for (let step = 0; step < 60; step++) {
    messages.push({ role: 'assistant', content: 'Part ' + step }, { role: 'user', content: 'word '.repeat(300) + step })
    const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'user-agent': 'own' },
      body: JSON.stringify({ model: 'unheard-of', messages }),
    })
    said.push(answer.status)
    if (answer.status !== 200) break
  }
  writeFileSync(process.argv[1], JSON.stringify({ said, url: process.env.OPENAI_BASE_URL }))
  process.exit(said.every((status) => status === 200) ? 7 : 1)
})()
`

async function ran(
  change: Partial<RunOptions> = {},
  { script = () => ({ text: 'ok' }) }: { script?: ProviderScript } = {},
) {
  const provider = await startProvider({ script, rules: { window: 12_000 } })
  open.push(provider)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
  const heard = join(folder, 'heard.json')
  const told: string[] = []
  const options: RunOptions = {
    command: process.execPath,
    args: ['-e', client, heard],
    env: { ...process.env, OPENAI_BASE_URL: `${provider.url}/v1` },
    directory: folder,
    folder: join(folder, 'store'),
    say: async (text) => void told.push(text),
    ...change,
  }
  const code = await runBehind(options)
  return { code, told, provider, heard: () => JSON.parse(readFileSync(heard, 'utf8')) }
}

describe('a command behind its own gateway', () => {
  it('never hears that its session is too long, and ends as it ends', async () => {
    const { code, told, heard, provider } = await ran()
    expect(code).toBe(7)
    expect(new Set(heard().said)).toEqual(new Set([200]))
    expect(heard().said).toHaveLength(60)
    expect(heard().url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/~any-openai$/)
    expect(provider.requests.some(({ refused }) => refused === 'overflow')).toBe(true)
    expect(told[0]).toContain('for this run alone')
    expect(told[1]).toMatch(/60 requests; \d+ compactions? in 1 session/)
    // The gateway has ended with it.
    await expect(fetch(heard().url)).rejects.toThrow()
  })

  it('says at the end what did not reach the provider, and what was answered with an error', async () => {
    const nowhere = { ...process.env, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
    const { code, told } = await ran({ env: nowhere })
    expect(code).toBe(1)
    expect(told[1]).toContain('1 request; no compaction; 1 request did not reach the provider.')
    const refused = await ran({}, { script: () => ({ refuses: 'failure' }) })
    expect(refused.told[1]).toMatch(/1 request; no compaction; 1 answer with an error \(\d{3}\)\./)
  })

  it('is reached without the proxy of the environment, and so is what the user has exempted', async () => {
    const proxied = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'own.example', no_proxy: '' }
    const writes = `require('node:fs').writeFileSync('env.json', JSON.stringify(process.env))`
    const directory = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
    const run = (env: object) =>
      ran({ args: ['-e', writes], directory, env: { PATH: process.env['PATH'], ...env } })
    const given = () =>
      JSON.parse(readFileSync(join(directory, 'env.json'), 'utf8')) as Record<string, string>
    await run(proxied)
    expect(given()['NO_PROXY']).toBe('own.example,127.0.0.1,localhost')
    expect(given()['no_proxy']).toBe('own.example,127.0.0.1,localhost')
    await run({})
    expect(given()).not.toHaveProperty('NO_PROXY')
  })

  it.each([
    ['it ends well', 'process.exit(0)', 0],
    ['it fails', 'process.exit(3)', 3],
  ])(
    'says plainly at the end that it was not used, where no request came and %s',
    async (_, script, ends) => {
      const { code, told } = await ran({ args: ['-e', script] })
      expect(code).toBe(ends)
      expect(told[1]).toMatch(/no request came to the gateway: node\S* did not use it\./)
      expect(told[1]).toContain('it asked the provider directly, and nothing was compacted')
      expect(told[1]).toMatch(
        /Check that it reads OPENAI_BASE_URL .* no flag and no file of its own/,
      )
      expect(told[1]).not.toContain('0 requests')
    },
  )

  it.each(allClients)('has something to check for $name where no request came', async (one) => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
    const command = join(folder, one.commands[0] ?? 'own-agent')
    writeFileSync(command, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const { told } = await ran({ command, args: [], env: { ...process.env, HOME: folder } })
    expect(told[1]).toContain(`${basename(command)} did not use it`)
    expect(told[1]).toContain(`Check that ${one.check}.`)
    for (const { login, works } of one.logins) {
      if (works === 'no') expect(told[1]).toContain(login)
    }
  })

  it('does not start where its own configuration cannot be sent to the gateway', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
    const command = join(folder, 'cn')
    const started = join(folder, 'started')
    writeFileSync(command, `#!/bin/sh\ntouch '${started}'\n`, { mode: 0o755 })
    const run = ran({ command, args: ['--config', 'owner/agent', '-p', 'Work.'] })
    await expect(run).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringMatching(/owner\/agent .* nothing was started\. Give cn a file/),
    })
    expect(existsSync(started)).toBe(false)
  })

  it('says nothing if asked for that', async () => {
    expect((await ran({ isQuiet: true })).told).toEqual([])
  })

  it('says that there is no such command', async () => {
    await expect(ran({ command: 'no-such-client' })).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: 'There is no command "no-such-client" on the path.',
    })
  })
})

describe('a client is sent to the gateway', () => {
  const url = 'http://127.0.0.1:9'

  async function pointed(
    command: string,
    files: Record<string, string>,
    args: string[] = [],
    env = {},
  ) {
    const home = mkdtempSync(join(tmpdir(), 'throughline-home-'))
    const { mkdirSync } = await import('node:fs')
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(home, name, '..'), { recursive: true })
      writeFileSync(join(home, name), text)
    }
    const place = { url, env, args, directory: home, home, folder: home }
    const before = Object.keys(files).map((name) => readFileSync(join(home, name), 'utf8'))
    const result = await clientOf(command).point(place)
    // No file of its own is touched.
    expect(Object.keys(files).map((name) => readFileSync(join(home, name), 'utf8'))).toEqual(before)
    return result
  }

  it('as codex, to the provider of its configuration', async () => {
    const config =
      'model_provider = "own"\n[model_providers.own]\nbase_url = "https://x.example/v1"\n'
    const { args, routes } = await pointed('/usr/bin/codex', { '.codex/config.toml': config })
    expect(args).toEqual(['-c', `model_providers.own.base_url="${url}/~codex"`])
    expect(routes).toEqual({ codex: 'https://x.example/v1' })
  })

  it('as codex, with a plan or with a key', async () => {
    const plan = await pointed('codex', { '.codex/auth.json': '{"tokens":{"access_token":"x"}}' })
    expect(plan.routes).toEqual({ codex: 'https://chatgpt.com/backend-api/codex' })
    expect(plan.args).toContain('model_providers.throughline.requires_openai_auth=true')
    const key = await pointed('codex', {}, [], { OPENAI_API_KEY: 'k' })
    expect(key.routes).toEqual({ codex: 'https://api.openai.com/v1' })
  })

  it('as opencode, to all of its providers', async () => {
    const file =
      '{ // own\n "provider": { "mine": { "options": { "baseURL": "https://y.example/v1" } } } }'
    const { env, routes } = await pointed('opencode', { 'opencode.jsonc': file })
    expect(routes).toEqual({ 'opencode-mine': 'https://y.example/v1' })
    const content = JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')
    expect(content.provider.mine.options.baseURL).toBe(`${url}/~opencode-mine`)
    expect(content.provider.anthropic.options.baseURL).toBe(`${url}/v1`)
  })

  it('as any client over a variable, to where the variable pointed', async () => {
    const { env, routes } = await pointed('claude', {}, [], {
      ANTHROPIC_BASE_URL: 'https://z.example',
    })
    expect(env).toEqual({ ANTHROPIC_BASE_URL: `${url}/~claude-code-anthropic` })
    expect(routes).toEqual({ 'claude-code-anthropic': 'https://z.example' })
    expect((await pointed('gemini', {})).env).toEqual({ GOOGLE_GEMINI_BASE_URL: url })
  })

  it('as cn, by a copy of its configuration', async () => {
    const yaml = 'models:\n  - name: m\n    apiBase: "https://w.example/v1" # ours\n'
    const { args, own, routes } = await pointed('cn', { '.continue/config.yaml': yaml }, [
      '-p',
      'x',
    ])
    expect(routes).toEqual({ 'cn-1': 'https://w.example/v1' })
    expect(args[0]).toBe('--config')
    expect(readFileSync(args[1] ?? '', 'utf8')).toContain(`apiBase: "${url}/~cn-1" # ours`)
    expect(own).toBeUndefined()
  })

  it.each([
    ['--config', 'own/c.json'],
    ['--config=./own/c.json'],
    ['serve', '--config', '~/own/c.json'],
    ['--config', 'other.yaml', '--config', 'own/c.json'],
  ])('as cn, by a copy in place of its own %s %s', async (...given) => {
    const json = JSON.stringify({
      name: 'mine',
      models: [
        { name: 'a', provider: 'openai', model: 'a', apiBase: 'https://w.example/v1/' },
        { name: 'b', provider: 'anthropic', model: 'b', apiKey: '${{ secrets.KEY }}' },
        { name: 'c', provider: 'ollama', model: 'c', apiBase: '${{ secrets.BASE }}' },
      ],
    })
    const other = 'models: [{ name: m, apiBase: https://other.example }]'
    const files = { 'own/c.json': json, 'other.yaml': other, '.continue/config.yaml': other }
    const { args, own = [], routes } = await pointed('cn', files, [...given, '-p', 'x'])
    expect(args).toEqual([])
    expect(routes).toEqual({ 'cn-1': 'https://w.example/v1/' })
    // No file of the user is named any more, and nothing else has changed.
    const said = own.join(' ')
    expect(said).not.toMatch(/c\.json|other/)
    expect(said).toMatch(/ -p x$/)
    expect(own).toHaveLength(given.length + 2)
    const copy = /--config[ =](\S+)/.exec(said)?.[1] ?? ''
    const { models } = parse(readFileSync(copy, 'utf8')) as { models: Record<string, string>[] }
    expect(models.map(({ apiBase }) => apiBase)).toEqual([
      `${url}/~cn-1/`,
      `${url}/v1/`,
      '${{ secrets.BASE }}',
    ])
    expect(models[1]?.['apiKey']).toBe('${{ secrets.KEY }}')
  })

  it('as cn, with the files beside its configuration, and with addresses that are named once', async () => {
    const yaml = [
      'base: &base https://w.example/v1',
      'models:',
      '  - { name: m, apiBase: *base }',
      'rules:',
      '  - uses: file://./rules/one.md',
    ].join('\n')
    const files = { 'own/c.yaml': yaml, 'own/rules/one.md': 'One.' }
    const { own = [], routes } = await pointed('cn', files, ['--config', 'own/c.yaml'])
    expect(routes).toEqual({ 'cn-1': 'https://w.example/v1' })
    const copy = parse(readFileSync(own[1] ?? '', 'utf8'))
    expect(copy.models[0].apiBase).toBe(`${url}/~cn-1`)
    expect(readFileSync(copy.rules[0].uses, 'utf8')).toBe('One.')
  })

  it.each([
    ['owner/agent', /Continue account/],
    ['missing.yaml', /cannot be read/],
    ['broken.json', /is not the YAML or JSON/],
    ['none.yaml', /no model that can be sent/],
  ])('as cn never, with --config %s', async (file, problem) => {
    const files = { 'broken.json': '{ "models": [', 'none.yaml': 'models: [{ uses: owner/model }]' }
    await expect(pointed('cn', files, ['--config', file])).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringMatching(problem),
    })
  })
})
