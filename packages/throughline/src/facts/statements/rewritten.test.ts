import { expect, test } from 'vitest'
import { factsOf } from '../facts-of.ts'
import { assistant, call, human, logFrom, result, tool } from '../../testing/generate/build.ts'
import type { Drafts } from '../../testing/generate/build.ts'

const holding = (...drafts: Drafts[]): string[] =>
  factsOf(logFrom([human('Mend the exporter.'), ...drafts])).statements.flatMap(
    ({ text, overtakenBy }) => (overtakenBy === undefined ? [text] : []),
  )

let calls = 0
function edit(said: string, input: object, output = 'The file has been updated.'): Drafts {
  const id = `c${calls++}`
  return [
    assistant([
      { type: 'text', text: said },
      call(id, 'Edit', { file_path: '/code/src/export.ts', ...input }),
    ]),
    tool(result(id, 'Edit', output)),
  ]
}

function look(said: string): Drafts {
  const id = `c${calls++}`
  return [
    assistant([
      { type: 'text', text: said },
      call(id, 'Read', { file_path: '/code/src/export.ts' }),
    ]),
    tool(result(id, 'Read', 'export const sums = 1')),
  ]
}

const refused = 'Error: String to replace not found in file.'
const sums = { old_string: 'const sums = 1', new_string: 'const sums = total(rows)' }

test('how an edit was got to apply says nothing once it has', () => {
  const told = holding(
    edit('The exporter sums its rows twice.', sums, refused),
    look('The exact lines do not stand in the file.'),
    edit('The statement appears several times there.', sums, refused),
    edit('The second try hit the same place.', sums),
    assistant('The exporter sums its rows once.'),
  )
  expect(told).toEqual(['The exporter sums its rows twice.', 'The exporter sums its rows once.'])
})

test('what gives a reason stays, as does what comes later or of another file', () => {
  const other = { file_path: '/code/src/other.ts' }
  const told = holding(
    edit('The exporter sums its rows twice.', sums, refused),
    look('I hit a mismatch, since the file has changed.'),
    edit('The import of the settings comes first.', { ...sums, ...other }),
    look('The text differs because the file has tabs.'),
    edit('The tabs stay as they are.', sums),
    look('The sums are right.'),
  )
  expect(told).toContain('The text differs because the file has tabs.')
  expect(told.join('\n')).not.toContain('I hit a mismatch')
  expect(told).toContain('The sums are right.')
})

test('what was wrong with a change says nothing once it is mended, however that was got to apply', () => {
  const tabs = { old_string: 'const sums = total(rows)', new_string: '\tconst sums = total(rows)' }
  const attempts: Drafts[] = [
    edit('The exporter sums its rows twice.', sums),
    edit('The line that was put in is not indented.', tabs, refused),
  ]
  expect(holding(...attempts)).toContain('The line that was put in is not indented.')
  const mended = holding(...attempts, edit('The match is shorter now.', tabs))
  expect(mended).toContain('The exporter sums its rows twice.')
  expect(mended).not.toContain('The line that was put in is not indented.')
})

test('an edit that never came about leaves what was said of it', () => {
  const told = holding(
    edit('The exporter sums its rows twice.', sums, refused),
    look('The exact lines do not stand in the file.'),
  )
  expect(told).toContain('The exact lines do not stand in the file.')
})

test('what was done first still says what was done', () => {
  const { statements } = factsOf(
    logFrom([
      human('Mend the exporter.'),
      edit('I’m moving the sums into a function of their own.', sums, refused),
      edit('The text was an older one.', sums),
    ]),
  )
  expect(statements.find(({ worked }) => worked === true)?.text).toMatch(/^I’m moving/)
})

const wrong = '// Every row is counted twice here, first by the reader.\nconst sums = twice(rows)'
const right = '// Every row is counted once, and the reader counts none.\nconst sums = total(rows)'

test('what was written and said of lines that are gone at once is not told', () => {
  const told = holding(
    edit('The sums are counted by the reader.', { old_string: '', new_string: wrong }),
    edit('The reader counts none of them.', { old_string: wrong, new_string: right }),
  )
  expect(told.join('\n')).not.toContain('counted twice')
  expect(told).not.toContain('The sums are counted by the reader.')
  expect(told.join('\n')).toContain('Every row is counted once')
})

test('what was said of lines that are rewritten much later still holds', () => {
  const told = holding(
    edit('The sums are counted by the reader.', { old_string: '', new_string: wrong }),
    ...['names', 'dates', 'colours', 'rows'].map((name) => look(`The ${name} are right.`)),
    edit('The reader counts none of them.', { old_string: wrong, new_string: right }),
  )
  expect(told.join('\n')).not.toContain('counted twice')
  expect(told).toContain('The sums are counted by the reader.')
})

test('a comment that stands there still is told', () => {
  const told = holding(
    edit('The sums are counted by the reader.', { old_string: '', new_string: wrong }),
    edit('A name follows.', {
      old_string: 'const sums = twice(rows)',
      new_string: 'const sums = twice(rows)\nconst name = rows.name',
    }),
  )
  expect(told.join('\n')).toContain('counted twice')
  expect(told).toContain('The sums are counted by the reader.')
})

test('a patch takes away what an earlier one wrote', () => {
  const patch = (id: string, lines: string[]): Drafts => [
    assistant([
      call(id, 'apply_patch', {
        input: `*** Begin Patch\n*** Update File: src/export.ts\n@@\n${lines.join('\n')}\n*** End Patch`,
      }),
    ]),
    tool(result(id, 'apply_patch', 'Success. Updated the following files:\nM src/export.ts')),
  ]
  const told = holding(
    patch(
      'p1',
      wrong.split('\n').map((line) => `+${line}`),
    ),
    patch('p2', [
      ...wrong.split('\n').map((line) => `-${line}`),
      ...right.split('\n').map((line) => `+${line}`),
    ]),
  )
  expect(told.join('\n')).not.toContain('counted twice')
  expect(told.join('\n')).toContain('Every row is counted once')
})

test('a comment belongs to its file, wherever the shell stands', () => {
  const { statements } = factsOf(
    logFrom([
      human('Mend the exporter in /code.'),
      assistant([call('a', 'Bash', { command: 'cd /code && ls' })]),
      tool(result('a', 'Bash', 'src')),
      assistant([call('b', 'Bash', { command: 'cd /code/src && ls' })]),
      tool(result('b', 'Bash', 'export.ts')),
      edit('A comment says why.', { old_string: 'const sums = 1', new_string: right }),
    ]),
  )
  const comment = statements.find(({ source }) => source === 'comment')
  expect(comment?.about).not.toMatch(/src\/.*src\//)
})
