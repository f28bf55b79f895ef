import { describe, expect, it } from 'vitest'
import { humanQuotesNote, modelsLabel } from '../../facts/labels.ts'
import { sectionBody, parseSections } from '../../facts/sections.ts'
import { coreHeadings } from '../../facts/summary/sections/core-sections.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { assistant, human, logFrom } from '../../testing/generate/build.ts'
import { quoteMarker } from '../../facts/summary/human-quotes.ts'
import { repairSummary } from './repair.ts'
import { defaultTemplate } from './template.ts'

const log = logFrom([
  human('why would we track the commands here?\nagent session keeps `track` of those, no?'),
  assistant('You are right: the store is a better place for all of them.'),
  human('先看一下生成的文件吧。'),
  human('Go on.'),
])
const facts = factsOf(log, {})
const marked = quoteMarker(facts)

describe('what a model quotes of the human', () => {
  it.each([
    ['- "agent session keeps track of those, no?"', '[1]'],
    ['- “Why would we track … keeps track of those”', '[1]'],
    ['- 「看一下生成的文件」', '[3]'],
    ['- why would we track the commands here? agent session keeps track of those, no?', '[1]'],
  ])('has the ref of the message, however it is written: %s', (line, ref) => {
    expect(marked(line)).toBe(`${line} ${ref}`)
  })

  it.each([
    '- "the store is a better place for all of them"',
    '- "keeps track of those … why would we track"',
    '- "track"',
    '- The commands are tracked by the session.',
  ])('has none where no message of the human holds it: %s', (line) => {
    expect(marked(line)).toBe(line)
  })

  it('is not called the words of a model in a summary, nor after an update of it', () => {
    const answer = (said: string): string =>
      coreHeadings
        .map((heading) => `## ${heading}\n${heading === 'Instructions' ? said : '(none)'}`)
        .join('\n\n')
    const repair = (text: string): string =>
      repairSummary(text, {
        facts,
        template: defaultTemplate,
        budget: 2_000,
        count: (words) => Math.ceil(words.length / 4),
        log,
      }) ?? ''
    const instructions = (text: string): string =>
      sectionBody(parseSections(text), 'Instructions') ?? ''
    const quoted = '- "agent session keeps track of those, no?"'
    const first = repair(answer(`${quoted}\n- Small commits.`))
    expect(instructions(first)).toBe(
      [modelsLabel, humanQuotesNote, `> ${quoted} [1]`, '> - Small commits.'].join('\n'),
    )
    expect(instructions(repair(first))).toBe(instructions(first))
    expect(instructions(repair(answer('- Small commits.')))).toBe(
      `${modelsLabel}\n> - Small commits.`,
    )
  })
})
