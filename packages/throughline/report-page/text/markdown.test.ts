import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectLinear } from '../../src/testing/growth.ts'
import { parseInline, parseMarkdown, safeLink, type Block, type Inline } from './markdown.ts'

const inlineText = (all: readonly Inline[]): string =>
  all.map((node) => ('text' in node ? node.text : inlineText(node.inline))).join('')

const links = (all: readonly Inline[]): string[] =>
  all.flatMap((node) => [
    ...(node.type === 'link' ? [node.href] : []),
    ...('inline' in node ? links(node.inline) : []),
  ])

/** All inline runs of a text, wherever they stand. */
const runs = (blocks: readonly Block[]): Inline[][] =>
  blocks.flatMap((block): Inline[][] => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return [block.inline]
      case 'quote':
        return runs(block.blocks)
      case 'list':
        return block.items.flatMap(runs)
      case 'table':
        return [...block.head, ...block.rows.flat()]
      case 'code':
        return [[{ type: 'code', text: block.text }]]
      case 'rule':
        return []
    }
  })

// Texts of the signs that mean something, and words.
const arbitraryMarkdown = fc
  .array(
    fc.constantFrom(
      '`',
      '```',
      '*',
      '**',
      '_',
      '~~',
      '[',
      '](',
      ')',
      '!',
      '\n',
      '\n\n',
      '# ',
      '- ',
      '1. ',
      '  ',
      '> ',
      '|',
      '|-|',
      '---',
      'word',
      'https://a.example/x',
      'javascript:x',
      '<b>',
      'snake_case',
    ),
    { maxLength: 80 },
  )
  .map((pieces) => pieces.join(''))

describe('Markdown', () => {
  it('becomes blocks', () => {
    const blocks = parseMarkdown(
      '# Title\n\nSome **bold** `code`.\n\n- one\n  - inner\n- two\n\n1. first\n\n```ts\na < b\n```\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---',
    )
    expect(blocks.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'list',
      'list',
      'code',
      'quote',
      'table',
      'rule',
    ])
    expect(blocks[2]).toMatchObject({ ordered: false, items: [[{}, { type: 'list' }], [{}]] })
    expect(blocks[4]).toEqual({ type: 'code', text: 'a < b' })
    expect(blocks[6]).toMatchObject({ rows: [[[{ text: '1' }], [{ text: '2' }]]] })
  })

  it.each([
    ['snake_case_name stays', 'snake_case_name stays'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a ** b', 'a ** b'],
  ])('leaves %j as it is', (text, shown) => {
    expect(parseInline(text)).toEqual([{ type: 'text', text: shown }])
  })

  it.each([
    'javascript:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//evil.example',
    'java\nscript:x',
    'http://',
    '',
  ])('makes no link of %j', (href) => expect(safeLink(href)).toBeUndefined())

  it('has links to pages and letters only, and loses no word, whatever is written', () => {
    fc.assert(
      fc.property(arbitraryMarkdown, (text) => {
        const all = runs(parseMarkdown(text))
        for (const href of all.flatMap(links)) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/)
        const words = (of: string): number => of.split('word').length
        const shown = all.map(inlineText).join('\n')
        // A link's address is not shown, and neither is the mark of a fence.
        const hidden = /\]\([^)]*\)|(?:`{3,}|~{3,})[^\n]*|\|/.test(text)
        if (!hidden) expect(words(shown)).toBe(words(text))
      }),
    )
  })

  it.each([
    '`',
    '*',
    '**',
    '[',
    '](',
    '> ',
    '- ',
    '|',
    '_a',
    'https://',
    '[a](',
    '#',
    '1. ',
    '\n- ',
  ])('costs what its length costs: %j', async (piece) => {
    await expectLinear(
      (size) => {
        const text = piece.repeat(size / piece.length)
        return () => parseMarkdown(text)
      },
      { small: 4000, large: 64_000 },
      piece,
    )
  })
})
