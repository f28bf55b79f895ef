import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
import { isProse } from './prose.ts'
import { commentsIn, proseInCommand } from './written-prose.ts'

test.each([
  [`git commit -m "Keep the lock while writing"`, ['Keep the lock while writing']],
  [`git commit -am 'Keep the lock while writing'`, ['Keep the lock while writing']],
  [
    `gh api repos/a/b/comments/1/replies -f body="Fixed in abc1234: the lock is kept now."`,
    ['Fixed in abc1234: the lock is kept now.'],
  ],
  [
    `gh issue create --title "Lock is lost on exit" --body 'It happens when two writers meet.'`,
    ['Lock is lost on exit', 'It happens when two writers meet.'],
  ],
  [
    `git commit -m "$(cat <<'EOF'\nKeep the lock.\n\nTwo writers met in it.\nEOF\n)"`,
    ['Keep the lock.\n\nTwo writers met in it.'],
  ],
  [`grep -rn "the lock is lost here" src`, []],
  [`python3 - <<'EOF'\nimport os\nfor a in b:\n  print(a[0], b)\nEOF`, []],
  [`git log --format="%h %s" -3`, []],
])('what %j says for a reader', (command, said) => {
  expect(proseInCommand(command).map(({ text }) => text)).toEqual(said)
})

test.each([
  [`git add -A && git commit -m "Keep the lock while writing"`, ['git commit']],
  [
    `git status; git commit -m "$(cat <<'EOF'\nKeep the lock.\n\nTwo met in it.\nEOF\n)"`,
    ['git commit'],
  ],
  [
    `# The lock\ngh api repos/a/b/pulls/7/comments/11/replies -f body="Fixed in abc1234: kept now." &&\n  gh api repos/a/b/pulls/7/comments/12/replies -f body="Fixed in abc1234: kept here, too."`,
    ['gh api …/7/comments/11/replies', 'gh api …/7/comments/12/replies'],
  ],
  [
    `gh pr comment 12 \\\n  --body "The lock is kept while the index is written."`,
    ['gh pr comment 12'],
  ],
  [`GH_TOKEN=x bd close app-rkl --reason="The lock is kept while writing"`, ['bd close app-rkl']],
  [`git -C app commit -m "Keep the lock while writing"`, ['']],
])('what %j passes on is told with the command that passes it on', (command, by) => {
  expect(proseInCommand(command).map((passed) => passed.by)).toEqual(by)
})

test('comments are told by paragraph, code and short marks are not', () => {
  const code = [
    'const a = 1 // x',
    '// The lock is kept because',
    '// two writers would meet.',
    'lock()',
    '// eslint-disable-next-line',
    '/**',
    ' * Writes the index while nobody else can.',
    ' */',
  ].join('\n')
  expect(commentsIn(code)).toBe(
    'The lock is kept because two writers would meet.\n\nWrites the index while nobody else can.',
  )
})

test('words are prose, code and data are not', () => {
  expect(isProse('The lock is kept while the index is written.')).toBe(true)
  expect(isProse('锁在写入索引时一直被持有着')).toBe(true)
  expect(isProse('{"a": 1, "b": [2, 3]}')).toBe(false)
  expect(isProse('yes')).toBe(false)
})

test('a text is prose as a pattern of its words has it', () => {
  const plain = /^[("'`*]{0,3}[\p{L}][\p{L}'’-]*[.,:;!?)"'`*]{0,4}$/u
  const byPattern = (text: string): boolean => {
    const words = text.slice(0, 40_000).split(/\s+/).filter(Boolean)
    const most = words.filter((word) => plain.test(word)).length > words.length / 2
    return words.length >= 4 ? most || unspaced.test(text) : words.length > 0 && unspaced.test(text)
  }
  const unspaced = /[\u3040-\u30ff\u4e00-\u9fff]{8}/
  const unit = fc.constantFrom(
    ...`ab("'\`*.,:;!?)-_1 \n\u00a0\u3000\ufeffé’漢😀\ud83d`,
    '漢字漢字漢字漢字',
  )
  const text = fc.oneof(
    fc.string({ unit, maxLength: 60 }),
    fc.array(fc.string({ unit, maxLength: 6 }), { maxLength: 12 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, (said) => {
      expect(isProse(said)).toBe(byPattern(said))
    }),
  )
})

test.each(['"', "'", '\\', "<<'EOF'\n", '-m "', '// a\n', 'body=', '* /'])(
  'a command of nothing but %j takes linear work',
  async (unit) => {
    const reading = (length: number) => {
      const text = unit.repeat(Math.ceil(length / unit.length))
      return () => [proseInCommand(text), commentsIn(text), isProse(text)]
    }
    await expectLinear(reading, { small: 50_000, large: 800_000 })
  },
)
