import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import {
  startProvider,
  type ProviderScript,
  type ScriptedProvider,
} from 'throughline/testing/provider'
import { runBehind, type RunOptions } from '../run-behind.ts'

const open: ScriptedProvider[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()))
})

/** A client: it asks with more each time, and again soon where nobody answers, as clients do. */
const client = `
const { writeFileSync } = require('node:fs')
const said = []
const sessions = new Set()
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time))
async function ask(messages) {
  let problem
  let refused = 0
  for (let time = 50; time < 60_000; time *= 2) {
    try {
      return await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer k', 'user-agent': 'own' },
        body: JSON.stringify({ model: 'unheard-of', messages }),
      })
    } catch (error) {
      problem = error.cause?.code
      if (problem === 'ECONNREFUSED') refused++
      // Once is no sign of it: between a death and the port being held, there is a moment.
      if (refused === 5 && process.argv[2] === 'impatient') break
      await wait(time)
    }
  }
  writeFileSync(process.argv[1], JSON.stringify({ problem }))
  process.exit(9)
}
void (async () => {
  const messages = [{ role: 'user', content: 'Read it all. Never edit main.ts.' }]
  for (let step = 0; step < 60; step++) {
    messages.push({ role: 'assistant', content: 'Part ' + step }, { role: 'user', content: 'word '.repeat(300) + step })
    const answer = await ask(messages)
    said.push(answer.status)
    // The first ones belong to none.
    if (answer.headers.has('x-throughline-session')) sessions.add(answer.headers.get('x-throughline-session'))
    await answer.text()
  }
  const [session] = sessions
  const url = new URL('/throughline/sessions/' + session + '/report', process.env.OPENAI_BASE_URL)
  const page = await fetch(url, { headers: { authorization: 'Bearer k' } })
  const report = page.status === 200 ? await page.text() : page.status
  writeFileSync(process.argv[1], JSON.stringify({ said, sessions: [...sessions], report }))
  process.exit(7)
})()
`

/** The gateways that a process has started. */
function gatewaysOf(parent: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, ppid, stat]) => Number(ppid) === parent && !stat?.startsWith('Z'))
    .filter((words) => words.some((word) => word.includes('gateway-process')))
    .map(([pid]) => Number(pid))
}

function killGateways(signal: NodeJS.Signals): void {
  for (const pid of gatewaysOf(process.pid)) process.kill(pid, signal)
}

function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}

async function prepared(script: ProviderScript, given: readonly string[] = []) {
  const provider = await startProvider({ script, rules: { window: 12_000 } })
  open.push(provider)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
  const file = join(folder, 'heard.json')
  const options = {
    command: process.execPath,
    args: ['-e', client, file, ...given],
    env: { ...process.env, OPENAI_BASE_URL: `${provider.url}/v1` },
    directory: folder,
    folder: join(folder, 'store'),
  }
  return { provider, folder, file, options, heard: () => JSON.parse(readFileSync(file, 'utf8')) }
}

async function ran(
  script: ProviderScript,
  change: Partial<RunOptions> = {},
  given: readonly string[] = [],
) {
  const { provider, options, heard } = await prepared(script, given)
  const told: string[] = []
  const say = async (text: string) => void told.push(text)
  const code = await runBehind({ ...options, say, ...change })
  return { provider, told, code, heard }
}

/** The first message that a request to the provider has. */
function firstOf({ requests }: ScriptedProvider, number: number): string {
  const messages = requests[number - 1]?.body['messages'] as unknown[] | undefined
  return JSON.stringify(messages?.[0])
}

describe('a gateway that ends by itself', () => {
  it('is there again for the next request, which stands under the same checkpoint', async () => {
    const killed = 50
    const kills: ProviderScript = ({ number }) => {
      if (number === killed) killGateways('SIGKILL')
      return { text: 'ok' }
    }
    const settings = { window: { context: 12_000 }, summaryModel: false } as const
    const { provider, told, code, heard } = await ran(kills, { settings })
    expect(code).toBe(7)
    expect(heard().said).toEqual(Array.from({ length: 60 }, () => 200))
    expect(heard().sessions).toHaveLength(1)
    expect(firstOf(provider, killed)).toContain('prior-conversation-summary')
    expect(firstOf(provider, killed + 1)).toBe(firstOf(provider, killed))
    expect(told).toHaveLength(2)
    expect(told[1]).toMatch(/60 requests; \d+ compactions? in 1 session/)
    expect(told[1]).toContain('ended by itself once (it was killed by SIGKILL) and was started')
  })

  it('is not started for ever: what happened is said once, and requests are refused', async () => {
    const kills: ProviderScript = () => {
      killGateways('SIGKILL')
      return { text: 'ok' }
    }
    const keeping = { restarts: 2, within: Infinity }
    const { told, code, heard } = await ran(kills, { keeping }, ['impatient'])
    expect(code).toBe(9)
    expect(heard()).toEqual({ problem: 'ECONNREFUSED' })
    expect(told).toHaveLength(3)
    expect(told[1]).toMatch(
      /^throughline: the gateway ended .* 3 times .*SIGKILL.* not started again: .* refused\.\n$/,
    )
  })

  it.each([
    ['ends', 'process.exit(3)', /^The gateway ended with exit code 3 before it was ready: nothing/],
    ['fails', `throw new TypeError('No.')`, /exit code 1 \(TypeError: No\.\) before it was ready/],
  ])('at its start starts no client, and says so in a line, where it %s', async (_, code, said) => {
    const { options, folder } = await prepared(() => ({ text: 'ok' }))
    const process = join(folder, 'gateway-process.mjs')
    writeFileSync(process, code)
    const told: string[] = []
    const say = async (text: string) => void told.push(text)
    const started = join(folder, 'started')
    const args = ['-e', `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`]
    const keeping = { file: pathToFileURL(process) }
    const run = runBehind({ ...options, args, say, keeping })
    await expect(run).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringMatching(said),
    })
    await expect(run).rejects.toMatchObject({ message: expect.not.stringContaining('\n') })
    expect(told).toEqual([])
    expect(existsSync(started)).toBe(false)
  })
})

describe('a gateway of a run', () => {
  it('leaves the signals of the terminal to the client', async () => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    const { told, code } = await ran(({ number }) => {
      const signal = signals[number - 1]
      if (signal) killGateways(signal)
      return { text: 'ok' }
    })
    expect(code).toBe(7)
    expect(told[1]).toContain('60 requests')
    expect(told[1]).not.toContain('by itself')
  })

  it('makes a page by the module that it is given, when it is asked for one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'throughline-run-test-'))
    const module = join(folder, 'page.mjs')
    const code =
      'export const sessionPage = ({ when }) => async (log, { model }) => `${when} ${model} ${log.length > 60}`'
    writeFileSync(module, code)
    const pageModule = pathToFileURL(module).href
    const change = { pageModule, settings: { when: 'before' } } as const
    const { heard } = await ran(() => ({ text: 'ok' }), change)
    expect(heard().report).toBe('before unheard-of true')
  })

  it('says what is wrong with its store as if it were in this process', async () => {
    const { options, folder } = await prepared(() => ({ text: 'ok' }))
    const taken = join(folder, 'taken')
    writeFileSync(taken, '')
    const run = runBehind({ ...options, folder: taken, say: async () => {} })
    await expect(run).rejects.toMatchObject({ code: 'EEXIST', message: /taken/ })
  })

  it('serves on where only the command is killed, and leaves nothing behind after the client', async () => {
    let command = 0
    let gateways: number[] = []
    const { options, folder, file, heard } = await prepared(({ number }) => {
      // The one that serves on is not the first.
      if (number === 10) for (const pid of gatewaysOf(command)) process.kill(pid, 'SIGKILL')
      if (number === 20) {
        gateways = gatewaysOf(command)
        process.kill(command, 'SIGKILL')
      }
      return { text: 'ok' }
    })
    const program = join(folder, 'command.mjs')
    const code = `
      const { runBehind } = await import(${JSON.stringify(new URL('../run-behind.ts', import.meta.url).href)})
      const { env, ...options } = JSON.parse(process.env.OPTIONS)
      await runBehind({ ...options, env: process.env, say: async () => {} })
    `
    writeFileSync(program, code)
    const child = spawn(process.execPath, [program], {
      stdio: 'ignore',
      env: { ...options.env, TMPDIR: folder, OPTIONS: JSON.stringify(options) },
    })
    command = child.pid ?? 0
    await expect.poll(() => existsSync(file)).toBe(true)
    await expect.poll(() => heard().said).toEqual(Array.from({ length: 60 }, () => 200))
    expect(child.signalCode).toBe('SIGKILL')
    expect(gateways).toHaveLength(1)
    await expect.poll(() => gateways.some(isRunning)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('throughline-run-'))).toEqual([])
  })
})
