import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asMarkdown, asText, contained } from './printed.ts'
import { inputText, passagesOf, type Passage } from './passages.ts'
import { contextOf } from '../../log/context/context.ts'
import { summaryAsUser } from '../../compaction/render/summary-block.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  tool,
} from '../../testing/generate/build.ts'

const kinds = ['summary', 'user', 'harness', 'note', 'assistant', 'thinking'] as const
const nearHeadings = [
  '=== user',
  '=== assistant calls Bash',
  '# User',
  '  # User',
  '===',
  '# ',
  '#',
]
const nearFences = ['```', '~~~~', '````', '```js', '']
const harmless = ['## Goal', 'words', '=== ', '====', '> quote']
const line = fc.constantFrom(...nearHeadings, ...nearFences, ...harmless)
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n').trimEnd())
const passages = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), text }) as fc.Arbitrary<Passage>,
  { minLength: 1, maxLength: 6 },
)

describe('asText', () => {
  it('has as many headings as passages, whatever stands in them', () => {
    fc.assert(
      fc.property(passages, (all) => {
        const headings = asText(all)
          .split('\n')
          .filter((each) => each.startsWith('==='))
        expect(headings).toEqual(
          all.map(({ kind }) => (kind === 'thinking' ? '=== assistant thinks' : `=== ${kind}`)),
        )
      }),
    )
  })
})

describe('asMarkdown', () => {
  it('has as many headings of the first level as passages, whatever stands in them', () => {
    fc.assert(
      fc.property(passages, (all) => {
        expect(topHeadings(asMarkdown(all))).toHaveLength(all.length)
      }),
    )
  })

  it('leaves Markdown that stays inside as it is', () => {
    const markdown = '## Goal\n- one\n\n```sh\n# a comment\n```\nend'
    expect(contained(markdown)).toBe(markdown)
  })
})

/** Headings of the first level outside of fences, as CommonMark has them. */
function topHeadings(markdown: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  for (const each of markdown.split('\n')) {
    const [, marks = '', after = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(each) ?? []
    if (marks !== '') {
      if (fence === undefined) fence = marks
      else if (marks[0] === fence[0] && marks.length >= fence.length && after.trim() === '') {
        fence = undefined
      }
    } else if (fence === undefined && /^ {0,3}(#( |$)|=+ *$)/.test(each)) {
      found.push(each)
    }
  }
  return found
}

describe('passagesOf', () => {
  it('tells who said what, with calls and their results', () => {
    const log = logFrom([
      human([
        { type: 'text', text: 'look at \u001b[31mthis' },
        { type: 'image', image: 'aGk=', mediaType: 'image/png' },
      ]),
      harness('<system-reminder>be nice</system-reminder>'),
      assistant([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'ok' },
        call('1', 'Read', { path: 'a' }),
      ]),
      tool(result('1', 'Read', { type: 'error-text', value: 'no such file' })),
    ])
    expect(passagesOf(contextOf(log), log, summaryAsUser)).toEqual([
      { kind: 'user', text: 'look at this' },
      { kind: 'user', text: '[Attached image/png]' },
      { kind: 'harness', text: '<system-reminder>be nice</system-reminder>' },
      { kind: 'thinking', text: 'hm' },
      { kind: 'assistant', text: 'ok' },
      { kind: 'call', tool: 'Read', text: 'path: a' },
      { kind: 'failure', tool: 'Read', text: 'no such file' },
    ])
  })

  it('begins with the summary, without its wrapper, and calls markers notes', () => {
    const log = logFrom([
      human('make it'),
      assistant([call('1', 'Bash')]),
      tool(result('1', 'Bash', 'done')),
      {
        kind: 'checkpoint',
        at: 0,
        base: 3,
        summary: '## Goal\nmake it',
        summarizer: 'local',
        tail: [{ type: 'omission', from: 2, to: 3, text: '[1 step left out]' }],
        continuation: {
          kind: 'mid-task',
          message: { role: 'user', content: 'continue' },
          metadata: { compaction_continue: true },
        },
        metadata: {},
      },
    ])
    expect(passagesOf(contextOf(log), log, summaryAsUser)).toEqual([
      { kind: 'summary', text: '## Goal\nmake it' },
      { kind: 'note', text: '[1 step left out]' },
      { kind: 'note', text: 'continue' },
    ])
  })
})

describe('inputText', () => {
  it('shows each field on its line, and texts of several lines below their names', () => {
    expect(inputText({ path: 'a.ts', content: 'one\ntwo', limit: 3 })).toBe(
      'path: a.ts\ncontent: \n  one\n  two\nlimit: 3',
    )
    expect(inputText('*** Begin Patch')).toBe('*** Begin Patch')
    expect(inputText([1])).toBe('[1]')
    expect(inputText(undefined)).toBe('')
  })
})
