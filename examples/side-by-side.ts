import { setTimeout as waited } from 'node:timers/promises'
import { memoryStore, type Session } from 'throughline'
import { openChat } from 'throughline/openai'
import { startProvider } from 'throughline/testing/provider'
import { startTask } from 'throughline/testing/task'
import type OpenAI from 'openai'

type AgentTask = Awaited<ReturnType<typeof startTask>>
type Message = OpenAI.ChatCompletionMessageParam
type Completion = OpenAI.ChatCompletion
type Ask = (messages: Message[]) => Promise<Completion>
type Send = (
  messages: Message[],
  ask: Ask,
) => Promise<{ response: Completion; messages: Message[] }>

/** How far one of the two agents is. */
export interface Progress {
  step: number
  /** Of its newest request, as the provider counted them. */
  tokens: number
  compactions: number
  /** The provider's words, if it has refused a request. */
  stopped?: string
  isDone?: boolean
}

/** How both ended. */
export interface SideBySide {
  window: number
  steps: number
  alone: Progress
  fitted: Progress
  /** The most tokens that a request of the agent with Throughline had. */
  largest: number
  /** What is wrong with the work of the agent with Throughline. */
  problems: readonly string[]
  /** What its model reads in place of the messages that were compacted, and how many they are. */
  summary: string
  replaced: number
}

interface SideBySideOptions {
  /** How many files the task has, at three steps each; 100 by default. */
  files?: number
  /** Milliseconds between two steps. */
  pace?: number
  onProgress?: (alone: Progress, fitted: Progress, of: { steps: number; window: number }) => void
}

/** The same loop does the same task twice: as it is, and with its requests fitted by Throughline. */
export async function sideBySide({
  files = 100,
  pace = 0,
  onProgress = () => {},
}: SideBySideOptions = {}): Promise<SideBySide> {
  const tasks = [await startTask({ files }), await startTask({ files })] as const
  const [{ script, window, steps }] = tasks
  const provider = await startProvider({ script, rules: { window, strict: true } })
  const alone: Progress = { step: 0, tokens: 0, compactions: 0 }
  const fitted: Progress = { step: 0, tokens: 0, compactions: 0 }
  let largest = 0
  const conversation = await openChat<Message>({
    store: memoryStore(),
    id: 'side-by-side',
    window: { context: window },
    system: tasks[1].system,
    tools: toolsOf(tasks[1]),
    onEvent: ({ type }) => {
      if (type === 'compaction-finished') fitted.compactions += 1
    },
  })
  const shown = async (): Promise<void> => {
    largest = Math.max(largest, fitted.tokens)
    onProgress(alone, fitted, { steps, window })
    await waited(pace)
  }
  const unchanged: Send = async (messages, ask) => {
    const response = await ask(messages)
    return { response, messages: [...messages, response.choices[0]?.message as Message] }
  }
  try {
    await Promise.all([
      agent(tasks[0], provider.url, { send: unchanged, progress: alone, shown }),
      agent(tasks[1], provider.url, {
        send: (messages, ask) => conversation.send(messages, ask),
        progress: fitted,
        shown,
      }),
    ])
    const problems = await tasks[1].problems()
    const kept = await keptOf(conversation.session)
    return { window, steps, alone, fitted, largest, problems, ...kept }
  } finally {
    await provider.close()
    await Promise.all(tasks.map((task) => task.end()))
  }
}

/** A loop as many people have written it. */
async function agent(
  task: AgentTask,
  url: string,
  { send, progress, shown }: { send: Send; progress: Progress; shown: () => Promise<void> },
): Promise<void> {
  const ask = asking(url, task)
  let messages: Message[] = [{ role: 'user', content: task.request }]
  try {
    for (;;) {
      const answer = await send(messages, ask)
      progress.step += 1
      progress.tokens = answer.response.usage?.prompt_tokens ?? 0
      await shown()
      const calls = answer.response.choices[0]?.message.tool_calls ?? []
      const results = await Promise.all(calls.map((call) => run(task, call)))
      if (results.length === 0) break
      messages = [...answer.messages, ...results]
    }
    progress.isDone = true
  } catch (error) {
    progress.stopped = error instanceof Error ? error.message : String(error)
  }
  await shown()
}

async function run(
  { tools }: AgentTask,
  call: OpenAI.ChatCompletionMessageToolCall,
): Promise<Message> {
  if (call.type !== 'function') throw new TypeError(`A call of type ${call.type}.`)
  const { name, arguments: input } = call.function
  const content = (await tools.find((tool) => tool.name === name)?.execute(JSON.parse(input))) ?? ''
  return { role: 'tool', tool_call_id: call.id, content }
}

/** One request, without an SDK. */
function asking(url: string, task: AgentTask): Ask {
  const system: Message = { role: 'system', content: task.system }
  return async (messages) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify({
        model: 'scripted',
        messages: [system, ...messages],
        tools: toolsOf(task),
      }),
    })
    const body = (await response.json()) as Completion & { error?: { message: string } }
    if (body.error) throw Object.assign(new Error(body.error.message), { status: response.status })
    return body
  }
}

function toolsOf({ tools }: AgentTask): OpenAI.ChatCompletionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: { ...inputSchema } },
  }))
}

async function keptOf(session: Session): Promise<Pick<SideBySide, 'summary' | 'replaced'>> {
  const log = await session.log()
  const newest = log.findLast((entry) => entry.kind === 'checkpoint')
  const kept = newest?.tail.length ?? 0
  const before = log.filter(({ kind, seq }) => kind === 'message' && seq <= (newest?.base ?? 0))
  return { summary: newest?.summary ?? '', replaced: before.length - kept }
}

const wide = 40
const count = (tokens: number): string => tokens.toLocaleString('en-US')

function compactionsOf({ compactions }: Progress): string {
  return compactions === 1 ? '1 compaction' : `${compactions} compactions`
}

/** A line for one of the two: how full its window is. */
function lineOf(
  name: string,
  at: Progress,
  { steps, window }: { steps: number; window: number },
): string {
  const full = Math.min(wide, Math.round((at.tokens / window) * wide))
  const bar = `${'█'.repeat(full)}${'░'.repeat(wide - full)}`
  const compacted = at.compactions > 0 ? `, ${compactionsOf(at)}` : ''
  const end = at.stopped === undefined ? (at.isDone ? ', done' : '') : ', stopped'
  return `${name.padEnd(17)}${bar} ${count(at.tokens).padStart(6)} tokens, step ${at.step}/${steps}${compacted}${end}`
}

const shownOfSection = 4

/** The beginning of each section. */
function sectionsOf(summary: string): string[] {
  return summary.split(/\n(?=## )/).flatMap((section) => {
    const lines = section.trimEnd().split('\n')
    const more = lines.length - 1 - shownOfSection
    const shown = more > 1 ? [...lines.slice(0, shownOfSection + 1), `… ${more} more lines`] : lines
    return [...shown.map((line) => (line.length > 100 ? `${line.slice(0, 99)}…` : line)), '']
  })
}

/** What became of both, in lines for whoever runs it. */
export function ending({ window, alone, fitted, largest, problems, ...made }: SideBySide): string {
  return [
    alone.stopped === undefined
      ? 'Alone, it did all of its task.'
      : `Alone, it stopped after ${alone.step} steps. The provider said: ${alone.stopped}`,
    fitted.stopped === undefined
      ? `With Throughline it did all ${fitted.step} steps. After ${compactionsOf(fitted)}, no request had more than ${count(largest)} of ${count(window)} tokens.`
      : `With Throughline it stopped after ${fitted.step} steps: ${fitted.stopped}`,
    problems.length === 0
      ? 'Every file is as the human asked, by a rule and a convention from the very beginning.'
      : `This went wrong: ${problems.join('; ')}`,
    '',
    `This is what its model reads at the end in place of ${made.replaced} messages. No model wrote it:`,
    '',
    ...sectionsOf(made.summary).map((line) => `  ${line}`.trimEnd()),
  ]
    .join('\n')
    .trimEnd()
}

if (process.argv[1] === import.meta.filename) {
  const { stdout } = process
  const live = stdout.isTTY
  let drawn = false
  console.log('The same agent does the same task twice, with a model that is scripted to do it.\n')
  const result = await sideBySide({
    pace: live ? 25 : 0,
    onProgress: (alone, fitted, of) => {
      if (!live) return
      const lines = [lineOf('alone', alone, of), lineOf('with Throughline', fitted, of)]
      const fits = lines.map((line) => line.slice(0, Math.max(20, stdout.columns - 1)))
      stdout.write(
        `${drawn ? '\u001B[2A' : ''}${fits.map((line) => `\u001B[2K${line}\n`).join('')}`,
      )
      drawn = true
    },
  })
  console.log(`${drawn ? '\n' : ''}${ending(result)}`)
  console.log(`
Try it on your own newest session. Nothing is sent anywhere, and the session is not changed:

  npx throughline report latest    # what fills it, what a compaction would keep and forget
  npx throughline resume latest    # go on with it in a new, smaller session`)
}
