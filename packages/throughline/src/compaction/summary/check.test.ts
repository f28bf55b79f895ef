import { describe, expect, test } from 'vitest'
import { plainSummary } from '../../testing/summary-request.ts'
import { estimateTokens as count } from '../../tokens/estimate.ts'
import { summaryProblems, type SummaryCheck } from './check.ts'
import { defaultTemplate } from './template.ts'
import { coreHeadings } from '../../facts/sections.ts'
import type { SummaryAnswer } from './with-model/summarizer.ts'

function problems(answer: Partial<SummaryAnswer>, check: Partial<SummaryCheck> = {}): string[] {
  const given: SummaryAnswer = { text: plainSummary, finish: 'stop', ...answer }
  return summaryProblems(given, { template: defaultTemplate, budget: 1_000, count, ...check })
}

function under(body: string): string {
  return coreHeadings.map((heading) => `## ${heading}\n${body}`).join('\n\n')
}

describe('a summary is not taken', () => {
  test.each<[string, Partial<SummaryAnswer>]>([
    ['a tool call', { text: plainSummary, finish: 'tool-calls' }],
    ['a content filter', { finish: 'content-filter' }],
    ['an error', { finish: 'error' }],
    ['empty', { text: ' \n\t ' }],
    ['cut off', { finish: 'length' }],
    ['nothing under any', { text: under('') }],
    ['nothing under any', { text: under('(none)') }],
  ])('that was %s', (words, answer) => {
    expect(problems(answer).join()).toContain(words)
  })

  test.each([
    'I can’t help with that.',
    "I'm sorry, but I can't assist with that request.",
    'Sorry, no.',
    'Unfortunately, I cannot comply with this.',
    'Thank you for asking! I am unable to summarize this conversation.',
    'I will not summarize that.',
    'As an AI language model, I have no opinion.',
    'That goes against my guidelines.',
    under('I cannot help with that.'),
    `## Goal\nI'm not able to continue.\n\n${under('(none)').slice('## Goal\n(none)\n\n'.length)}`,
  ])('that is a refusal: %j', (text) => {
    expect(problems({ text })).toContain('it was a refusal')
  })

  test('that is larger than its budget, or than what it would replace', () => {
    expect(problems({}, { budget: 10 }).join()).toMatch(/the limit is 10/)
    expect(problems({}, { replaced: 10 }).join()).toMatch(
      /more than the 10 that it was meant to replace/,
    )
  })

  test('that lacks sections of its template', () => {
    expect(problems({ text: plainSummary.replace('## Discoveries', 'Discoveries') })).toEqual([
      'it lacks the sections "## Discoveries"',
    ])
  })
})

test.each([
  plainSummary,
  `${plainSummary}\n- The API answered "I cannot help with that"; another prompt works.`,
  plainSummary.replace('all is well', 'The user is sorry that the build is broken.'),
  plainSummary.replace('all is well', 'I cannot push to main: the user forbids it.'),
])('a summary that speaks of a refusal is none', (text) => {
  expect(problems({ text })).toEqual([])
})
