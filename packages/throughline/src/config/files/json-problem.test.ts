import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonProblem } from './json-problem.ts'

it.each([
  ['', 'line 1, column 1: expected a value, found the end of the file.'],
  ['{"a": }', 'line 1, column 7: expected a value, found "}".'],
  ['{"a": 1,\n}', 'line 2, column 1: expected a key in double quotes, found "}".'],
  ['[1,\n ]', 'line 2, column 2: expected a value, found "]".'],
  ['{"a" 1}', 'line 1, column 6: expected ":", found "1}".'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", found "\\"b\\": 2}".'],
  ['[1 2]', 'line 1, column 4: expected "," or "]", found "2]".'],
  ['{\n  // no\n}', 'line 2, column 3: expected a key in double quotes or "}", found "// no".'],
  ["{'a': 1}", 'line 1, column 2: expected a key in double quotes or "}", found "\'a\': 1}".'],
  ['[}', 'line 1, column 2: expected a value or "]", found "}".'],
  ['{} {}', 'line 1, column 4: expected nothing more, found "{}".'],
  ['{"a": "b\nc"}', 'line 1, column 7: expected a value, found "\\"b".'],
  ['{"a": "b', 'line 1, column 7: expected a value, found "\\"b".'],
  ['{"a": tru}', 'line 1, column 7: expected a value, found "tru}".'],
  ['{"a": 01}', 'line 1, column 8: expected "," or "}", found "1}".'],
])('says of %j where it stops being JSON', (text, problem) => {
  expect(jsonProblem(text)).toBe(problem)
})

it('finds a problem where Node finds one, and nowhere else', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    '.5',
    'e3',
    'true',
    'nul',
    ' ',
    '\n',
    '"\\u00e9"',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces).map((all) => all.join('')),
        damaged,
      ),
      (text) => {
        const isWhole = jsonProblem(text).endsWith(
          'expected nothing more, found the end of the file.',
        )
        expect(isWhole).toBe(isJson(text))
      },
    ),
    { numRuns: 1000 },
  )
})

/** JSON with one character taken out or put in. */
const damaged = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', 'x'))
  .map(([json, at, put]) => {
    const index = at % (json.length + 1)
    return json.slice(0, index) + put + json.slice(index + (put === '' ? 1 : 0))
  })

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('reads what is nested as deep as one likes', () => {
  expect(jsonProblem('['.repeat(200_000))).toContain('column 200001: expected a value or "]"')
})
