import { expect, test } from 'vitest'
import { answers, calls, logOf } from '../testing/hand-made.ts'
import { changedFiles } from './changed-files.ts'
import type { Message } from '../../log/message.ts'

const directories = ['/home/me/here']
const outcome = (...messages: Message[]) =>
  Object.fromEntries(
    [...changedFiles(logOf(messages), directories)].map(([path, states]) => [
      path,
      [...states].sort(),
    ]),
  )

test('edit and write calls of several harnesses are read', () => {
  expect(
    outcome(
      calls('Edit', { file_path: '/home/me/here/src/a.ts' }, '1'),
      answers('ok', '1'),
      calls('write', { filePath: 'src/b.ts' }, '2'),
      answers('File created successfully at: src/b.ts', '2'),
      calls('Edit', { file_path: 'src/b.ts' }, '3'),
      answers('ok', '3'),
    ),
  ).toEqual({ 'src/a.ts': ['edited'], 'src/b.ts': ['created', 'edited'] })
})

test('a call that failed, or has no result, changed nothing', () => {
  expect(
    outcome(
      calls('Edit', { file_path: 'src/a.ts' }, '1'),
      answers('String to replace not found', '1', true),
      calls('exec_command', { cmd: 'rm src/b.ts' }, '2'),
      answers('Process exited with code 1', '2'),
      calls('Edit', { file_path: 'src/c.ts' }, '3'),
    ),
  ).toEqual({})
})

test('a patch adds, updates, moves and deletes', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: src/new.ts',
    '+x',
    '*** Update File: /home/me/here/src/old.ts',
    '*** Move to: /home/me/here/src/moved.ts',
    '*** Delete File: src/gone.ts',
    '*** End Patch',
  ].join('\n')
  const expected = {
    'src/new.ts': ['created'],
    'src/old.ts': ['deleted', 'renamed'],
    'src/moved.ts': ['renamed'],
    'src/gone.ts': ['deleted'],
  }
  expect(outcome(calls('apply_patch', patch), answers('Success'))).toEqual(expected)
  const heredoc = `apply_patch <<'EOF'\n${patch}\nEOF`
  expect(outcome(calls('shell', { command: heredoc }), answers('Success'))).toEqual(expected)
})

test('a shell line is read as far as it is certain', () => {
  const line = [
    'cd src && git mv a.ts b.ts; rm "c d.ts" && git rm -q e.ts',
    "cat > f.ts <<'EOF'\nrm not-this.ts > nor-this.ts\nEOF",
    'rm $VARIABLE *.tmp; rm -rf dist; npm test > /tmp/log.txt 2>&1',
    "sed -i 's/x/y/' g.ts; mv h.ts i.ts ../lib/; echo 'rm quoted.ts > quoted.ts'",
  ].join('\n')
  expect(outcome(calls('Bash', { command: line }), answers('done'))).toEqual({
    'src/a.ts': ['deleted', 'renamed'],
    'src/b.ts': ['renamed'],
    'src/c d.ts': ['deleted'],
    'src/e.ts': ['deleted'],
    'src/f.ts': ['created', 'edited'],
    'src/g.ts': ['edited'],
    'src/h.ts': ['deleted', 'renamed'],
    'src/i.ts': ['deleted', 'renamed'],
    'lib/h.ts': ['renamed'],
    'lib/i.ts': ['renamed'],
  })
})
