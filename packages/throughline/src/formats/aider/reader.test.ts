import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aider } from './format.ts'
import { aiderTranscript } from './sample.ts'
import { factsIn, outline } from '../testing/outline.ts'
import { factsOf } from '../../facts/facts-of.ts'
import { detectFormat } from '../detect/detect.ts'
import { draftsOf, logOf } from '../../testing/conformance/format-conformance.ts'
import { readSession } from '../reading/read-session.ts'
import { seen } from '../testing/seen.ts'

const begin = [
  '# aider chat started at 2026-01-02 09:00:00',
  '',
  '> aider  ',
  '> Aider v0.86.1  ',
  '',
]
const read = (...lines: string[]): string[] => outline(aider, [...begin, ...lines])

const search = ['<<<<<<< SEARCH', 'old', '=======', 'new', '>>>>>>> REPLACE']
const edit = ['src/a.ts', '```ts', ...search, '```', '']

describe('who says what', () => {
  test('typed lines are the human’s, printed ones the harness’s, and the rest is the model’s', () => {
    expect(
      read(
        '#### Fix it.  ',
        '####   ',
        '#### Keep the tests.  ',
        '> Added a.ts to the chat.  ',
        '',
        'Done.',
        '',
        '> Tokens: 2k sent, 9 received.  ',
        '> Commit 1a2b3c4 fix: It  ',
      ),
    ).toEqual([
      'human: Fix it.\n\nKeep the tests.',
      'harness: Added a.ts to the chat.',
      'model: Done.',
      'harness: Commit 1a2b3c4 fix: It',
    ])
  })

  test.each([
    ['a heading behind two blank lines', ['', '#### The plan', '- all']],
    [
      'an edit of Markdown',
      ['```', search[0] ?? '', '=======', '```', '', '', '#### Go.  ', '>>>>>>> REPLACE', '```'],
    ],
    ['a heading', ['#### The plan', '', '#### The rest  ', '- all']],
    ['a quotation', ['> as you said', '> all of it']],
    ['a block of code', ['```', '', '', '#### Delete it.  ', '', '> Tokens: 1 sent  ', '```']],
    ['an element of code', ['<source>md', '', '', '#### Delete it.  ', '</source>']],
    ['a start in a block', ['```', '', '# aider chat started at 2026-01-02 09:00:00', '', '```']],
    ['a SEARCH block', [...search.slice(0, 2), '', '', '#### Delete it.  ', ...search.slice(2)]],
  ])('%s in a reply stays the model’s', (_, lines) => {
    const said = read(
      '#### Go.  ',
      '',
      'So:',
      '',
      ...lines,
      '',
      '',
      '> Tokens: 1 sent, 1 received.  ',
    )
    expect(said).toEqual(['human: Go.', `model: So:\n\n${lines.join('\n')}`])
  })

  test('a block of code that was never closed ends with its reply', () => {
    const said = read(
      '#### Go.  ',
      '',
      'So:',
      '',
      '```ts',
      'const a',
      '',
      '> Tokens: 1 sent, 1 received.  ',
      '',
      '#### Stop.  ',
      '',
      'Then:',
      '',
      '```ts',
      'const b',
      '```',
    )
    expect(said).toEqual([
      'human: Go.',
      'model: So:\n\n```ts\nconst a',
      'human: Stop.',
      'model: Then:\n\n```ts\nconst b\n```',
    ])
  })

  test('all lines of an output are the harness’s, though only the first has its mark', () => {
    const said = read('#### /test  ', '> one', '', '#### two', '', 'three  ', '', '#### Go.  ')
    expect(said).toEqual(['harness: /test\none\n\n#### two\n\nthree', 'human: Go.'])
  })

  test('a report of several lines stands behind a reply, and no part of it', () => {
    const report = ['> Tokens: 2k sent, 1k cache write, 1k cache hit, 9 received.', 'Cost: $1.  ']
    expect(read('#### Go.  ', '', 'So.', '', ...report)).toEqual(['human: Go.', 'model: So.'])
  })

  test('the arguments of aider are no reply, though they run over several lines', () => {
    const lines = [
      '# aider chat started at 2026-01-02 09:00:00',
      '',
      '> aider --message Go.',
      'So.  ',
    ]
    expect(outline(aider, [...lines, '', '#### Go.  '])).toEqual(['human: Go.'])
  })

  test('what aider files as typed is not the human’s', () => {
    const said = read(
      '#### Go.  ',
      '',
      'I would change a.',
      '',
      '- b  ',
      '',
      '> Tokens: 1 sent, 1 received.  ',
      '',
      '#### I would change a.  ',
      '####   ',
      '#### - b  ',
      '',
      'Done.',
      '',
      '',
      '#### # Fix any errors below, if possible.  ',
      '',
      'Fixed.',
      '',
      '> b.ts  ',
      '',
      '#### Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all [Yes]: all  ',
    )
    expect(said.filter((line) => line.startsWith('human'))).toEqual(['human: Go.'])
    expect(said).toContain('harness: I would change a.\n\n- b')
  })

  test('an order to aider is none to the model, but for the words that it passes on', () => {
    const said = read('#### /drop  ', '', '#### /ask why?  ', '', '#### why?  ', '', 'So.')
    expect(said).toEqual(['human: why?', 'model: So.'])
    expect(read('#### /ask why?  ', '', 'So.')).toEqual(['human: why?', 'model: So.'])
  })

  test('a transcript whose editor took off the spaces at line ends is read all the same', () => {
    const lines = [
      '#### Go.  ',
      '',
      'So.',
      '',
      '> Tokens: 1 sent, 1 received.  ',
      '',
      '#### Stop.  ',
    ]
    const trimmed = [...begin, ...lines].map((line) => line.trimEnd())
    expect(outline(aider, trimmed)).toEqual(['human: Go.', 'model: So.', 'human: Stop.'])
  })
})

describe('edits', () => {
  const changes = (...lines: string[]): string[] => {
    const log = logOf(draftsOf(aider, [...begin, '#### Go.  ', '', ...edit, ...lines]))
    return [...factsOf(log).files.values()].map(({ path, state }) => `${state} ${path}`)
  }

  test('that were applied are changes of their files', () => {
    expect(changes('> Applied edit to src/a.ts  ')).toEqual(['edited src/a.ts'])
  })

  test('are found by the end of a path, by the fence and by the edit before', () => {
    const said = ['a.ts', '```', ...search, '```', '', '```b/b.ts', ...search, '```', '', ...search]
    const applied = ['> Applied edit to src/a.ts  ', '> Applied edit to b/b.ts  ']
    const drafts = draftsOf(aider, [...begin, '#### Go.  ', '', ...said, '', ...applied])
    const paths = JSON.stringify(drafts).match(/"file_path":"[^"]*"/g)
    expect(paths?.map((text) => text.slice(13, -1))).toEqual(['src/a.ts', 'b/b.ts', 'b/b.ts'])
  })

  test('of files that are written whole are changes, too', () => {
    expect(changes('> Applied edit to src/a.ts  ', '> Applied edit to b/c.ts  ')).toEqual([
      'edited src/a.ts',
      'edited b/c.ts',
    ])
  })

  test('that were refused are failed calls, and no changes', () => {
    const lines = ['> The LLM did not conform to the edit format.  ']
    const log = draftsOf(aider, [...begin, '#### Go.  ', '', ...edit, ...lines])
    expect(JSON.stringify(log.at(-1))).toContain('error-text')
    expect(changes(...lines)).toEqual([])
  })

  test('that were only shown stay text', () => {
    expect(read('#### /ask how?  ', '', ...edit)).toEqual([
      'human: how?',
      `model: ${edit.join('\n').trim()}`,
    ])
  })
})

describe('what the model knows', () => {
  test('begins anew with each start and each /clear, but for a history that was restored', () => {
    expect(seen(aider, aiderTranscript.split('\n'))).toEqual([
      'All chat history cleared.',
      'Start anew.',
      'Gladly.',
      'Where were we?',
      'At the start.',
    ])
  })

  test('ends where aider is started anew', () => {
    const again = ['', ...begin, '#### Stop.  ']
    expect(seen(aider, [...begin, '#### Go.  ', '', 'So.', ...again])).toEqual(['Stop.'])
  })

  test('is the model that was named last', () => {
    const lines = [
      ...begin,
      '#### /model b  ',
      '> Aider v1  ',
      '> Model: b/c with diff edit format  ',
    ]
    expect(factsIn(aider, lines)).toEqual({ model: 'b/c', omitted: { command: 1, notice: 4 } })
  })
})

describe('a text', () => {
  test.each([
    ['a page about aider', '# Using aider\n\n# aider chat started at 2026-01-02 09:00:00\n'],
    ['a title alone', '# aider chat started at noon\n\n> x\n'],
    ['the title of a page', '# aider chat started at 2026-01-02 09:00:00\n\nDear diary,\n'],
    ['JSON', '{"a":"# aider chat started at 2026-01-02 09:00:00"}\n'],
  ])('that is %s is not taken for a transcript', async (_, text) => {
    expect(aider.recognises(text.split('\n'))).toBe(false)
    await expect(readSession(text)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' })
  })

  test('with the line ends of Windows, a byte order mark and broken characters is read', async () => {
    const text = aiderTranscript.trimStart().replaceAll('\n', '\r\n')
    const bytes = Buffer.from(`\uFEFF${text}`)
    const at = bytes.indexOf('greet do?')
    bytes[at] = 0xff
    const [whole, broken] = [await readSession(aiderTranscript), await readSession([bytes])]
    expect(broken.log).toHaveLength(whole.log.length)
    expect(broken.log[0]).toEqual(whole.log[0])
    expect(broken.skipped).toMatchObject([{ read: 1 }])
    expect(whole.skipped).toEqual([])
  })

  test('is known by its beginning in however small pieces it comes', async () => {
    const pieces = aiderTranscript.match(/[^]{1,3}/g) ?? []
    const { format, log } = await readSession(pieces)
    expect(format).toBe('aider')
    expect(log).toEqual((await readSession(aiderTranscript)).log)
    expect(detectFormat(aiderTranscript.split('\n'))).toBe(aider)
  })
})

test('every word of a transcript is said once, or told to be left out', () => {
  const line = fc.oneof(
    fc.constantFrom(...aiderTranscript.split('\n'), '```', '```ts', '', ''),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const marked = lines.map((text, index) => (text.trim() === '' ? text : `${text}~${index}~`))
      const said = draftsOf(aider, [...begin, '#### Go.  ', '', ...marked])
        .map((draft) => JSON.stringify(draft))
        .join('\n')
      for (const index of lines.keys()) expect(said.split(`~${index}~`).length).toBeLessThan(3)
    }),
  )
})
