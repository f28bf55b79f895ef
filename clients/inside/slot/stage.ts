import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { asksForSummary, startTalker } from './talker.ts'
import { changeJson } from '../change-json.ts'
import { Gateway } from './gateway.ts'
import { insideOpenclaw } from '../of/openclaw.ts'
import { installThroughline, runThroughline } from '../install-throughline.ts'
import { makeLongWorkspace, textOf } from '../long/agent.ts'
import type { ScriptedProvider, ServedRequest } from 'throughline/testing/provider'

/** Where a trial runs. */
export interface Place {
  installed: string
  home: string
  /** The command of the packed Throughline. */
  throughline: string
}

/** What was tried, and what was wrong with it. */
export interface TalkedStep {
  step: string
  problems: string[]
}

/** OpenClaw's gateway with Throughline in its slot, and a scripted model. */
export interface Stage {
  gateway: Gateway
  model: ScriptedProvider
  /** What the agent was asked, without the requests for summaries. */
  main: () => ServedRequest[]
  /** The newest request that says this: the host has other sessions, which it starts by itself. */
  asked: (words: string) => ServedRequest | undefined
  /** The text of that request. */
  told: (words: string) => string
  /** Tries one thing; it says what is wrong with it. */
  step: (name: string, work: (problems: string[]) => Promise<void>) => Promise<void>
  /** What was recorded of failures and refusals. */
  trouble: () => Promise<string[]>
  /** What Throughline's command prints, where it finds OpenClaw. */
  throughline: (...args: string[]) => Promise<string>
  end: () => Promise<TalkedStep[]>
}

/** What a trial may change of OpenClaw's configuration. */
interface StageConfiguration {
  agents: object
  models: { providers: { scripted: { models: object[] } } }
}

/** Installs and starts everything in a home of its own, with what `change` adds to the configuration. */
export async function openStage(
  { installed, home, throughline }: Place,
  change?: (configuration: StageConfiguration) => void,
): Promise<Stage> {
  const directory = join(home, 'work/project')
  await makeLongWorkspace(directory, 60)
  const model = await startTalker(directory)
  const settled = { home, cache: installed, url: model.url, model: 'scripted' }
  const env = await insideOpenclaw.client.settle(settled)
  await installThroughline(insideOpenclaw, { throughline, home, isBroken: false })
  if (change) await changeJson(join(home, '.openclaw/openclaw.json'), change)
  const programs = join(installed, 'node_modules/.bin')
  const withPrograms = { ...env, PATH: `${env['PATH'] ?? ''}:${programs}` }
  const gateway = new Gateway({ command: join(programs, 'openclaw'), home, directory, env })
  await gateway.start()
  const checked: TalkedStep[] = []
  const main = (): ServedRequest[] => model.requests.filter((one) => !asksForSummary(one))
  const asked = (words: string): ServedRequest | undefined =>
    main().findLast((one) => textOf(one).includes(words))
  return {
    gateway,
    model,
    main,
    asked,
    told(words) {
      const found = asked(words)
      if (!found) throw new Error(`The model was never asked: ${words}`)
      return textOf(found)
    },
    async step(name, work) {
      const problems: string[] = []
      await work(problems).catch((error: unknown) => problems.push(String(error)))
      checked.push({ step: name, problems })
      process.stderr.write(`${name}: ${problems.join(' / ').slice(0, 600)}\n`)
    },
    async trouble() {
      const file = join(home, '.local/share/throughline/clients/openclaw.jsonl')
      const records = (await readFile(file, 'utf8')).split('\n').filter((each) => each !== '')
      const refused = model.requests.filter((one) => one.refused !== undefined)
      return [
        ...records.filter((each) => each.includes('"event":"error"')),
        ...(refused.length > 0 ? [`${refused.length} requests were refused`] : []),
      ]
    },
    throughline: (...args) => runThroughline(throughline, home, args, withPrograms),
    async end() {
      await gateway.kill()
      await model.close()
      return checked
    },
  }
}
