import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../testing/growth.ts'
import { errorLine, errorLines, resultLine, showsFailure } from './telling-line.ts'

describe('the line that says most of what went wrong', () => {
  test.each([
    [
      '> tsc\n\nsrc/a.ts(3,1): error TS2304: Cannot find name "x".\n ELIFECYCLE  Command failed with exit code 2.',
      'src/a.ts(3,1): error TS2304: Cannot find name "x".',
    ],
    [
      'running\n    at foo\nTypeError: x is not a function\n    at bar',
      'TypeError: x is not a function',
    ],
    [
      '=== RUN TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:3: boom\nFAIL\nexit status 1',
      '--- FAIL: TestA (0.00s)',
    ],
    [
      'Auto-merging a.ts\nCONFLICT (content): Merge conflict in a.ts\nAutomatic merge failed',
      'CONFLICT (content): Merge conflict in a.ts',
    ],
    [
      'error[E0382]: borrow of moved value\n --> src/a.rs:3:5',
      'error[E0382]: borrow of moved value',
    ],
    ['  FAIL  test/a.test.ts > works\n Tests  1 failed | 2 passed', 'FAIL  test/a.test.ts > works'],
    [
      'CMake Error at CMakeLists.txt:28 (find_package):\n  Could not find a package with this name.',
      'CMake Error at CMakeLists.txt:28 (find_package): Could not find a package with this name.',
    ],
    ['\u001b[31mError: red\u001b[0m', 'Error: red'],
    ['\u001b]8;;https://a.example\u0007Error\u001b]8;;\u0007: a \u001b[?25hlink', 'Error: a link'],
    [
      `Error: push failed: - Uploading...${'\b'.repeat(14)}\\ Uploading...${'\b'.repeat(14)}no access${' '.repeat(5)}\b\b\b\b\b: exit status 1`,
      'Error: push failed: no access: exit status 1',
    ],
    ['error: 10%\rerror: 50%\rerror: disk full\r\ndone', 'error: disk full'],
    [
      'The following paths are ignored by one of your .gitignore files:\ndocs\nhint: use -f',
      'The following paths are ignored by one of your .gitignore files:',
    ],
    [
      '[87443:0410/140759.1:ERROR:net/cert/trust_store_mac.cc:807] Error parsing certificate:\n1 test failed.\nAssertionError: no',
      'AssertionError: no',
    ],
    [
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n\n    at Context.<anonymous> (a.js:1:2)',
      'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: 1 !== 2',
    ],
    [
      '    Error Trace:  a_test.go:3\n    Error:        Not equal:\n                  expected: 1\n                  actual  : 2\n--- FAIL: TestB',
      'Error:        Not equal: expected: 1 actual : 2',
    ],
    ['--- PASS: TestA\nok  \tpkg\t0.1s', undefined],
    ['', undefined],
  ])('%j', (output, line) => {
    expect(errorLine(output)).toBe(line)
  })

  test('no more than three, and none that say that there were none', () => {
    const output = [
      '0 errors',
      'no errors found',
      ...['a', 'b', 'c', 'd'].map((name) => `error: ${name}`),
    ].join('\n')
    expect(errorLines(output)).toEqual(['error: a', 'error: b', 'error: c'])
  })
})

describe('the line that says what came of it', () => {
  test.each([
    [
      true,
      ' Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Duration 1s',
      'Tests  4 passed (4)',
    ],
    [true, 'running\ntest result: ok. 12 passed; 0 failed', 'test result: ok. 12 passed; 0 failed'],
    [true, 'Ran 12 tests in 0.1s\n\nOK', 'Ran 12 tests in 0.1s'],
    [false, '[main ab12cd3] Add a\n 1 file changed', '[main ab12cd3] Add a'],
    [
      false,
      'To github.com:a/b\n   ab12cd3..ef45678  main -> main',
      'ab12cd3..ef45678  main -> main',
    ],
    [
      false,
      'Creating pull request\nhttps://github.com/a/b/pull/7',
      'https://github.com/a/b/pull/7',
    ],
    [false, 'Checked 22 files', undefined],
  ])('check %s: %j', (check, output, line) => {
    expect(resultLine(output, check)).toBe(line)
  })
})

test('a failure shows through a pipe', () => {
  expect(showsFailure('ok\n--- FAIL: TestA')).toBe(true)
  expect(showsFailure('2 failed, 3 passed')).toBe(true)
  expect(showsFailure('0 failed, 3 passed\nno errors')).toBe(false)
})

test('only the ends of a huge output are looked at, and no line whole', async () => {
  const long = 'x'.repeat(3_000_000)
  const lines = 'y\n'.repeat(500_000)
  expect(errorLines(`${long}\n${lines}error: at the end`)).toEqual(['error: at the end'])
  expect(errorLines(`${lines}error: in the middle\n${lines}`)).toEqual([])
  expect(errorLines(`${long}error: behind\n${lines}`)).toEqual([])
  const lookingAt = (unit: string) => (length: number) => () => {
    errorLine(`${unit.repeat(length)}\nerror: at the end`)
  }
  const sizes = { small: 300_000, large: 3_000_000 }
  for (const unit of ['x', 'y\n', 'error ']) await expectLinear(lookingAt(unit), sizes, unit)
})
