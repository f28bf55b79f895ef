import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { draftsOf, logOf, pairProblems } from '../../testing/conformance/format-conformance.ts'
import { outline } from '../testing/outline.ts'
import { openhands } from './format.ts'

type Fields = Record<string, unknown>

function said(id: string): Fields {
  const llm_message = { role: 'user', content: [{ type: 'text', text: id }] }
  return { id, source: 'user', kind: 'MessageEvent', llm_message }
}

function called(id: string, call: string): Fields {
  const tool_call = { id: call, name: 'terminal', arguments: '{}' }
  return {
    id,
    source: 'agent',
    kind: 'ActionEvent',
    llm_response_id: `r-${id}`,
    thought: [],
    tool_call,
  }
}

function answered(id: string, tool_call_id: string): Fields {
  const observation = { content: [{ type: 'text', text: 'x' }] }
  return { id, source: 'environment', kind: 'ObservationEvent', tool_call_id, observation }
}

function condensed(forgotten_event_ids: string[], summary?: string): Fields {
  return { id: 'x', source: 'environment', kind: 'Condensation', forgotten_event_ids, summary }
}

test('a step of which one event was forgotten is forgotten whole', () => {
  const records = [said('a'), called('b', 'c1'), answered('c', 'c1'), said('d')]
  expect(outline(openhands, [...records, condensed(['c'], 'Sum.')]).at(-1)).toBe(
    'checkpoint: Sum., kept 1 4',
  )
})

test('what was forgotten once stays so, and the last summary stands until there is another', () => {
  const records = [
    said('a'),
    said('b'),
    condensed(['a'], 'One.'),
    said('c'),
    condensed(['c']),
    condensed([], 'Two.'),
  ]
  expect(outline(openhands, records).filter((line) => line.startsWith('checkpoint'))).toEqual([
    'checkpoint: One., kept 2',
    'checkpoint: One., kept 2',
    'checkpoint: Two., kept 2',
  ])
})

test('a condensation without any summary says so', () => {
  expect(outline(openhands, [said('a'), condensed(['a'])]).at(-1)).toMatch(/contains no summary/)
})

test('before version 1 a range says what was forgotten', () => {
  const action = (id: number, kind: string, args: Fields, source = 'user'): Fields => ({
    id,
    source,
    action: kind,
    args,
  })
  const records = [1, 2, 3, 4].map((id) => action(id, 'message', { content: `${id}` }))
  const args = { forgotten_events_start_id: 2, forgotten_events_end_id: 3, summary: 'Sum.' }
  expect(outline(openhands, [...records, action(5, 'condensation', args, 'agent')]).at(-1)).toBe(
    'checkpoint: Sum., kept 1 4',
  )
})

test('the context is what was neither forgotten nor said before, and its pairs are whole', () => {
  const step = fc.nat(30).map((id) => ['step', `${id}`] as const)
  const word = fc.nat(30).map((id) => ['said', `${id}`] as const)
  const forget = fc.array(fc.nat(40), { maxLength: 8 }).map((ids) => ['forget', ids] as const)
  fc.assert(
    fc.property(fc.array(fc.oneof(step, word, forget), { maxLength: 30 }), (moves) => {
      let kept: string[] = []
      const records = moves.flatMap((move, index): Fields[] => {
        if (move[0] === 'forget') {
          const ids = move[1].map((id) => `${id}`)
          kept = kept.filter((id) => !ids.includes(id))
          return [condensed(ids, 'Sum.')]
        }
        kept.push(`${index}`)
        if (move[0] === 'said') return [said(`${index}`)]
        kept.push(`${index}`)
        return [called(`${index}`, 'c'), answered(`o${index}`, 'c')]
      })
      const log = logOf(draftsOf(openhands, records))
      const { items } = contextOf(log)
      expect(items.filter(({ type }) => type === 'message')).toHaveLength(kept.length)
      expect(pairProblems(log)).toEqual([])
    }),
  )
})
