import { describe, expect, test } from 'vitest'
import { folding, foldProblems, reminderProblems } from './inside/check-agent-tools.ts'
import { thoughts } from './inside/agent.ts'
import type { SaidPart, ServedRequest } from 'throughline/testing/provider'

function request(number: number, said: SaidPart[], tools = ['read', 'fold']): ServedRequest {
  const tokens = JSON.stringify(said).length
  return { number, wire: 'w', path: '/', model: 'm', tokens, body: {}, said, tools }
}

const text = (words: string, role = 'user'): SaidPart => ({ type: 'text', role, text: words })
const result = (id: string): SaidPart => ({ type: 'result', id, text: 'ships' })

describe('a fold', () => {
  const steps = folding.files.map((file) => text(thoughts(file), 'assistant'))
  const before = Array.from({ length: folding.closed }, (_, index) => request(index + 1, steps))
  const learned = text(`[Folded]\n${folding.learned}`)
  const folded = request(folding.closed + 1, [learned])

  test('is well where what was learned stands in the place of the steps', () => {
    expect(foldProblems([...before, folded, request(7, [learned, result('a')])])).toEqual([])
  })

  test.each<[string, ServedRequest[], RegExp]>([
    ['is not offered', [request(1, [], ['read'])], /do not offer fold/],
    ['is never made', before, /only 5 requests/],
    ['leaves the steps', [...before, request(6, [...steps, learned])], /did not shrink/],
    ['forgets what was learned', [...before, request(6, [result('a')])], /lacks what was learned/],
    ['comes back', [...before, folded, request(7, [learned, ...steps])], /steps that were folded/],
  ])('is found out where it %s', (_, main, problem) => {
    expect(foldProblems(main).join()).toMatch(problem)
  })
})

describe('a reminder', () => {
  const words = '[Throughline, not the user: the context will be summarized soon. '
  const reminded = (number: number, size: string, behind = result(size)): ServedRequest =>
    request(number, [text('Go.'), behind, text(`${words}${size}]`)])
  const none = (number: number): ServedRequest => request(number, [text('Go.')])
  const well = [reminded(1, '1k'), reminded(2, '1k'), none(3), reminded(4, '2k')]

  test('is well once in a window, and again behind a compaction', () => {
    expect(reminderProblems(well, { compactions: 1 })).toEqual([])
  })

  test.each<[string, ServedRequest[], RegExp]>([
    ['changes', [reminded(1, '1k'), reminded(2, '2k')], /in other words/],
    ['stands behind words', [reminded(1, '1k', text('Go.')), none(2)], /behind words/],
    ['comes again of the same', [...well, none(5), reminded(6, '2k')], /again of the same/],
    ['comes too often', [...well, none(5), reminded(6, '3k')], /3 reminders, in 1/],
    ['comes only once', [reminded(1, '1k')], /not again/],
  ])('is found out where it %s', (_, main, problem) => {
    expect(reminderProblems(main, { compactions: 1 }).join()).toMatch(problem)
  })
})
