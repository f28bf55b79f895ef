import { join } from 'node:path'
import {
  badWords,
  spokenKey,
} from '../../../packages/throughline/src/promises/faults/summary-faults.ts'
import { faults } from '../../../packages/throughline/src/promises/faults/faults.ts'
import { insideClient } from '../inside-client.ts'
import { installThroughline, runThroughline } from '../install-throughline.ts'
import { longFigures, type LongFigures } from '../long/measure.ts'
import { longPrompts } from '../long/prompts.ts'
import { makeLongWorkspace, startLongAgent, textOf } from '../long/agent.ts'
import { runClient } from '../../run-client.ts'

interface FaultPlace {
  name: string
  fault: string
  installed: string
  home: string
  /** The command of the packed Throughline; without one, the client is alone. */
  throughline?: string
}

/** What became of a client whose model fails wherever a summary is wanted. */
export interface MetFault {
  figures: Pick<LongFigures, 'compactions' | 'summaries' | 'lacks' | 'examples'>
  /** What must not be. */
  wrongs: string[]
  /** What `throughline status` says. */
  status: string
}

/** Enough for a compaction, and another process that resumes the session. */
const prompts = longPrompts.slice(0, 2)

async function meetFault(place: FaultPlace): Promise<MetFault> {
  const inside = insideClient(place.name)
  const fault = faults.find(({ name }) => name === place.fault)
  if (!fault) throw new Error(`Unknown: ${place.fault}.`)
  const { installed, home, throughline } = place
  const directory = join(home, 'work/project')
  await makeLongWorkspace(directory, 120)
  let number = 0
  const agent = await startLongAgent(inside, {
    directory,
    model: 'instant',
    window: inside.window,
    summaryFault: (answer, request) =>
      fault.summary?.({ request, number: ++number, afterSummary: true, answer }) ?? answer,
  })
  const wrongs: string[] = []
  try {
    const settled = { home, cache: installed, url: agent.url, model: 'scripted' }
    const env = { ...(await inside.client.settle(settled)), ...(await inside.prepare(home)) }
    if (throughline !== undefined) {
      await installThroughline(inside, { throughline, home, isBroken: false })
    }
    const command = join(installed, 'node_modules/.bin', inside.client.command)
    for (const [at, { words }] of prompts.entries()) {
      agent.hears(at)
      const args = at === 0 ? inside.first(words) : inside.again(words)
      const ran = await runClient({ command, args, home, directory, env })
      if (ran.exitCode !== 0)
        wrongs.push(`process ${at} ended with ${ran.exitCode}: ${ran.printed.slice(-300)}`)
    }
    const { compactions, summaries, lacks, examples } = longFigures(agent)
    const main = agent.seen.filter(({ kind }) => kind === 'main')
    const bad = main.flatMap(({ request }) => aroundIn(textOf(request), badWords))
    const status =
      throughline === undefined ? '' : await runThroughline(throughline, home, ['status'])
    if (compactions === 0) wrongs.push('nothing was compacted')
    if (lacks > 0) wrongs.push(`${lacks} requests lack the task, a rule or the newest words`)
    if (bad.length > 0) wrongs.push(`${bad.length} requests say what is no summary: ${bad[0]}`)
    if (status.includes(spokenKey)) wrongs.push('a key is shown')
    return { figures: { compactions, summaries, lacks, examples }, wrongs, status }
  } finally {
    await agent.close()
  }
}

/** The words with what stands around them, where a text has them. */
function aroundIn(text: string, words: string): string[] {
  const at = text.indexOf(words)
  return at < 0 ? [] : [JSON.stringify(text.slice(Math.max(0, at - 200), at + 300))]
}

// One client and one fault in its own process, which has no network except loopback.
process.stdout.write(JSON.stringify(await meetFault(JSON.parse(process.argv[2] ?? '{}'))))
