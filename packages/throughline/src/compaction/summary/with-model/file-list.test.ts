import { describe, expect, it } from 'vitest'
import { defaultTemplate } from '../template.ts'
import { withShortFileList } from './file-list.ts'

const done = [
  '1. `parser.ts`: new type `Token`, and the lexer reads it.',
  '2. Created `src/compiler/front/printer.ts`, which prints comments behind braces.',
].join('\n')
const summary = (files: readonly string[]): string =>
  `## Goal\nMend the compiler.\n\n## Accomplished\n${done}\n\n## Relevant files\n${files.join('\n')}`
const listIn = (...files: string[]): string =>
  withShortFileList(summary(files), defaultTemplate).split('## Relevant files\n')[1] ?? ''

describe('a model’s list of files', () => {
  it('says nothing of a file a second time, and still names its path', () => {
    expect(
      listIn(
        '- `src/compiler/parser.ts` — type `Token`',
        '- `src/compiler/front/printer.ts` — prints comments',
        '- `go.mod` — to be tidied',
      ),
    ).toBe('- `go.mod` — to be tidied\n- `src/compiler/parser.ts`')
  })

  it('keeps what is said of a file there alone, and lines of another form as they are', () => {
    const files = [
      '- `src/parser.ts` — next to be edited',
      '- `src/printer.ts` — prints comments',
      '  and loses those in front of braces',
      '- `a.ts`, `b.ts` — both still use `Token`',
      'The rest is generated.',
    ]
    expect(listIn(...files)).toBe(files.join('\n'))
  })

  it('names a directory once that many of them share, apart from files elsewhere', () => {
    expect(
      listIn(
        '- `src/compiler/backend/emit.ts` — emits',
        '- `package.json` — scripts',
        '- `src/compiler/backend/link.ts` — links',
        '- `src/compiler/backend/fold.ts` — folds constants',
      ),
    ).toBe(
      [
        '- `package.json` — scripts',
        'In `src/compiler/backend/`:',
        '- `emit.ts` — emits',
        '- `link.ts` — links',
        '- `fold.ts` — folds constants',
      ].join('\n'),
    )
  })

  it('leaves a summary without such a section alone', () => {
    const text = '## Goal\nMend the compiler.'
    expect(withShortFileList(text, defaultTemplate)).toBe(text)
  })
})
