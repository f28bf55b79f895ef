import { describe, expect, it } from 'vitest'
import { harnesses } from '../harnesses.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import type { WrittenMessage, WrittenSession } from './format-writer.ts'

type Fields = Record<string, unknown>

const now = testIdentity().now
const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'read', input: {} }
const output = { type: 'text' as const, value: 'found' }
const result = { type: 'tool-result' as const, toolCallId: 'c', toolName: 'read', output }

function written(times: readonly number[]): WrittenSession {
  const [asked = 0, called = 0, gave = 0, said = 0] = times
  const messages: WrittenMessage[] = [
    { message: { role: 'user', content: 'look' }, origin: 'human', at: asked },
    { message: { role: 'assistant', content: [call] }, origin: 'model', at: called },
    { message: { role: 'tool', content: [result] }, origin: 'tool', at: gave },
    { message: { role: 'assistant', content: 'Well.' }, origin: 'model', at: said },
  ]
  return { summary: 'what was before', messages, facts: { model: 'claude-opus-4-6' } }
}

/** All objects of a file, however deep: its records, their messages and their times. */
function objectsIn(text: string): Fields[] {
  const lines = text.startsWith('{\n') ? [text] : text.trimEnd().split('\n')
  const inside = (value: unknown): Fields[] => {
    if (typeof value !== 'object' || value === null) return []
    return [value as Fields, ...Object.values(value).flatMap(inside)]
  }
  return lines.flatMap((line) => inside(JSON.parse(line)))
}

function timesIn(text: string): number[] {
  return objectsIn(text).flatMap((object) =>
    Object.entries(object).flatMap(([key, value]) => {
      if (
        !/^(?:timestamp|time|ts|updated_at|startTime|created|created_at|updated|completed|start|end)$/.test(
          key,
        )
      )
        return []
      if (typeof value === 'object') return []
      return [typeof value === 'number' ? value : Date.parse(String(value))]
    }),
  )
}

/** Their files record no times at all. */
const timeless: ReadonlySet<string> = new Set(['cn'])

describe.each(harnesses)('what is written for $name', ({ name, writer }) => {
  it.each([
    ['to come', [now + 5, now + 1e9, now * 1e6, now + 5]],
    ['unknown', [0, -1, Number.NaN, 0]],
    ['known', [now - 4000.5, now - 3000, now - 2000, now - 1000]],
  ])('has no time to come where times are %s', (_, times) => {
    const found = timesIn(writer.write(written(times), testIdentity()).text)
    expect(found.length > 0, 'this test knows the field of its times').toBe(!timeless.has(name))
    for (const time of found) expect(time).toSatisfy((at: number) => at > 0 && at <= now)
  })

  it('names in every record the one before it, if it names any', () => {
    const { text } = writer.write(written([1, 2, 3, 4]), testIdentity())
    const linked = objectsIn(text).filter((one) => 'parentUuid' in one || 'parentId' in one)
    linked.forEach(({ parentUuid, parentId }, index) => {
      const { uuid = null, id = null } = linked[index - 1] ?? {}
      expect(parentUuid ?? parentId ?? null).toBe(uuid ?? id)
    })
  })

  it('holds no provider that the harness may not have, and counts nothing', () => {
    const { text } = writer.write(written([1, 2, 3, 4]), testIdentity())
    expect(text).not.toMatch(/model_provider|history_mode/)
    for (const object of objectsIn(text)) {
      for (const [key, value] of Object.entries(object)) {
        if (/token|^(?:input|output|cacheRead|cacheWrite|cost|total)$/i.test(key)) {
          if (typeof value === 'number') expect(value).toBe(0)
        }
      }
    }
  })
})

describe('what is written for opencode', () => {
  it('sorts as it was said, by times and by ids, even where clocks went back', () => {
    const writer = harnesses.find(({ name }) => name === 'opencode')?.writer
    const { text = '' } =
      writer?.write(written([now - 10, now - 30, 0, now - 20]), testIdentity()) ?? {}
    const { messages } = JSON.parse(text) as {
      messages: { info: { id: string; time: { created: number } } }[]
    }
    const order = messages.map(({ info }) => info)
    const sorted = order.toSorted(
      (a, b) => a.time.created - b.time.created || (a.id < b.id ? -1 : 1),
    )
    expect(order).toEqual(sorted)
    expect(order.map(({ id }) => id)).toEqual(order.map(({ id }) => id).toSorted())
  })
})
