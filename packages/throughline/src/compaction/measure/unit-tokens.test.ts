import { wellFormed } from '../../json/well-formed.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitrarySession } from '../../testing/generate/session.ts'
import { checkpointItems } from '../../log/context/items-of.ts'
import { contextOf } from '../../log/context/context.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { baseBefore, human, logFrom, result, step, tool } from '../../testing/generate/build.ts'
import { isReasoning } from '../../log/context/kept-reasoning.ts'
import { keptMessages, unitTokens } from './unit-tokens.ts'
import { partsOf, type AssistantPart, type Message } from '../../log/message.ts'
import { plannedUnits } from '../plan/planned-units.ts'
import { plainCounter } from '../../testing/plain-counter.ts'
import { renderContext } from '../render/render.ts'
import { runs } from '../../testing/generate/runs.ts'
import { summaryAsUser } from '../render/summary-block.ts'
import type { Chronological } from '../../log/order.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { Unit } from '../../log/steps.ts'

const counter = plainCounter((text) => text.length)

function unitsIn(log: Chronological): Unit[] {
  return plannedUnits(contextOf(log), factsOf(log), log)
}

/** A step that thinks before its call. */
function thinking(thought: string, id: string): EntryDraft[] {
  return step(id, 'read', {}, 'x').map((draft) =>
    draft.kind === 'message' && draft.message.role === 'assistant'
      ? { ...draft, message: thoughtful(thought, draft.message.content as AssistantPart[]) }
      : draft,
  )
}

function thoughtful(text: string, content: readonly AssistantPart[]): Message {
  return { role: 'assistant', content: [{ type: 'reasoning', text }, ...content] }
}

function thoughts(messages: readonly Message[]): string[] {
  return messages
    .flatMap(partsOf)
    .flatMap((part) => (isReasoning(part) ? [JSON.stringify(part)] : []))
}

const lesson = (provider: 'refuses' | 'demands'): EntryDraft => ({
  kind: 'observation',
  at: 0,
  observation: { type: 'reasoning', provider },
})

it('a step counts its reasoning where it is sent: in the current loop, unless it was refused', () => {
  const sizes = (...more: EntryDraft[]): number[] => {
    const said = [human('one'), thinking('hmm', 'a'), human('two'), thinking('hmm', 'b')].flat()
    const units = unitsIn(logFrom([...said, ...more])).filter(({ type }) => type === 'step')
    return units.map((unit) => unitTokens(unit, [], counter))
  }
  const [bare = 0] = sizes()
  const whole = sizes()[1] ?? 0
  expect(whole).toBeGreaterThan(bare)
  expect(sizes(lesson('demands'))).toEqual([whole, whole])
  expect(sizes(lesson('refuses'))).toEqual([bare, bare])
})

it('a tail is counted with the reasoning that is sent with it', () => {
  const lessons = fc.subarray([lesson('refuses'), lesson('demands')])
  fc.assert(
    fc.property(arbitrarySession(), lessons, (drafts, learned) => {
      const log = logFrom([...drafts, ...learned])
      const context = contextOf(log)
      const units = unitsIn(log)
      const seqs = units.flatMap((unit) =>
        unit.type === 'human' ? [unit.seq] : unit.items.map(({ seq }) => seq),
      )
      const tail = seqs.map((seq) => ({ type: 'entry', seq }) as const)
      const base = context.seq
      const said = { summary: '', summarizer: 'local', tail, continuation: null, metadata: {} }
      const draft = { kind: 'checkpoint', at: 0, base, seq: base + 1, ...said } as const
      const { refused, demanded } = context.reasoning
      // Steps that a provider takes in no way are left out, whatever they hold.
      fc.pre(!(refused && demanded))
      const sent = renderContext(checkpointItems(context, draft, log), summaryAsUser).messages
      const counted = units.flatMap((unit) => keptMessages(unit, [])).map(wellFormed)
      expect(thoughts(counted).toSorted()).toEqual(thoughts(sent).toSorted())
    }),
    runs(60),
  )
})

it('a unit keeps what is not replaced, and nothing of it is changed by what is for others', () => {
  const log = logFrom([
    human('one'),
    step('a', 'read', {}, 'x'),
    human('two'),
    {
      kind: 'checkpoint',
      at: 0,
      base: baseBefore,
      summary: 'It was.',
      summarizer: 'local',
      tail: [{ type: 'entry', seq: 2 }],
      continuation: {
        kind: 'unanswered',
        message: { role: 'user', content: 'two' },
        metadata: { compaction_continue: true },
        of: 4,
      },
      metadata: {},
    },
    tool(result('a', 'read', 'there')),
    tool(result('gone', 'read', 'late')),
  ])
  const others = ['1.0', '40.0', '14.0', '5.0'] as const
  const foreign = others.map((ref) => ({ how: 'pruned' as const, ref, text: 'gone' }))
  const clipped = { how: 'clipped' as const, ref: '4.0' as const, text: 't…' }
  const units = unitsIn(log)
  const whole = units.flatMap((unit) => keptMessages(unit, []))
  expect(JSON.stringify(whole)).toContain('late')
  expect(units.flatMap((unit) => keptMessages(unit, foreign))).toEqual(whole)
  const request = units.find((unit) => unit.type === 'human')
  expect(request && keptMessages(request, [])).toEqual([{ role: 'user', content: 'two' }])
  expect(request && keptMessages(request, [...foreign, clipped])).toEqual([
    { role: 'user', content: [{ type: 'text', text: 't…' }] },
  ])
  const pruned = { how: 'pruned' as const, ref: '6.0' as const, text: 'gone' }
  const done = units.find((unit) => unit.type === 'step')
  const [said, answer] = done ? keptMessages(done, [...foreign, pruned]) : []
  expect(said).toBe(done && keptMessages(done, [])[0])
  expect(answer).toMatchObject({ content: [{ output: { value: 'gone' } }] })
})
