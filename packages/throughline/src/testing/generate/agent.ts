import { jsonSchema, tool, type ToolSet } from 'ai'
import { aiSdkStep } from '../../integrations/ai-sdk/index.ts'
import type { AiSdkStepOptions } from '../../integrations/ai-sdk/step-options.ts'
import { run, type RunResult } from '../../session/loop/loop.ts'
import { openSession, type Session, type SessionOptions } from '../../session/session.ts'
import { memoryStore } from '../../stores/memory.ts'
import {
  scriptedModel,
  type Script,
  type ScriptedModel,
  type ScriptedRules,
} from '../scripted/scripted-model.ts'
import type { CountText } from '../prompt-tokens.ts'
import type { Report } from '../../compaction/report.ts'
import type { SessionEvent } from '../../session/events.ts'

/** An agent on the project's own loop: the real AI SDK, a scripted model, tools that do nothing. */
export interface Agent {
  session: Session
  model: ScriptedModel
  events: SessionEvent[]
  run: (signal?: AbortSignal) => Promise<RunResult>
  /** What was compacted, in order. */
  compactions: () => Report[]
}

export interface AgentOptions extends Partial<SessionOptions> {
  script: Script
  rules?: ScriptedRules
  /** How the model counts tokens, if not like a scripted model. */
  modelCount?: CountText
  step?: Partial<AiSdkStepOptions>
  maxSteps?: number
}

export async function agent({
  script,
  rules = {},
  modelCount,
  step = {},
  maxSteps = 200,
  onEvent,
  ...options
}: AgentOptions): Promise<Agent> {
  const events: SessionEvent[] = []
  let clock = 0
  const session = await openSession({
    store: memoryStore(),
    id: 'agent',
    window: { context: 200_000 },
    now: () => ++clock,
    ...options,
    onEvent: (event) => {
      events.push(event)
      onEvent?.(event)
    },
  })
  const model = scriptedModel({ script, rules, ...(modelCount && { count: modelCount }) })
  const runStep = aiSdkStep({ model, tools, ...step })
  return {
    session,
    model,
    events,
    run: (signal) => run({ session, step: runStep, maxSteps, ...(signal && { signal }) }),
    compactions: () =>
      events.flatMap((event) => (event.type === 'compaction-finished' ? [event.report] : [])),
  }
}

/** A text of about this many tokens, unlike any text with another name. */
export function lines(name: string, tokens: number): string {
  const line = (index: number): string =>
    `${name} line ${index}: const value${index} = ${index * 7}\n`
  let text = ''
  for (let index = 0; text.length < tokens * 3; index++) text += line(index)
  return text
}

const input = jsonSchema<{ path?: string; tokens?: number }>({
  type: 'object',
  properties: { path: { type: 'string' }, tokens: { type: 'number' } },
})

export const tools = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: input,
    execute: async ({ path = 'a.ts', tokens = 50 }) => lines(path, tokens),
  }),
  broken: tool({
    description: 'Always fails.',
    inputSchema: input,
    execute: async (): Promise<string> => {
      throw new Error('ENOENT: no such file')
    },
  }),
  /** Ignores its signal: an abort must not wait for it. */
  stuck: tool({
    description: 'Never ends.',
    inputSchema: input,
    execute: () => new Promise<string>(() => {}),
  }),
  remove: tool({
    description: 'Deletes a file.',
    inputSchema: input,
    needsApproval: true,
    execute: async ({ path = 'a.ts' }) => `deleted ${path}`,
  }),
} satisfies ToolSet
