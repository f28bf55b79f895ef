import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { longClient } from './long-clients.ts'
import { runThroughline } from '../install-throughline.ts'
import { runClient } from '../../run-client.ts'
import { saidBy } from '../../said-by.ts'
import { makeLongWorkspace, startLongAgent, type SummaryModel } from './agent.ts'
import { doorProblems } from './doors.ts'
import { gatewayProblems } from './gateway-door.ts'
import { longFigures, type LongFigures } from './measure.ts'
import { longPrompts } from './prompts.ts'

/** As fast as the fastest models answer, in milliseconds. */
const stepTime = 300

/** A life of one client, with Throughline inside or without. */
export interface LifePlace {
  name: string
  installed: string
  home: string
  model: SummaryModel
  /** How many of the prompts; all of them by default. */
  prompts?: number
  /** The client is set as an installation sets it, where that makes a difference without ours. */
  set?: boolean
  /** The command of the packed Throughline; without one, the client is alone. */
  throughline?: string
  /** Where each request is written, to be read by a person. */
  dump?: string
}

export interface Life {
  figures: LongFigures
  /** Processes that did not end well. */
  problems: string[]
}

/** Lets a client work through a long life: each prompt in a new process that resumes the session. */
async function runLife(place: LifePlace): Promise<Life> {
  const { name, installed, home, model, throughline, set = false, dump, prompts } = place
  const inside = longClient(name)
  const directory = join(home, 'work/project')
  const heard = longPrompts.slice(0, prompts)
  await makeLongWorkspace(directory, 260)
  const { window } = inside
  const agent = await startLongAgent(inside, { directory, model, window, stepTime })
  const problems: string[] = []
  try {
    const settled = { home, cache: installed, url: agent.url, model: 'scripted' }
    const env = { ...(await inside.client.settle(settled)), ...(await inside.prepare(home)) }
    if (set) await inside.set?.(home)
    if (throughline !== undefined && inside.word !== undefined) {
      await runThroughline(throughline, home, ['install', inside.word])
    }
    const run =
      throughline !== undefined && inside.isBehind === true
        ? [process.execPath, throughline, 'run', '--']
        : []
    const program = join(installed, 'node_modules/.bin', inside.client.command)
    for (const [number, { words }] of heard.entries()) {
      agent.hears(number)
      const own = number === 0 ? inside.first(words) : inside.again(words)
      const [command = '', ...args] = [...run, program, ...own]
      const ran = await runClient({ command, args, home, directory, env })
      if (ran.exitCode !== 0) {
        problems.push(`process ${number} ended with ${ran.exitCode}: ${ran.printed.slice(-300)}`)
      }
    }
    const figures = longFigures(agent)
    if (throughline !== undefined && inside.word !== undefined && !agent.called.has('recall')) {
      problems.push('recall was never called')
    }
    const isWhole = heard.length === longPrompts.length
    if (throughline !== undefined && inside.isBehind !== true && isWhole) {
      const { hasSlot = false } = inside
      const behind = { inside, agent, throughline, program, home, directory, env }
      const doors = [
        ...(hasSlot ? [] : [() => gatewayProblems(behind)]),
        () => doorProblems({ client: name, hasSlot, throughline, home }),
      ]
      for (const door of doors) {
        const failed = (error: unknown): string[] => [`a door failed: ${saidBy(error)}`]
        problems.push(...(await door().catch(failed)))
      }
    }
    if (dump !== undefined) {
      await mkdir(dump, { recursive: true })
      for (const { request, kind, prompt } of agent.seen) {
        const file = `${String(request.number).padStart(4, '0')}-${prompt}-${kind}.json`
        await writeFile(join(dump, file), JSON.stringify(request, null, 1))
      }
    }
    return { figures, problems }
  } finally {
    await agent.close()
  }
}

// A life in its own process, which has no network except loopback: `run-life.ts <JSON>`.
process.stdout.write(JSON.stringify(await runLife(JSON.parse(process.argv[2] ?? '{}'))))
