import { expect, test } from 'vitest'
import { changesOfShell } from './changed-files.ts'

const said = (line: string): string[] =>
  changesOfShell(line, '/home/me').map((change) =>
    change.type === 'rename'
      ? `rename ${change.path} ${change.to}`
      : `${change.type} ${change.path}`,
  )

test.each([
  ['(cd lib && rm a.ts); rm b.ts', ['delete /home/me/lib/a.ts', 'delete /home/me/b.ts']],
  ['cd lib | true; rm a.ts', ['delete /home/me/a.ts']],
  ['{ cd lib; echo 1; } > a.txt; rm b.ts', ['write /home/me/a.txt', 'delete /home/me/lib/b.ts']],
  ['cd "$HOME" && rm a.ts /srv/b.ts', ['delete /srv/b.ts']],
  ['cd - ; touch a.ts', []],
])('a command changes files where it runs: %s', (line, changes) => {
  expect(said(line)).toEqual(changes)
})

test.each([
  'npm test || rm a.ts',
  'if test -f a.ts; then rm a.ts; fi',
  'for f in *.ts; do rm a.ts; done',
  'clean() { rm a.ts; }',
  'git rm --cached a.ts',
  'rm "$(ls | head -1).ts" a{1,2}.ts src/*.ts',
  'rm a.ts "unfinished',
  'cd /tmp/work; rm a.ts; mv /tmp/a.ts b.ts; echo > /dev/null',
])('what may not have run, or what it names nobody can know, says nothing: %s', (line) => {
  expect(said(line)).toEqual([])
})

test.each([
  `awk '$1 > 2' a.txt; [[ a.ts > b.ts ]]; echo "x > c.ts" 2>&1 >/dev/null`,
  'cat <<< "> a.ts"; diff <(sort a.ts) <(sort b.ts)',
  'node -e "x => y.z" # > a.ts',
])('what only looks like a redirect says nothing: %s', (line) => {
  expect(said(line)).toEqual([])
})

test('a copy is written, its original is not touched', () => {
  expect(said('cp a.ts b.ts && cp c.ts d.ts lib/')).toEqual([
    'write /home/me/b.ts',
    'write /home/me/lib/c.ts',
    'write /home/me/lib/d.ts',
  ])
  expect(said('cp -r src lib; cp a.ts /tmp/a.ts; cp $a b.ts')).toEqual([])
})

test('assignments, wrappers and other shells stand before what is done', () => {
  expect(said(`LC_ALL=C sudo rm a.ts && bash -lc 'cd lib && mv b.ts c.ts'`)).toEqual([
    'delete /home/me/a.ts',
    'rename /home/me/lib/b.ts /home/me/lib/c.ts',
  ])
})

test('a patch that is applied says what it does; one that is written down does not', () => {
  const patch = '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch'
  expect(said(`cd lib && apply_patch '${patch}'`)).toEqual(['delete /home/me/lib/a.ts'])
  expect(said(`cat <<'EOF' | apply_patch\n${patch}\nEOF\nrm b.ts`)).toEqual([
    'delete /home/me/a.ts',
    'delete /home/me/b.ts',
  ])
  expect(said(`cat > fix.patch <<'EOF'\n${patch}\nEOF`)).toEqual(['write /home/me/fix.patch'])
})

test.each(['function f ', '$(', '{ ', '((', '"$(', 'if ', 'for i in 1; do '])(
  'a line that is nested too deep says nothing: %s',
  (opening) => {
    expect(said(`${opening.repeat(20_000)} rm a.ts`)).toEqual([])
  },
)
