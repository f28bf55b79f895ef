import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patchEffects } from './patch-effects.ts'
import type { Effect } from '../lens.ts'

describe('the files of a patch are those of its headers', () => {
  test.each<[name: string, patch: string, effects: Effect[]]>([
    [
      'an envelope with every kind of section',
      [
        '*** Begin Patch',
        '*** Add File: src/new.ts',
        '+*** Delete File: not/this.ts',
        '*** Update File: src/old.ts',
        '*** Move to: src/moved.ts',
        '@@',
        '-*** Add File: nor/this.ts',
        '+x',
        '*** Delete File: src/gone.ts',
        '*** Update File: src/kept.ts',
        '*** End of File',
        '*** End Patch',
      ].join('\n'),
      [
        { type: 'create', path: 'src/new.ts' },
        { type: 'edit', path: 'src/old.ts' },
        { type: 'rename', path: 'src/old.ts', to: 'src/moved.ts' },
        { type: 'delete', path: 'src/gone.ts' },
        { type: 'edit', path: 'src/kept.ts' },
      ],
    ],
    [
      'an envelope with Windows line ends and paths',
      '*** Begin Patch\r\n*** Update File: C:\\a\\b.ts\r\n@@\r\n+x\r\n*** End Patch\r\n',
      [{ type: 'edit', path: 'C:\\a\\b.ts' }],
    ],
    [
      'a unified diff of changes, a new file and a removed one',
      [
        'diff --git a/x.ts b/x.ts',
        '--- a/x.ts',
        '+++ b/x.ts\t2026-01-01',
        '@@ -1,3 +1,2 @@',
        ' a',
        '--- not/a/header.ts',
        '-b',
        '+++ nor/this.ts',
        '--- /dev/null',
        '+++ b/new.ts',
        '@@ -0,0 +1 @@',
        '+x',
        '--- a/gone.ts',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-x',
      ].join('\n'),
      [
        { type: 'edit', path: 'x.ts' },
        { type: 'create', path: 'new.ts' },
        { type: 'delete', path: 'gone.ts' },
      ],
    ],
    [
      'a rename without changes',
      'diff --git a/a.ts b/b.ts\nsimilarity index 100%\nrename from a.ts\nrename to b.ts\n',
      [{ type: 'rename', path: 'a.ts', to: 'b.ts' }],
    ],
    [
      'a diff without prefixes',
      '--- x.ts\n+++ x.ts\n@@ -1 +1 @@\n-a\n+b\n',
      [{ type: 'edit', path: 'x.ts' }],
    ],
    ['no patch', 'Hello\n--- x\nthere', []],
  ])('%s', (_name, patch, effects) => {
    expect(patchEffects(patch)).toEqual(effects)
  })
})

test('no text makes the reader throw, and every path stands in it', () => {
  const line = fc.constantFrom(
    '*** Begin Patch',
    '*** Add File: a b',
    '*** Move to: c',
    '*** Update File: ',
    '--- a/x',
    '+++ b/y',
    '+++ /dev/null',
    '@@ -1,9 +1,9 @@',
    '@@ -1 +1 @@',
    '-x',
    '+y',
    ' z',
    'rename from p',
    'rename to q',
    '\\ No newline',
  )
  const patch = fc.oneof(
    fc.array(line).map((lines) => lines.join('\n')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(patch, (text) => {
      for (const effect of patchEffects(text))
        if ('path' in effect) expect(text).toContain(effect.path)
    }),
  )
})
