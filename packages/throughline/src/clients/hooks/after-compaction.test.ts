import { describe, expect, it } from 'vitest'
import { addedAfter } from './after-compaction.ts'
import { estimateTokens } from '../../tokens/estimate.ts'
import {
  assistant,
  call,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../../testing/generate/build.ts'
import type { Drafts } from '../../testing/generate/build.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { SessionFacts } from '../../formats/format.ts'

const frame = { directory: '/w', recallTool: 'recall_it', takes: 9_800 }

function said(id: string, text: string, path: string): Drafts {
  return [
    assistant([
      { type: 'text', text },
      call(id, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }),
    ]),
    tool(result(id, 'Edit', 'The file was changed.')),
  ]
}

const found =
  'The parser reads the header twice because the cursor is not moved behind the length field.'
const todos = { todos: [{ content: 'Write the first sketch', status: 'in_progress' }] }
const work: readonly Drafts[] = [
  human('Never touch config/prod.ts. Find out why the parser is slow.'),
  assistant([call('t', 'TodoWrite', todos)]),
  tool(result('t', 'TodoWrite', 'Todos were changed.')),
  said('a', found, '/w/src/parser.ts'),
  said('b', 'I move the cursor in one place, so that no caller has to.', '/w/src/cursor.ts'),
]

function compacted(
  before: readonly Drafts[],
  summary: string,
  { takes = frame.takes, facts = {} as SessionFacts, isCostly = false } = {},
): string | undefined {
  const draft: EntryDraft = {
    kind: 'checkpoint',
    at: 1,
    base: -1,
    summary,
    summarizer: 'codex',
    tail: [],
    continuation: null,
    metadata: {},
  }
  return addedAfter(
    { log: logFrom([...before, draft]), facts },
    { ...frame, takes, isWritten: true, isCostly },
  )
}

describe('what is added behind a summary of the client’s own', () => {
  it('states what was found and why, and not only names', () => {
    const added = compacted(work, '## Goal\nThe work goes well.')
    expect(added).toContain(found)
    expect(added).toContain('Never touch config/prod.ts.')
    expect(added).toContain('recall_it')
  })

  it('repeats no line of the summary, not even as a quote', () => {
    const rule = '- Prefer small commits, as the maintainers do.'
    const summary = `## Instructions\n${rule}\n\n## Discoveries\n- ${found}`
    const added = compacted(work, summary)
    expect(added).not.toContain(found)
    expect(added).not.toContain('Prefer small commits')
    expect(added).toContain('Never touch config/prod.ts.')
  })

  it('brings no list of what was to be done: who wrote the summary has seen what came after', () => {
    const added = compacted(work, '## Goal\nThe sketch is done, and the parser is next.')
    expect(added).not.toContain('Write the first sketch')
  })

  const manyFindings = (all: readonly string[], begins: string, because: string): Drafts =>
    Array.from({ length: 150 }, (_, n) => {
      const noun = (at: number): string => `${all[at % all.length]}${at}`
      const words = [3, 5, 7, 11, 13].map((step) => noun(n * step))
      const text = `${begins} ${words.join(', ')}, ${because} ${noun(n)} ${noun(n + 1)}.`
      return said(`l${n}`, text.repeat(2), `/w/src/file-${n}.ts`)
    }).flat()
  const english = 'cursor header length field table lock thread queue socket timer cache page index'
  const russian = 'курсор заголовок длина поле таблица замок поток очередь таймер страница индекс'
  it.each([
    ['The cause is', 'because', english],
    ['Причина здесь', 'потому что', russian],
  ])('is never longer than a client takes from a hook: %s', async (begins, because, nouns) => {
    const long = manyFindings(nouns.split(' '), begins, because)
    const added = compacted([...work, long], '## Goal\nThe work goes well.') ?? ''
    expect(Buffer.byteLength(added)).toBeGreaterThan(2_000)
    expect(Buffer.byteLength(added)).toBeLessThanOrEqual(10_000)
    expect(added).toContain('recall_it')
  })

  it('takes more of a client that takes more, and less of a small window', () => {
    const read = step('r', 'Read', { file_path: '/w/log.txt' }, 'Ships wait here. '.repeat(20_000))
    const long = [...work, read, manyFindings(english.split(' '), 'The cause is', 'because')]
    const bytes = (facts: SessionFacts, takes = 32_000): number =>
      Buffer.byteLength(compacted(long, '## Goal\nThe work goes well.', { facts, takes }) ?? '')
    const large = bytes({ window: 200_000 })
    expect(large).toBeGreaterThan(10_000)
    expect(large).toBeLessThanOrEqual(32_000)
    // 40% of what a request of that window holds.
    const small = bytes({ window: 16_000 })
    expect(small).toBeLessThanOrEqual(0.4 * 12_000 * 4)
    expect(small).toBeGreaterThan(9_800)
    // What a compaction of ours keeps at least.
    expect(bytes({})).toBeLessThanOrEqual(4_000 * 4)
  })

  it('leaves a client with a small window on its way, and says what must stand all the same', () => {
    const findings = [manyFindings(english.split(' '), 'The cause is', 'because')]
      .flat()
      .slice(0, 120)
    const page = 'Ships wait here for a better wind. '
    const counted = { usage: { inputTokens: 45_000, outputTokens: 20 } }
    const readAt = (pages: number): Drafts => [
      assistant([call('p', 'Read', { file_path: '/w/p.txt' })], counted),
      tool(result('p', 'Read', page.repeat(pages))),
    ]
    const rules = Array.from({ length: 40 }, (_, n) => `Never change the harbour file number ${n}.`)
    const facts = { window: 80_000 }
    const tokens = (drafts: readonly Drafts[]): number => {
      const added =
        compacted(drafts, '## Goal\nThe work goes well.', { facts, takes: 32_000 }) ?? ''
      expect(added).toContain('Never touch config/prod.ts.')
      return Buffer.byteLength(added) / 4
    }
    const old = step('o', 'Read', { file_path: '/w/o.txt' }, page.repeat(100))
    const way = estimateTokens(page.repeat(100)) + estimateTokens(JSON.stringify(findings))
    const some = tokens([...work, findings, old, readAt(10)])
    expect(some).toBeGreaterThan(300)
    expect(some).toBeLessThan(way / 16)
    // What was read since the last request was never sent: it lengthens no way.
    expect(tokens([...work, findings, old, readAt(4_000)])).toBeCloseTo(some, -2)
    // Nothing but what was just read was taken away.
    const none = tokens([...work, readAt(4_000)])
    expect(none).toBeLessThan(700)
    const ruled = compacted([human(rules.join('\n')), ...work, readAt(4_000)], 'It goes well.', {
      facts,
      takes: 32_000,
    })
    for (const rule of rules) expect(ruled).toContain(rule)
  })

  it('is only what must stand where it costs the cache, and nothing where all of that is said', () => {
    const costly = { isCostly: true }
    const sections = ['Goal', 'Instructions', 'Discoveries', 'Accomplished', 'Relevant files']
    const vague = sections.map((name) => `## ${name}\nThe work goes well.`).join('\n\n')
    const lacks = compacted(work, vague, costly)
    expect(lacks).toContain('Never touch config/prod.ts.')
    expect(lacks).not.toContain(found)
    expect(compacted(work, `${vague}\n\n${lacks}`, costly)).toBe('')
  })

  it('is nothing behind a summary of ours', () => {
    const ours = '<prior-conversation-summary>\n## Goal\nx\n</prior-conversation-summary>'
    expect(compacted(work, ours)).toBeUndefined()
  })

  it('repeats no request that a client has written into its summary with marks of its own', () => {
    const summary = `## Goal\nThe request of the human [1]:\n&gt; Never touch config/prod.ts. Find out why the parser is slow.\n\n## Instructions\n- Never touch config/prod.ts. [1]`
    const added = compacted(work, summary, { isCostly: true })
    expect(added ?? '').not.toContain('Latest request')
    expect(added ?? '').not.toContain('why the parser is slow')
  })
})
