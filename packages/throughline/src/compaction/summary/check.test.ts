import { describe, expect, test } from 'vitest'
import { plainSummary } from '../../testing/scripted/summary-request.ts'
import { estimateTokens as count } from '../../tokens/estimate.ts'
import { summaryProblems, type SummaryCheck } from './check.ts'
import { defaultTemplate } from './template.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
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
    ['and none of the headings', { text: 'Understood. I will go on with the task.' }],
    ['on and on', { text: 'the parser of the lexer and '.repeat(300), finish: 'length' }],
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
})

describe('a summary is taken, since the record completes it', () => {
  test.each(['', '## Discoveries\n'])('though it is short for what it replaces: %j', (heading) => {
    const text = heading + 'The build is green and the parser works. '.repeat(6)
    expect(problems({ text }, { replaced: 1_000_000, budget: 8_000 })).toEqual([])
    const headed = '## Goal\nMend the parser.\n\n## Accomplished\n- It takes empty input now.'
    expect(problems({ text: headed }, { replaced: 1_000_000, budget: 8_000 })).toEqual([])
  })

  test.each<[string, Partial<SummaryAnswer>, Partial<SummaryCheck>]>([
    ['cut off', { finish: 'length' }, {}],
    ['too long', {}, { budget: 10 }],
    ['longer than what it would replace', {}, { replaced: 10 }],
    ['without a section', { text: plainSummary.replace(/## Discoveries[^#]*/, '') }, {}],
    ['one section', { text: '## Goal\nFix it.' }, {}],
    ['without headings', { text: 'The user wants the parser fixed. '.repeat(10) }, {}],
  ])('that is %s', (_, answer, check) => {
    expect(problems(answer, check)).toEqual([])
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
