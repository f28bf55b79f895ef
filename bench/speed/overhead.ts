import { isStepCount, jsonSchema, streamText, tool, type ModelMessage } from 'ai'
import { memoryStore, openSession, run } from 'throughline'
import { aiSdkCompaction, aiSdkStep } from 'throughline/ai-sdk'
import { scriptedModel, type ScriptedModel } from 'throughline/testing/ai-sdk'
import { codingSession } from './session.ts'
import { collectYoung, processorTime } from './limit.ts'
import { spreadOf, type Spread } from './spread.ts'
import { tell } from './tell.ts'

/** What something adds to each step of a bare loop. */
export interface OverheadFigures {
  name: string
  milliseconds: Spread
  percent: Spread
}

/** An agent with this many steps and earlier messages: prepared, and then run. */
interface Loop {
  name: string
  ready: (model: ScriptedModel) => Promise<() => Promise<unknown>>
}

/** A loop beside the bare one, and the most that it may add. */
interface Pair {
  bare: Loop
  loop: Loop
  most: { milliseconds: number; percent: number }
}

const messages = 10_000
const steps = 40
const warmUp = 4

const drafts = codingSession(messages, 100)
const said = drafts.flatMap((draft) =>
  draft.kind === 'message' ? [draft.message as ModelMessage] : [],
)
const tools = {
  look: tool({
    description: 'Looks at a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
    }),
    execute: async ({ path }) => `${path} holds a few lines.`,
  }),
}

/** A model that answers at once and counts no tokens. */
function quickModel(): ScriptedModel {
  return scriptedModel({
    script: ({ number }) =>
      number < steps
        ? { calls: [{ name: 'look', input: { path: `src/file${number}.ts` } }] }
        : { text: 'Done.' },
    rules: { lenient: true },
    count: () => 0,
  })
}

const oneCall: Loop = {
  name: 'streamText, all steps in one call',
  ready: async (model) => async () => {
    const stopWhen = isStepCount(steps)
    await streamText({ model, tools, messages: said, stopWhen }).consumeStream()
  },
}

const callPerStep: Loop = {
  name: 'streamText, a call for each step',
  ready: async (model) => async () => {
    const all = [...said]
    for (let step = 0; step < steps; step++) {
      const result = streamText({ model, tools, messages: all })
      await result.consumeStream()
      all.push(...(await result.response).messages)
    }
  },
}

/** What `prepareStep` and `onStepEnd` took by turns in the loop that ran last, in milliseconds. */
const inHooks: number[] = []

async function inHook<Result>(work: () => Promise<Result>): Promise<Result> {
  let result: Promise<Result> | undefined
  const took = await processorTime(() => (result = work()))
  inHooks.push(took / 1_000)
  return result as Promise<Result>
}

const ownLoop: Loop = {
  name: 'run with aiSdkStep',
  ready: async (model) => {
    const session = await openSession({
      store: memoryStore(),
      id: 'bench',
      window: { context: 4_000_000 },
    })
    await session.append(...drafts)
    await session.fit()
    session.messages()
    return () => run({ session, step: aiSdkStep({ model, tools }) })
  },
}

const sdkLoop: Loop = {
  name: 'aiSdkCompaction',
  ready: async (model) => {
    const window = { context: 4_000_000 }
    const compaction = aiSdkCompaction({ model, store: memoryStore(), id: 'bench', window })
    const session = await compaction.session()
    await session.append(...drafts)
    await session.fit()
    session.messages()
    inHooks.length = 0
    return () =>
      streamText({
        model: compaction.model,
        prepareStep: (step) => inHook(() => compaction.prepareStep(step)),
        onStepEnd: (step) => inHook(() => compaction.onStepEnd(step)),
        tools,
        messages: said,
        stopWhen: isStepCount(steps),
      }).consumeStream() as Promise<void>
  },
}

// To measure another way of joining a loop, add it here, next to its bare loop.
const pairs: readonly Pair[] = [
  { bare: callPerStep, loop: ownLoop, most: { milliseconds: 2, percent: 3 } },
  { bare: oneCall, loop: sdkLoop, most: { milliseconds: 1, percent: 15 } },
]

/** The last loop of each kind, with its model: a process that has agents never is without one. */
const kept = new Map<string, unknown>()

/**
 * Milliseconds of processor time: nothing here waits, and the machine may be busy with other
 * things.
 */
async function stepTime({ name, ready }: Loop): Promise<number> {
  const model = quickModel()
  const go = await ready(model)
  await collectYoung()
  const before = process.cpuUsage()
  await go()
  const { user, system } = process.cpuUsage(before)
  kept.set(name, [model, go])
  if (model.requests.length !== steps) {
    throw new Error(`${name}: ${model.requests.length} steps were run, not ${steps}.`)
  }
  return (user + system) / 1_000 / steps
}

async function overheadOf({ bare, loop, most }: Pair, rounds: number): Promise<OverheadFigures> {
  const alone: number[] = []
  const added: number[] = []
  const shares: number[] = []
  const hooks = { first: [] as number[], later: [] as number[] }
  for (let round = 0; round < rounds + warmUp; round++) {
    const before = await stepTime(bare)
    const took = await stepTime(loop)
    const [prepared = 0, ended = 0, ...rest] = inHooks
    const later = rest.reduce((sum, time) => sum + time, 0) / (steps - 1)
    const after = await stepTime(bare)
    if (round < warmUp) continue
    // Between two runs of the other kind, so that other load on the machine affects both.
    const base = (before + after) / 2
    hooks.first.push(prepared + ended)
    hooks.later.push(later)
    alone.push(base)
    added.push(took - base)
    shares.push(((took - base) / base) * 100)
  }
  const [milliseconds, percent] = [spreadOf(added), spreadOf(shares)]
  const what = `${loop.name} adds to a step after ${messages.toLocaleString('en')} messages of ${bare.name}`
  tell({
    what,
    figure: milliseconds,
    unit: 'ms',
    goal: { most: most.milliseconds },
    limit: { figure: writing(), what: 'what a step says, as JSON for a store' },
    digits: 3,
  })
  tell({
    what: '  of its own time',
    figure: percent,
    unit: '%',
    goal: { most: most.percent },
    digits: 1,
  })
  tell({ what: '  which is', figure: spreadOf(alone), unit: 'ms' })
  if (loop === sdkLoop) {
    tell({
      what: 'aiSdkCompaction in its own functions, prepareStep and onStepEnd, in each step but the first',
      figure: spreadOf(hooks.later),
      unit: 'ms',
      goal: { most: 0.3 },
      limit: { figure: writing(), what: 'what a step says, as JSON for a store' },
      digits: 3,
    })
    tell({
      what: '  in the first, which reads the messages',
      figure: spreadOf(hooks.first),
      unit: 'ms',
    })
  }
  return { name: loop.name, milliseconds, percent }
}

/** Milliseconds for writing the newest call and its result as JSON, which any store must do. */
function writing(): Spread {
  const newest = drafts.slice(-2)
  const times = 1_000
  return spreadOf(
    Array.from({ length: 9 }, () => {
      const before = process.cpuUsage()
      let written = 0
      for (let time = 0; time < times; time++) written += JSON.stringify(newest).length
      if (written === 0) throw new Error('Nothing was written.')
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000 / times
    }),
  )
}

/** What is added to each step of a bare AI SDK loop after 1,000 messages, measured alternately. */
export async function benchOverhead(rounds = 15): Promise<OverheadFigures[]> {
  const figures: OverheadFigures[] = []
  for (const pair of pairs) figures.push(await overheadOf(pair, rounds))
  return figures
}

if (process.argv[1] === import.meta.filename) await benchOverhead()
