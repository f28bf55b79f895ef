import { describe, expect, it } from 'vitest'
import { messageText } from '../log/message.ts'
import { openSession } from '../session/session.ts'
import { memoryStore } from '../stores/memory.ts'
import { assistant, call, human, result, step, tool } from '../testing/generate/build.ts'
import type { EntryDraft } from '../log/entry.ts'
import type { Summarizer } from '../compaction/summary/with-model/summarizer.ts'

const work: EntryDraft[] = [
  human('Rework the parser.'),
  ...step(
    'a',
    'Write',
    { file_path: 'src/lexer.ts', content: 'export const lex = 1' },
    'File created successfully at: src/lexer.ts',
  ),
  ...step(
    'b',
    'Edit',
    { file_path: 'src/parser.ts', old_string: 'a', new_string: 'b' },
    'The file src/parser.ts has been updated.',
  ),
  ...step('c', 'Bash', { command: 'git mv src/old-name.ts src/new-name.ts && rm src/gone.ts' }, ''),
  ...step(
    'd',
    'apply_patch',
    '*** Begin Patch\n*** Update File: src/index.ts\n@@\n-a\n+b\n*** End Patch',
    'Success. Updated the following files:\nM src/index.ts',
  ),
  ...Array.from({ length: 40 }, (_, n) =>
    step(`r${n}`, 'Read', { file_path: `docs/page-${n}.md` }, 'words '.repeat(300)),
  ).flat(),
  assistant('I have read the documentation.'),
  human('Go on with the printer.'),
]

const changed: [string, RegExp][] = [
  ['src/lexer.ts', /src\/lexer\.ts[^\n]*creat|creat[^\n]*src\/lexer\.ts/i],
  ['src/parser.ts', /src\/parser\.ts[^\n]*edit|edit[^\n]*src\/parser\.ts/i],
  [
    'src/new-name.ts',
    /(?:src\/old-name\.ts|src\/new-name\.ts)[^\n]*(?:renam|→)|renam[^\n]*src\/(?:old|new)-name\.ts/i,
  ],
  ['src/gone.ts', /src\/gone\.ts[^\n]*delet|delet[^\n]*src\/gone\.ts/i],
  ['src/index.ts', /src\/index\.ts[^\n]*edit|edit[^\n]*src\/index\.ts/i],
]

async function summaryBy(
  summarizer?: Summarizer,
  drafts: readonly EntryDraft[] = work,
): Promise<string> {
  const session = await openSession({
    store: memoryStore(),
    id: 'a',
    window: { context: 32_000 },
    ...(summarizer && { summarizer }),
  })
  await session.append(...drafts)
  const report = await session.compact()
  expect(report.action).toBe('summary')
  const [first] = session.messages()
  return first ? messageText(first) : ''
}

const liar: Summarizer = {
  name: 'liar',
  summarize: async ({ template }) => ({
    text: template.sections
      .map(
        ({ heading }) =>
          `## ${heading}\n- wrote src/phantom/module.ts and calledGhostFunction [12]`,
      )
      .join('\n\n'),
    finish: 'stop',
  }),
}

const talker: Summarizer = {
  name: 'talker',
  summarize: async ({ template }) => {
    const lines = Array.from({ length: 3_000 }, (_, at) => `- It took ${at} steps more.`)
    const sections = template.sections.map(({ heading }) => [`## ${heading}`, ...lines].join('\n'))
    return { text: sections.join('\n\n'), finish: 'stop' }
  },
}

describe('G8: the summary does not lie about the work', () => {
  it.each([
    ['the local summarizer', undefined],
    ['a summarizer that names none of them', liar],
  ])('%s: every changed file is listed with what happened to it', async (_, summarizer) => {
    const summary = await summaryBy(summarizer)
    for (const [path, pattern] of changed) {
      expect(summary).toContain(path)
      expect(summary).toMatch(pattern)
    }
  })

  it.each([
    ['the local summarizer', undefined],
    ['a summarizer that names none of them', liar],
    ['a summarizer that leaves no room', talker],
  ])('%s: an error that nothing resolved is listed', async (_, summarizer) => {
    const failed = [
      assistant([call('e', 'Bash', { command: 'npm test' })]),
      tool(
        result('e', 'Bash', {
          type: 'error-text',
          value: 'Exit code 1\nError: parser.ts: unexpected token at 7:3',
        }),
      ),
    ]
    const summary = await summaryBy(summarizer, [human('Rework it.'), ...failed, ...work])
    expect(summary).toContain('unexpected token at 7:3')
  })

  it('what the session never held is marked, and not deleted', async () => {
    const summary = await summaryBy(liar)
    expect(summary).toContain('src/phantom/module.ts (not seen in this session)')
    expect(summary).toContain('calledGhostFunction (not seen in this session)')
    expect(summary).not.toContain('[12]')
  })
})
