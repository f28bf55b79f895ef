import fc from 'fast-check'
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import { anthropicProblems } from '../../testing/request-rules/anthropic.ts'
import { rememberedAnthropic, settled } from '../anthropic/remembered.ts'
import { chatProblems, responsesProblems } from '../../testing/request-rules/openai.ts'
import { rememberedChat } from '../openai/chat/open-chat.ts'
import { compactNatives } from './compact-natives.ts'
import { defaultPolicy } from '../../compaction/policy.ts'
import { rememberedLangchain } from '../langchain/thread.ts'
import { nativesIn, type Pair } from '../../wires/wire.ts'
import { openCalls } from '../../log/open-calls.ts'
import { rememberedResponses } from '../openai/responses/open-responses.ts'
import { runs } from '../../testing/generate/runs.ts'
import type { RememberingWire } from '../../wires/remembering/remembering.ts'

/** How an agent over an API goes on: what it appends, and what the API would refuse. */
interface Agent<Native> {
  wire: RememberingWire<Native>
  ask: (text: string) => Native[]
  step: (ids: readonly string[], output: string) => Native[]
  problems: (natives: readonly Native[]) => string[]
  settle: (pairs: readonly Pair<Native>[], came: readonly Native[]) => readonly Pair<Native>[]
}

type Any = Record<string, unknown>

const anthropic: Agent<Any> = {
  wire: rememberedAnthropic as unknown as RememberingWire<Any>,
  ask: (content) => [{ role: 'user', content }],
  step: (ids, output) => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        ...ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: { path: id } })),
      ],
    },
    {
      role: 'user',
      content: ids.map((tool_use_id) => ({ type: 'tool_result', tool_use_id, content: output })),
    },
  ],
  problems: (natives) => {
    const messages = natives.map(({ content, ...message }) => ({
      ...message,
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    }))
    // Between two of the human's own messages, no roles are taken in turn.
    return anthropicProblems({ messages } as never).filter((problem) => !/another of/.test(problem))
  },
  settle: (pairs, came) => settled(pairs as never, came as never, 0) as never,
}

const chat: Agent<Any> = {
  wire: rememberedChat as unknown as RememberingWire<Any>,
  ask: (content) => [{ role: 'user', content }],
  step: (ids, content) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({
        id,
        type: 'function',
        function: { name: 'read', arguments: `{"path": "${id}"}` },
      })),
    },
    ...ids.map((tool_call_id) => ({ role: 'tool', tool_call_id, content })),
  ],
  problems: (messages) => chatProblems({ messages } as never),
  settle: (pairs) => pairs,
}

const responses: Agent<Any> = {
  wire: rememberedResponses as unknown as RememberingWire<Any>,
  ask: (content) => [{ type: 'message', role: 'user', content }],
  step: (ids, output) => [
    ...ids.map((call_id) => ({
      type: 'function_call',
      id: `fc_${call_id}`,
      call_id,
      name: 'read',
      arguments: '{}',
    })),
    ...ids.map((call_id) => ({ type: 'function_call_output', call_id, output })),
  ],
  problems: (input) => responsesProblems({ input } as never),
  settle: (pairs) => pairs,
}

const langchain: Agent<BaseMessage> = {
  wire: rememberedLangchain,
  ask: (text) => [new HumanMessage(text)],
  step: (ids, output) => [
    new AIMessage({
      content: '',
      tool_calls: ids.map((id) => ({ id, name: 'read', args: { path: id } })),
    }),
    ...ids.map((tool_call_id) => new ToolMessage({ tool_call_id, content: output })),
  ],
  problems: (messages) =>
    openCalls(rememberedLangchain.read(messages).flatMap((pair) => pair.messages)).map(
      ({ call }) => `no result of ${call.toolCallId}`,
    ),
  settle: (pairs) => pairs,
}

const agents: [string, Agent<never>][] = [
  ['the Messages API', anthropic as unknown as Agent<never>],
  ['Chat Completions', chat as unknown as Agent<never>],
  ['the Responses API', responses as unknown as Agent<never>],
  ['LangChain', langchain as unknown as Agent<never>],
]

const move = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ does: 'ask' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('step' as const),
      calls: fc.integer({ min: 1, max: 3 }),
      size: fc.constantFrom(1, 100, 600),
    }),
  },
)

test.each(agents)(
  'an array of %s stays legal and fits, however often it is compacted',
  async (_, agent) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 5, maxLength: 40 }),
        fc.boolean(),
        async (moves, prunes) => {
          const policy = prunes ? defaultPolicy : { ...defaultPolicy, prune: () => undefined }
          const window = { context: 12_000 }
          let natives = agent.ask('Do it. Never edit main.ts.')
          let checkpoints = 0
          for (const [index, move] of moves.entries()) {
            const added =
              move.does === 'ask'
                ? agent.ask(`Question ${index}.`)
                : agent.step(
                    Array.from({ length: move.calls }, (_, call) => `c${index}_${call}`),
                    'word '.repeat(move.size),
                  )
            natives = [...natives, ...added]
            const before = natives
            const { pairs, log, report } = await compactNatives(agent.wire, natives, {
              window,
              policy,
            })
            natives = nativesIn(agent.settle(pairs, before))
            expect(agent.problems(natives)).toEqual([])
            expect(report.fits || report.action === 'none').toBe(true)
            if (report.action === 'none') {
              expect(natives.every((native, at) => native === before[at])).toBe(true)
            }
            // What stood before an earlier compaction is still known, and so is the rule.
            const found = log.filter(({ kind }) => kind === 'checkpoint' || kind === 'prune').length
            expect(found).toBeGreaterThanOrEqual(checkpoints)
            checkpoints = found
            expect(JSON.stringify(natives)).toContain('Never edit main.ts.')
          }
        },
      ),
      runs(6),
    )
  },
)
