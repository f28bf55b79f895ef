import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { createAgent, summarizationMiddleware, tool } from 'langchain'
import { compactionMiddleware } from 'throughline/langchain'
import { z } from 'zod'
import {
  calling,
  ScriptedChatModel,
} from '../../packages/throughline/src/testing/scripted/scripted-chat-model.ts'
import { codingSession } from './session.ts'
import { collectYoung } from './limit.ts'
import { spreadOf, type Spread } from './spread.ts'
import { tell } from './tell.ts'

/** What each middleware adds to a step of an agent, in milliseconds of processor time. */
export interface LangchainFigures {
  ours: Spread
  theirs: Spread
}

/** The time of a step on average, of the first one and of each one behind it. */
interface StepTimes {
  all: number
  first: number
  later: number
}

type Middleware = NonNullable<Parameters<typeof createAgent>[0]['middleware']>

const messages = 10_000
const steps = 20
const warmUp = 4

const look = tool(({ path }: { path: string }) => `${path} holds a few lines.`, {
  name: 'look',
  schema: z.object({ path: z.string() }),
})

function said(): BaseMessage[] {
  return codingSession(messages, 100).flatMap((draft): BaseMessage[] => {
    if (draft.kind !== 'message') return []
    const { message } = draft
    if (message.role === 'user') return [new HumanMessage(String(message.content))]
    if (typeof message.content === 'string') return []
    return message.content.flatMap((part): BaseMessage[] => {
      if (part.type === 'tool-call') {
        return [calling(part.toolName, part.input as Record<string, unknown>, part.toolCallId)]
      }
      if (part.type !== 'tool-result' || part.output.type !== 'text') return []
      const { toolCallId: tool_call_id, output } = part
      return [new ToolMessage({ content: output.value, tool_call_id })]
    })
  })
}

/** The last agent of each kind: a process that has agents never is without one. */
const kept = new Map<unknown, unknown>()

async function stepTimes(middleware: () => Middleware): Promise<StepTimes> {
  let asked = 0
  const model = new ScriptedChatModel((_, number) => {
    if (number === 1) asked = milliseconds()
    return number < steps
      ? calling('look', { path: `src/file${number}.ts` }, `call${number}`)
      : new AIMessage('Done.')
  })
  const agent = createAgent({ model, tools: [look], middleware: middleware() })
  const input = { messages: [...said(), new HumanMessage('Go on.')] }
  await collectYoung()
  const before = milliseconds()
  await agent.invoke(input, { recursionLimit: 1_000 })
  const end = milliseconds()
  kept.set(middleware, [agent, input])
  if (model.requests.length !== steps) throw new Error(`${model.requests.length} steps were run.`)
  return {
    all: (end - before) / steps,
    first: asked - before,
    later: (end - asked) / (steps - 1),
  }
}

/** The processor time of this process. */
function milliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

// Neither has anything to compact: this measures the cost of checking.
const window = { context: 4_000_000 }
const none = (): Middleware => []
const ours = (): Middleware => [compactionMiddleware({ window })]
const theirs = (): Middleware => {
  const model = new ScriptedChatModel(() => new AIMessage('A summary.'))
  const options = { model, trigger: { tokens: window.context } }
  // Its types are not made for exact optional properties.
  return [summarizationMiddleware(options as never)] as unknown as Middleware
}

/**
 * A LangChain agent with 1,000 earlier messages, with our middleware and with LangChain's own,
 * alternately. The agent passes its whole conversation with its first step, when it is read.
 */
export async function benchLangchain(rounds = 9): Promise<LangchainFigures> {
  const added = { ours: [] as StepTimes[], theirs: [] as StepTimes[], alone: [] as number[] }
  for (let round = 0; round < rounds + warmUp; round++) {
    const alone = await stepTimes(none)
    // By turns, so that neither always clears away what the other has left.
    const first = round % 2 === 0 ? ours : theirs
    const one = await stepTimes(first)
    const other = await stepTimes(first === ours ? theirs : ours)
    const [withOurs, withTheirs] = first === ours ? [one, other] : [other, one]
    if (round < warmUp) continue
    added.alone.push(alone.all)
    added.ours.push(beyond(withOurs, alone))
    added.theirs.push(beyond(withTheirs, alone))
  }
  const spread = (side: 'ours' | 'theirs', when: keyof StepTimes): Spread =>
    spreadOf(added[side].map((times) => times[when]))
  const figures = { ours: spread('ours', 'all'), theirs: spread('theirs', 'all') }
  tell({
    what: `compactionMiddleware adds to a step of a LangChain agent after ${messages.toLocaleString('en')} messages`,
    figure: figures.ours,
    unit: 'ms of processor time',
    goal: { most: figures.theirs.median },
    limit: {
      figure: figures.theirs,
      what: 'LangChain’s own, which keeps nothing of what was said',
    },
  })
  for (const [when, what] of [
    ['first', '  of these steps the first, which reads the messages'],
    ['later', '  each later one'],
  ] as const) {
    const limit = { figure: spread('theirs', when), what: 'LangChain’s own' }
    const goal = when === 'later' ? { goal: { most: 0.4 } } : {}
    tell({ what, figure: spread('ours', when), unit: 'ms of processor time', ...goal, limit })
  }
  tell({ what: '  which takes by itself', figure: spreadOf(added.alone), unit: 'ms' })
  return figures
}

/** What a step takes more than one without any middleware. */
function beyond(times: StepTimes, alone: StepTimes): StepTimes {
  return {
    all: times.all - alone.all,
    first: times.first - alone.first,
    later: times.later - alone.later,
  }
}

if (process.argv[1] === import.meta.filename) await benchLangchain()
