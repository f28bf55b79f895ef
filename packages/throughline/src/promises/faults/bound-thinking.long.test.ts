import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aiSdkStep } from '../../integrations/ai-sdk/index.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { CheckpointDraft } from '../../log/entry.ts'
import { lines, tools } from '../../testing/generate/agent.ts'
import { openSession, type Session } from '../../session/session.ts'
import { run, type RunStep } from '../../session/loop/loop.ts'
import { ref } from '../../log/ref.ts'
import { runs } from '../../testing/generate/runs.ts'
import { partsOf } from '../../log/message.ts'
import {
  startProvider,
  type ProviderScript,
  type ServedAnswer,
  type ServedRequest,
} from '../../testing/provider/index.ts'
import { modelOn } from './wires.ts'

/** A session at a provider that takes thinking only behind what it answered. */
interface Bound {
  session: Session
  step: RunStep
  requests: readonly ServedRequest[]
}

async function withScript(
  script: ProviderScript,
  work: (bound: Bound) => Promise<void>,
): Promise<void> {
  const provider = await startProvider({ script, rules: { strict: true, bindsThinking: true } })
  try {
    const session = await openSession({
      store: memoryStore(),
      id: 'a',
      window: { context: 100_000 },
      system: 'Think first.',
      now: () => 1,
    })
    const model = modelOn('anthropic', provider.url, 'thinker')
    const step = aiSdkStep({ model, tools, maxOutputTokens: 1_000 })
    await work({ session, step, requests: provider.requests })
  } finally {
    await provider.close()
  }
}

/** Thinks before all that it says: twice a call, then an answer. */
function thoughtful({ number }: ServedRequest): ServedAnswer {
  const reasoning = `Thought ${number}.`
  if (number % 3 === 0) return { reasoning, text: `Answer ${number}.` }
  const input = { path: `src/part-${number}.ts`, tokens: 400 }
  const text = `I look. ${lines(`note ${number}`, 100)}`
  return { reasoning, text, chunk: 1_000, calls: [{ name: 'read', input }] }
}

interface Thinker extends Bound {
  /** Two calls and an answer. */
  turn: () => Promise<void>
}

async function withThinker(work: (thinker: Thinker) => Promise<void>): Promise<void> {
  await withScript(thoughtful, async (bound) => {
    let turns = 0
    const turn = async (): Promise<void> => {
      await bound.session.say(`Turn ${(turns += 1)}: look again, the secret is hunter${turns}.`)
      await run(bound)
    }
    await work({ ...bound, turn })
  })
}

/** The human says yes to the call that waits. */
async function approve(session: Session): Promise<void> {
  const approvalId = session
    .messages()
    .flatMap(partsOf)
    .flatMap((part) => (part.type === 'tool-approval-request' ? [part.approvalId] : []))
    .at(-1)
  await session.append({
    kind: 'message',
    at: 1,
    origin: 'human',
    message: {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId: approvalId ?? '', approved: true }],
    },
  })
}

const checkpoint: Omit<CheckpointDraft, 'base'> = {
  kind: 'checkpoint',
  at: 1,
  summary: '## Goal\nTo answer.',
  summarizer: 'local',
  tail: [],
  continuation: null,
  metadata: {},
}

/** What changes what the model sees, or could. */
const changes: Record<string, (session: Session) => Promise<unknown>> = {
  'a summary': (session) => session.compact(),
  'a pruning': (session) => prune(session),
  'taking the newest compaction back': (session) => session.undo().catch(() => undefined),
  'going back': async (session) => session.rewind(Math.floor(session.context().seq / 2)),
  'a pin': (session) => session.pin('Never push.'),
  'a redaction': (session) => session.redact({ text: 'hunter1' }),
}

/** Takes the outputs away, as pruning does. */
async function prune(session: Session): Promise<unknown> {
  const replacements = session
    .context()
    .items.flatMap((item) =>
      item.type === 'message' && item.message.role === 'tool'
        ? [{ how: 'pruned' as const, ref: ref(item.seq, 1), text: '<tool-output-compacted>' }]
        : [],
    )
  if (replacements.length === 0) return undefined
  const base = session.context().seq
  const metadata = { time: { compacted: 1 } }
  return session.append({ kind: 'prune', at: 1, base, replacements, metadata })
}

function refused(requests: readonly ServedRequest[]): number[] {
  return requests.flatMap((request) => (request.refused ? [request.number] : []))
}

/** The answers in turn; a refused request has taken none of them. */
function inTurn(answers: readonly ServedAnswer[]): ProviderScript {
  let given = 0
  return () => answers[given++] ?? { text: 'There is nothing more to say.' }
}

describe('thinking that a provider binds to what it answered', () => {
  it('is sent back as long as nothing changes', async () => {
    await withThinker(async ({ turn, requests }) => {
      await turn()
      await turn()
      expect(refused(requests)).toEqual([])
      expect(JSON.stringify(requests.at(-1)?.body)).toContain('Thought 1.')
    })
  })

  const orders = [
    ...Object.keys(changes).map((name) => [name]),
    ['a summary', 'taking the newest compaction back'],
    ['a pruning', 'taking the newest compaction back'],
    ['a pruning', 'a summary', 'taking the newest compaction back', 'going back'],
    ['a redaction', 'going back'],
    ['a summary', 'a redaction', 'taking the newest compaction back'],
  ].map((order) => ({ order, all: order.join(', ') }))

  it.each(orders)('is refused once at most, and then taken, after $all', async ({ order }) => {
    await withThinker(async ({ session, turn, requests }) => {
      await turn()
      for (const name of order) {
        await turn()
        await changes[name]?.(session)
      }
      await turn()
      await turn()
      expect(refused(requests).length).toBeLessThanOrEqual(1)
      expect(requests.at(-1)?.refused).toBeUndefined()
    })
  })

  it('is refused once at most where something was put before it while its call waited', async () => {
    const script = [
      { reasoning: 'It must go.', calls: [{ name: 'remove', input: { path: 'a' } }] },
      { reasoning: 'It is gone.', text: 'Done.' },
    ]
    await withScript(inTurn(script), async ({ session, step, requests }) => {
      await session.say('Remove a.')
      await expect(run({ session, step })).resolves.toMatchObject({ reason: 'pending' })
      await session.pin('Never push.')
      await approve(session)
      await expect(run({ session, step })).resolves.toMatchObject({ reason: 'finished' })
      expect(refused(requests)).toHaveLength(1)
      expect(requests).toHaveLength(3)
    })
  })

  it('is refused once where it came while a summary was written', async () => {
    const script = Array.from({ length: 9 }, (_, n) => ({
      reasoning: `Thought ${n}.`,
      text: 'Yes.',
    }))
    await withScript(inTurn(script), async ({ session, step, requests }) => {
      for (const question of ['One?', 'Two?']) {
        await session.say(lines(question, 2_000))
        await run({ session, step })
      }
      const base = session.context().seq
      await session.say('Three?')
      await run({ session, step })
      await session.append({ ...checkpoint, base })
      await session.say('Four?')
      await run({ session, step })
      await session.say('Five?')
      await run({ session, step })
      expect(refused(requests)).toHaveLength(1)
    })
  })

  it('stops no agent, whatever changes, in any order', async () => {
    const names = fc.constantFrom(...Object.keys(changes))
    await fc.assert(
      fc.asyncProperty(fc.array(names, { minLength: 2, maxLength: 5 }), async (order) => {
        await withThinker(async ({ session, turn, requests }) => {
          await turn()
          for (const name of order) {
            await turn()
            await changes[name]?.(session)
          }
          await turn()
          // A view that was never sent before may be refused once for itself.
          expect(refused(requests).length).toBeLessThanOrEqual(2)
        })
      }),
      runs(4),
    )
  })
})
