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

type Middleware = NonNullable<Parameters<typeof createAgent>[0]['middleware']>

const messages = 1_000
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

async function stepTime(middleware: () => Middleware): Promise<number> {
  const model = new ScriptedChatModel((_, number) =>
    number < steps
      ? calling('look', { path: `src/file${number}.ts` }, `call${number}`)
      : new AIMessage('Done.'),
  )
  const agent = createAgent({ model, tools: [look], middleware: middleware() })
  const input = { messages: [...said(), new HumanMessage('Go on.')] }
  await collectYoung()
  const before = process.cpuUsage()
  await agent.invoke(input, { recursionLimit: 1_000 })
  const { user, system } = process.cpuUsage(before)
  kept.set(middleware, [agent, input])
  if (model.requests.length !== steps) throw new Error(`${model.requests.length} steps were run.`)
  return (user + system) / 1_000 / steps
}

// Neither has anything to compact: this measures the cost of checking.
const window = { context: 1_000_000 }
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
  const added = { ours: [] as number[], theirs: [] as number[], alone: [] as number[] }
  for (let round = 0; round < rounds + warmUp; round++) {
    const alone = await stepTime(none)
    // By turns, so that neither always clears away what the other has left.
    const first = round % 2 === 0 ? ours : theirs
    const one = await stepTime(first)
    const other = await stepTime(first === ours ? theirs : ours)
    const [withOurs, withTheirs] = first === ours ? [one, other] : [other, one]
    if (round < warmUp) continue
    added.alone.push(alone)
    added.ours.push(withOurs - alone)
    added.theirs.push(withTheirs - alone)
  }
  const figures = { ours: spreadOf(added.ours), theirs: spreadOf(added.theirs) }
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
  tell({ what: '  which takes by itself', figure: spreadOf(added.alone), unit: 'ms' })
  return figures
}

if (process.argv[1] === import.meta.filename) await benchLangchain()
