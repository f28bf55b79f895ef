import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { accountProblems } from './own-account.ts'
import { insideClient } from './inside-client.ts'
import type { InsideClient } from './client-trial.ts'
import { installThroughline } from './install-throughline.ts'
import { readBackProblems } from './read-back.ts'
import { insideProblems, type Expectations, type PluginRecord } from './check.ts'
import { makeWorkspace } from './workspace.ts'
import { prompt, startAgent, type ScriptedAgent } from './agent.ts'
import { rivalProblems } from './rival.ts'
import { runClient } from '../run-client.ts'

/** What a client does with our plugin in it. */
const scenarios = [
  'threshold, three times, and resumed',
  'overflow error',
  '/compact, and resumed',
  'kill -9, and resumed',
  'off',
  'broken',
  'a rival beside it',
] as const

type Scenario = (typeof scenarios)[number]

/** The scenarios of a client: only some can load a rival. */
export function scenariosOf({ loadRival }: InsideClient): readonly Scenario[] {
  return scenarios.filter((one) => loadRival || one !== 'a rival beside it')
}

interface ScenarioPlace {
  name: string
  scenario: Scenario
  installed: string
  /** The command of the packed Throughline. */
  throughline: string
  home: string
}

export interface ScenarioResult {
  problems: string[]
  printed?: string
}

interface Stage {
  inside: InsideClient
  agent: ScriptedAgent
  directory: string
  env: Record<string, string>
  home: string
  command: string
  problems: string[]
  printed: string
}

/** Runs one scenario with a real client and a scripted provider. */
export async function runScenario(place: ScenarioPlace): Promise<ScenarioResult> {
  const { name, scenario, installed, throughline, home } = place
  const inside = insideClient(name)
  const { directory, files } = await makeWorkspace(join(home, 'work/project'), 26)
  const agent = await startAgent({
    ...inside,
    workspace: { directory, files },
    // In one scenario, the provider takes less than the client believes.
    window: scenario === 'overflow error' ? inside.overflowsAt : inside.window,
    perPrompt: callsOf(scenario, inside),
  })
  try {
    const settled = { home, cache: installed, url: agent.url, model: 'scripted' }
    const own = await inside.client.settle(settled)
    const env = { ...own, ...(await inside.prepare(home)) }
    await installThroughline(inside, { throughline, home, isBroken: scenario === 'broken' })
    if (scenario === 'a rival beside it') await inside.loadRival?.(home)
    Object.assign(env, switches[scenario])
    await mkdir(directory, { recursive: true })
    const command = join(installed, 'node_modules/.bin', inside.client.command)
    const stage: Stage = { inside, agent, directory, env, home, command, problems: [], printed: '' }
    const expected = await play(stage, scenario)
    const records = await recordsOf(home, name)
    const problems = [
      ...stage.problems,
      ...insideProblems(agent, records, expected),
      ...(await accountProblems({
        throughline,
        home,
        name,
        asked: agent.kinds.filter((kind) => kind === 'summary').length,
        toldAfter: expected.toldAfter,
        isWhole: scenario !== 'broken',
      })),
      ...(await readBackProblems(inside, { throughline, home, directory })),
    ]
    if (scenario === 'a rival beside it') {
      problems.push(...(await rivalProblems(agent, records, { throughline, home })))
    }
    const session = records.find((record) => record.session !== undefined)?.session
    if (expected.compactions > 0 && session === undefined)
      problems.push('no session in the records')
    return {
      problems: [...new Set(problems)],
      ...(problems.length > 0 && { printed: stage.printed }),
    }
  } finally {
    await agent.close()
  }
}

/** What the user sets in the environment of the client. */
const switches: Partial<Record<Scenario, Record<string, string>>> = {
  off: { THROUGHLINE_OFF: '1' },
}

/** How many calls are made for each prompt: before `/compact`, fewer than would be compacted anyway. */
function callsOf(scenario: Scenario, { filesBeforeCompact }: InsideClient): readonly number[] {
  if (scenario.startsWith('threshold')) return [16]
  if (scenario.startsWith('kill')) return [killedAt + 8]
  return [scenario.startsWith('/compact') ? filesBeforeCompact : 9]
}

async function play(stage: Stage, scenario: Scenario): Promise<Expectations> {
  const { inside } = stage
  const { resumesInOtherWords = false, cacheLosses = 1, toldAfter = 0 } = inside
  const usual = {
    compactions: 1,
    mayRefuse: false,
    atWork: true,
    toldAfter,
    resumesInOtherWords,
    cacheLosses,
  }
  switch (scenario) {
    case 'threshold, three times, and resumed':
      await run(stage, first)
      await run(stage, more)
      return { ...usual, compactions: 3 }
    case 'overflow error':
      await run(stage, { ...first, expected: inside.afterOverflow.exitCode })
      return {
        ...usual,
        compactions: inside.afterOverflow.compacts ? 1 : 0,
        mayRefuse: true,
        ...(inside.afterOverflow.learns && { mostRefused: 1 }),
      }
    case '/compact, and resumed':
      await run(stage, first)
      await inside.compact(stage)
      await run(stage, more)
      return usual
    case 'kill -9, and resumed':
      await killedRun(stage)
      await run(stage, more)
      return usual
    case 'off':
    case 'broken':
    case 'a rival beside it':
      await run(stage, first)
      return { ...usual, compactions: 0, atWork: false, mayRefuse: true }
  }
}

const first = { words: prompt, again: false }
const more = { words: 'Go on with the rest of them, in the same way.', again: true }

async function run(
  stage: Stage,
  { words, again, expected = 0 }: { words: string; again: boolean; expected?: number },
): Promise<void> {
  stage.agent.hears(words)
  const args = again ? stage.inside.again(words) : stage.inside.first(words)
  const { command, home, directory, env, problems } = stage
  const { exitCode, printed } = await runClient({ command, args, home, directory, env })
  stage.printed += printed
  if (exitCode !== expected)
    problems.push(`${args[0]} ended with ${exitCode}: ${printed.slice(-300)}`)
}

// By then, each client has compacted once.
const killedAt = 12

/** Ends the client in the middle of its work, as a power failure would. */
async function killedRun({ inside, agent, command, directory, home, env }: Stage): Promise<void> {
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`
  agent.hears(prompt)
  const child = spawn(command, inside.first(prompt), {
    cwd: directory,
    env: { PATH: path, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', TERM: 'dumb', ...env },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (agent.read() < killedAt && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  await ended
}

async function recordsOf(home: string, name: string): Promise<PluginRecord[]> {
  const file = join(home, '.local/share/throughline/clients', `${name}.jsonl`)
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as PluginRecord)))
}
