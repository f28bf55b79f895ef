import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderContext } from '../compaction/render/render.ts'
import { summaryAsUser } from '../compaction/render/summary-block.ts'
import { arbitraryCallLog } from '../testing/generate/call-log.ts'
import { assistant, call, human, logFrom, result, tool } from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { illegalities } from '../testing/legal.ts'
import { callStates, type CallState } from '../testing/open-calls.ts'
import { contextOf } from './context/context.ts'
import { partsOf, type AssistantPart } from './message.ts'
import {
  abortedResult,
  openCalls,
  pendingStepStart,
  placeForResults,
  waitsForSomeone,
} from './open-calls.ts'
import { unitsOf } from './steps.ts'
import type { EntryDraft } from './entry.ts'
import type { ModelOrder } from './order.ts'

const waits: ReadonlySet<CallState['is']> = new Set(['awaits approval', 'awaits result'])
const open: ReadonlySet<CallState['is']> = new Set([...waits, 'decided'])

/** Holds of the context after each entry of many logs. */
function always(claim: (items: ModelOrder) => void): void {
  fc.assert(
    fc.property(arbitraryCallLog(), (drafts) => {
      const log = logFrom(drafts)
      for (const { seq } of log) claim(contextOf(log, seq).items)
    }),
    runs(200),
  )
}

describe('which calls are open has one answer', () => {
  it('a step is pending while it is the newest and a call is open, aborted where one of ours was left', () => {
    always((items) => {
      const states = callStates(items)
      for (const unit of unitsOf(items)) {
        if (unit.type !== 'step') continue
        const own = states.filter(({ step }) => items[step] === unit.item)
        const expected = own.some(({ is }) => open.has(is))
          ? 'pending'
          : own.some(({ is }) => is === 'aborted')
            ? 'aborted'
            : 'closed'
        expect(unit.status).toBe(expected)
        expect(unit.calls.map(({ toolCallId }) => toolCallId)).toEqual(own.map(({ id }) => id))
      }
    })
  })

  it('an aborted call gets one synthetic result, of the same bytes, and no other call gets one', () => {
    always((items) => {
      const { messages } = renderContext(items, summaryAsUser)
      const given = messages
        .flatMap(partsOf)
        .flatMap((part) =>
          part.type === 'tool-result' && JSON.stringify(part.output).includes(abortedResult)
            ? [part]
            : [],
        )
      const aborted = callStates(items).filter(({ is }) => is === 'aborted')
      expect(given.map(({ toolCallId }) => toolCallId)).toEqual(aborted.map(({ id }) => id))
      for (const { output } of given) {
        expect(output).toEqual({ type: 'error-text', value: abortedResult })
      }
      expect(illegalities(messages)).toEqual([])
    })
  })

  it('a session waits for someone while a result or an approval is out, and no longer', () => {
    always((items) => {
      expect(waitsForSomeone(items)).toBe(callStates(items).some(({ is }) => waits.has(is)))
    })
  })

  it('the step that is pending is found where it begins', () => {
    always((items) => {
      expect(pendingStepStart(items)).toBe(callStates(items).find(({ is }) => open.has(is))?.step)
    })
  })

  it('a result finds its place behind its step while its call has none, unless the agent went on', () => {
    always((items) => {
      const newest = items.findLastIndex(
        (item) => item.type === 'message' && item.message.role === 'assistant',
      )
      const summary = items.findLastIndex(({ type }) => type === 'summary')
      for (const { id, step, is } of callStates(items)) {
        const message = { role: 'tool' as const, content: [result(id, 'Read', 'here')] }
        const item = items[step]
        const call = item?.type === 'message' ? partsOf(item.message) : []
        const ours = !call.some(
          (part) => part.type === 'tool-call' && part.toolCallId === id && part.providerExecuted,
        )
        const place = placeForResults(items, message)
        if (is === 'answered' || !ours || step !== newest || summary > step) {
          expect(place).toBeUndefined()
        } else {
          const behind = items.slice(step + 1, place)
          expect(place).toBeGreaterThan(step)
          expect(
            behind.every((next) => next.type === 'message' && next.message.role === 'tool'),
          ).toBe(true)
        }
      }
    })
  })
})

const asks = (id: string): AssistantPart => ({
  type: 'tool-approval-request',
  approvalId: `ask-${id}`,
  toolCallId: id,
})
const answered = (id: string, approved: boolean): EntryDraft =>
  tool({ type: 'tool-approval-response', approvalId: `ask-${id}`, approved } as never)
const ofProvider = (id: string): AssistantPart =>
  ({ ...call(id, 'mcp'), providerExecuted: true }) as AssistantPart

const awaited = (...drafts: EntryDraft[]): string[] => {
  const messages = logFrom(drafts).flatMap((entry) =>
    entry.kind === 'message' ? [entry.message] : [],
  )
  return openCalls(messages).map(({ call, awaits }) => `${call.toolCallId}: ${awaits}`)
}

describe('an open call', () => {
  it('awaits its result, or first the approval that it asked for', () => {
    expect(awaited(assistant([call('a', 'Read'), call('b', 'bash'), asks('b')]))).toEqual([
      'a: result',
      'b: approval',
    ])
  })

  it.each([true, false])('awaits the next step once it was answered: %s', (approved) => {
    const step = assistant([call('a', 'bash'), asks('a')])
    expect(awaited(step, answered('a', approved))).toEqual(['a: next-step'])
    expect(awaited(step, answered('other', approved))).toEqual(['a: approval'])
  })

  it('awaits every approval that was asked for', () => {
    const second: AssistantPart = {
      type: 'tool-approval-request',
      approvalId: 'x',
      toolCallId: 'a',
    }
    const step = assistant([call('a', 'bash'), asks('a'), second])
    expect(awaited(step, answered('a', true))).toEqual(['a: approval'])
  })

  it('is closed by its result, whether an approval was asked for or not', () => {
    const step = assistant([call('a', 'bash'), asks('a'), call('b', 'bash')])
    const results = tool(result('a', 'bash', 'x'), result('b', 'bash', 'y'))
    expect(awaited(step, results)).toEqual([])
  })

  it('of the provider is none, unless it asks for an approval', () => {
    expect(awaited(assistant([ofProvider('a'), ofProvider('b'), asks('b')]))).toEqual([
      'b: approval',
    ])
    expect(awaited(assistant([ofProvider('a'), asks('a'), result('a', 'mcp', 'x')]))).toEqual([])
  })

  it('stays open behind the result of an earlier call with its id', () => {
    const parts = [ofProvider('a'), result('a', 'mcp', 'x'), call('a', 'Read')]
    expect(awaited(assistant(parts))).toEqual(['a: result'])
  })
})

describe('a wait', () => {
  const step = assistant([call('a', 'bash')])

  it('ends when anybody says something', () => {
    const waiting = (...drafts: EntryDraft[]): boolean =>
      waitsForSomeone(contextOf(logFrom(drafts)).items)
    expect(waiting(human('go'), step)).toBe(true)
    expect(waiting(human('go'), step, human('never mind'))).toBe(false)
    expect(waiting(human('go'), step, assistant('I go on'))).toBe(false)
    expect(waiting(human('go'), step, tool(result('a', 'bash', 'done')))).toBe(false)
    expect(waiting(tool(result('a', 'bash', 'done')))).toBe(false)
    expect(waiting()).toBe(false)
  })
})
