import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextOf } from '../../log/context/context.ts'
import { unitsOf } from '../../log/steps.ts'
import {
  assistant,
  call,
  logFrom,
  result,
  step,
  tool,
  type Drafts,
} from '../../testing/generate/build.ts'
import { runs } from '../../testing/generate/runs.ts'
import { placeholder, utf8Bytes } from './placeholder.ts'
import { staleRefs } from './stale.ts'

describe('what stands in the place of an output (T9)', () => {
  it('names tool, size and ref, and the tool that reads it back', () => {
    const output = { tool: 'Read', bytes: 1_200, ref: '7.0' } as const
    expect(placeholder(output)).toBe('<tool-output-compacted tool="Read" bytes="1200" ref="7.0" />')
    expect(placeholder({ ...output, recallTool: 'recall' })).toBe(
      '<tool-output-compacted tool="Read" bytes="1200" ref="7.0" read-with="recall" />',
    )
  })

  it.each([
    '',
    'a',
    '\u007f',
    '\u0080',
    'é',
    '\u07ff',
    '\u0800',
    '漢字',
    '\ud7ff',
    '\ue000',
    '🙂x',
    '\uffff',
  ])('counts the bytes of %j as they would be written', (text) => {
    expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length)
  })

  it('counts what is written of any text, also where half a pair stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (odd, text) => {
        for (const each of [text, odd, `${text}\ud83d${odd}\ude42${text}`]) {
          expect(utf8Bytes(each)).toBe(new TextEncoder().encode(each).length)
        }
      }),
      runs(200),
    )
  })
})

describe('what is out of date', () => {
  const stale = (...drafts: Drafts[]): string[] => [
    ...staleRefs(unitsOf(contextOf(logFrom(drafts)).items), []),
  ]
  const read = (path: string, own: object = {}) =>
    step(`r${path}`, 'Read', { file_path: path, ...own }, 'const a = 1')

  it('is a read of what was read whole, edited or written later', () => {
    expect(stale(read('/a.ts'), read('/a.ts'))).toEqual(['2.0'])
    const edit = { file_path: '/a.ts', old_string: 'a', new_string: 'b' }
    expect(stale(read('/a.ts'), step('e', 'Edit', edit, 'ok'))).toEqual(['2.0'])
    const write = { file_path: '/a.ts', content: 'b' }
    expect(stale(read('/a.ts'), step('w', 'Write', write, 'File created.'))).toEqual(['2.0'])
  })

  it('is not what was read in part, what failed, or another file', () => {
    expect(stale(read('/a.ts'), read('/a.ts', { offset: 5, limit: 2 }))).toEqual([])
    expect(stale(read('/a.ts'), read('/b.ts'))).toEqual([])
    expect(stale(read('/a.ts'))).toEqual([])
    const failed = [
      assistant([call('x', 'Read', { file_path: '/a.ts' })]),
      tool(result('x', 'Read', { type: 'error-text', value: 'no such file' })),
    ]
    expect(stale(read('/a.ts'), failed)).toEqual([])
  })
})
