import { memoryStore, openSession, partsOf, run, type Session } from 'throughline'
import { aiSdkStep, toolSchemas } from 'throughline/ai-sdk'
import { scriptedModel, type ScriptedAnswer } from 'throughline/testing/ai-sdk'
import { codingTools } from './tools.ts'
import type { Call, Turn } from './story.ts'

const system =
  'You are a coding agent. You work in a repository with the tools that you have, and say in the end what you did.'

/**
 * Lets the project's own loop live through a story: the model's words are scripted, the tools and
 * what they return are real.
 * @throws Error where a call fails that was not meant to, or does not fail that was.
 */
export async function record(turns: readonly Turn[], directory: string): Promise<Session> {
  const tools = codingTools(directory)
  const answers = turns.flatMap(answersOf)
  const clock = startClock(Date.UTC(2026, 0, 15, 9, 0, 0))
  let stop = new AbortController()
  let interrupts = false
  const session = await openSession({
    store: memoryStore(),
    id: 'sample',
    window: { context: 1_000_000 },
    system,
    tools: await toolSchemas(tools),
    now: clock.now,
    onEvent: (event) => {
      if (event.type !== 'part' || !interrupts) return
      if ((event.part as { type: string }).type === 'tool-call') stop.abort()
    },
  })
  const model = scriptedModel({ script: answers, modelId: 'scripted' })
  const step = aiSdkStep({ model, tools })
  for (const turn of turns) {
    clock.pause()
    await session.say(turn.human)
    stop = new AbortController()
    interrupts = false
    const last = turn.steps.length
    const before = model.requests.length
    const result = await run({
      session,
      step: (request, options) => {
        interrupts = turn.interrupted === true && model.requests.length - before === last - 1
        return step(request, options)
      },
      signal: stop.signal,
    })
    const expected = turn.interrupted ? 'aborted' : 'finished'
    if (result.reason !== expected)
      throw new Error(`The turn ended as ${result.reason}: ${turn.human}`)
    if (turn.interrupted) await interruption(session)
  }
  await checkCalls(
    session,
    turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls)),
  )
  return session
}

function answersOf({ steps, answer }: Turn): ScriptedAnswer[] {
  const replies = steps.map(({ think, say, calls }): ScriptedAnswer => ({
    ...(think !== undefined && { reasoning: think }),
    ...(say !== undefined && { text: say }),
    calls,
    chunk: 1_000,
  }))
  return answer === undefined ? replies : [...replies, { text: answer, chunk: 1_000 }]
}

async function interruption(session: Session): Promise<void> {
  const content = '[Request interrupted by user for tool use]'
  const message = { role: 'user', content } as const
  await session.append({ kind: 'message', at: session.now(), message, origin: 'harness' })
}

async function checkCalls(session: Session, planned: readonly Call[]): Promise<void> {
  const parts = (await session.log()).flatMap((entry) =>
    entry.kind === 'message' ? partsOf(entry.message) : [],
  )
  const failed = new Map(
    parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [[part.toolCallId, part.output.type === 'error-text' ? part.output.value : '']]
        : [],
    ),
  )
  const calls = parts.filter((part) => part.type === 'tool-call')
  for (const [index, { fails = false, name, input }] of planned.entries()) {
    const error = failed.get(calls[index]?.toolCallId ?? '') ?? 'It was not made.'
    if ((error !== '') === fails) continue
    const what = `${name} ${JSON.stringify(input).slice(0, 300)}`
    throw new Error(fails ? `Was meant to fail: ${what}` : `Failed: ${what}\n${error}`)
  }
}

/** A clock that is the same in each recording: some seconds for an entry, minutes for a human. */
function startClock(start: number): { now: () => number; pause: () => void } {
  let at = start
  let ticks = 0
  return {
    now: () => (at += 1_700 + ((ticks++ * 7_919) % 5_000)),
    pause: () => (at += 95_000 + ((ticks * 31_337) % 240_000)),
  }
}
