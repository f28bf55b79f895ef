import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceFacts, factsAfterRewind, emptyFacts, factsOf, toldUpTo } from './facts-of.ts'
import { historyOf } from '../log/history.ts'
import { messageText, partsOf } from '../log/message.ts'
import { chronological, type Chronological } from '../log/order.ts'
import {
  assistant,
  call,
  harness,
  human,
  logFrom,
  result,
  step,
  tool,
} from '../testing/generate/build.ts'
import { runs } from '../testing/generate/runs.ts'
import { arbitrarySession } from '../testing/generate/session.ts'
import type { Facts } from './facts.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'

function filesOf(facts: Facts): Record<string, string> {
  return Object.fromEntries([...facts.files.values()].map(({ path, state }) => [path, state]))
}

const checkpoint = (summary: string, metadata = {}): EntryDraft => ({
  kind: 'checkpoint',
  at: 0,
  base: 1,
  summary,
  summarizer: 'claude-code',
  tail: [],
  continuation: null,
  metadata,
})

describe('files', () => {
  test('the state of a file is what became of it over the whole session', () => {
    const log = logFrom([
      step('1', 'Read', { file_path: 'kept.ts' }, 'x'),
      step('2', 'Write', { file_path: 'new.ts' }, 'ok'),
      step('3', 'Edit', { file_path: 'new.ts', old_string: 'a' }, 'ok'),
      step('4', 'Edit', { file_path: 'old.ts', old_string: 'a' }, 'ok'),
      step('5', 'bash', { command: 'git mv old.ts moved.ts; rm gone.ts; mv new.ts newer.ts' }, ''),
      step('6', 'Edit', { file_path: 'moved.ts', old_string: 'a' }, 'ok'),
      step('7', 'Write', { file_path: 'kept.ts' }, 'The file kept.ts has been updated.'),
    ])
    const facts = factsOf(log)
    expect(filesOf(facts)).toEqual({
      'kept.ts': 'edited',
      'new.ts': 'renamed',
      'newer.ts': 'created',
      'old.ts': 'renamed',
      'moved.ts': 'renamed',
      'gone.ts': 'deleted',
    })
    expect(facts.files.get('moved.ts')).toMatchObject({ from: 'old.ts', edits: 2, seqs: [10, 12] })
    expect(facts.files.get('old.ts')).toMatchObject({ to: 'moved.ts' })
  })

  test('one file under an absolute, a relative and a Windows spelling is one fact', () => {
    const log = logFrom([
      harness('<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>'),
      step('1', 'Read', { file_path: '/repo/src/a.ts' }, 'x'),
      step(
        '2',
        'apply_patch',
        '*** Begin Patch\n*** Update File: ./src/a.ts\n@@\n+x\n*** End Patch',
        'Success.',
      ),
      step('3', 'exec_command', { cmd: 'cat a.ts', workdir: '/repo/src' }, 'x'),
      step('4', 'bash', { command: 'cd src && sed -i s/a/b/ a.ts' }, ''),
      step('5', 'view', { path: 'src\\a.ts' }, 'x'),
    ])
    const facts = factsOf(log)
    expect(facts.root).toBe('/repo')
    expect(filesOf(facts)).toEqual({ 'src/a.ts': 'edited' })
    expect(facts.files.get('src/a.ts')).toMatchObject({ reads: 3, edits: 2 })
  })

  test('a root that is learned late joins what was known before', () => {
    const log = logFrom([
      step('1', 'Edit', { file_path: '/repo/src/a.ts', old_string: 'x' }, 'ok'),
      step('2', 'bash', { command: 'cat src/a.ts' }, 'x'),
      step('3', 'bash', { command: 'pwd' }, '/repo\n'),
    ])
    const facts = factsOf(log)
    expect(filesOf(facts)).toEqual({ 'src/a.ts': 'edited' })
    expect(facts.files.get('src/a.ts')).toMatchObject({ reads: 1, edits: 1 })
  })

  test('a root that nobody named is guessed from paths that end alike', () => {
    const log = logFrom([
      human('please fix lib/core/parse.ts'),
      step('1', 'Read', { file_path: '/home/me/repo/lib/core/parse.ts' }, 'x'),
    ])
    expect(factsOf(log).root).toBe('/home/me/repo')
  })

  test('of two guesses the one that much more speaks for wins, of two directories the first', () => {
    const read = (path: string): EntryDraft[] => step(path, 'Read', { file_path: path }, 'x')
    const named = human('lib/core/a.ts lib/core/b.ts lib/core/c.ts lib/core/d.ts')
    const paths = ['a', 'b', 'c', 'd'].map((name) => `/mine/repo/lib/core/${name}.ts`)
    const log = (count: number): Chronological =>
      logFrom([named, read('/other/repo/lib/core/a.ts'), paths.slice(0, count).map(read)])
    expect(factsOf(log(2)).root).toBe('/other/repo')
    expect(factsOf(log(4)).root).toBe('/mine/repo')
    const ran = (id: string, workdir: string): EntryDraft[] =>
      step(id, 'exec_command', { cmd: 'ls', workdir }, 'x')
    expect(factsOf(logFrom([ran('1', '/first/repo'), ran('2', '/second/repo')])).root).toBe(
      '/first/repo',
    )
  })

  test('the directories that are given are believed before all others', () => {
    const log = logFrom([step('1', 'bash', { command: 'pwd' }, '/elsewhere\n')])
    expect(factsOf(log, { directories: ['/repo'] }).root).toBe('/repo')
  })

  test('a shell that stays where it went is followed', () => {
    const log = logFrom([
      step('1', 'Bash', { command: 'cd /repo/sub' }, ''),
      step('2', 'Bash', { command: 'touch a.ts' }, ''),
      step('3', 'Bash', { command: 'ls' }, 'x\nShell cwd was reset to /repo'),
      step('4', 'Bash', { command: 'touch b.ts' }, ''),
    ])
    expect(Object.keys(filesOf(factsOf(log, { directories: ['/repo'] })))).toEqual([
      'sub/a.ts',
      'b.ts',
    ])
  })

  test('of a directory that is removed or moved, the files that are known are', () => {
    const log = logFrom([
      step('1', 'Write', { file_path: 'lib/a.ts' }, 'ok'),
      step('2', 'Read', { file_path: 'old/b.ts' }, 'x'),
      step('3', 'bash', { command: 'rm -rf lib node_modules && mv old new' }, ''),
    ])
    expect(filesOf(factsOf(log))).toEqual({
      'lib/a.ts': 'deleted',
      'old/b.ts': 'renamed',
      'new/b.ts': 'renamed',
    })
  })

  test('a call without a result, a refused and a failed one have changed nothing', () => {
    const log = logFrom([
      assistant([call('1', 'Write', { file_path: 'a.ts' })]),
      assistant([call('2', 'Edit', { file_path: 'b.ts', old_string: 'x' })]),
      tool(
        result('2', 'Edit', {
          type: 'error-text',
          value: "The user doesn't want to proceed with this tool use.",
        }),
      ),
      assistant([call('3', 'Edit', { file_path: 'c.ts', old_string: 'x' })]),
      tool(
        result('3', 'Edit', { type: 'error-text', value: 'String to replace not found in file.' }),
      ),
      assistant([call('4', 'bash', { command: 'rm d.ts' })]),
      tool(result('4', 'bash', { type: 'execution-denied', reason: 'no' })),
    ])
    const facts = factsOf(log)
    expect(filesOf(facts)).toEqual({})
    expect(facts.errors.map(({ owner, text }) => [owner, text])).toEqual([
      ['c.ts', 'String to replace not found in file.'],
    ])
  })
})

describe('commands and errors', () => {
  test('runs of the same command are one fact with the newest outcome', () => {
    const log = logFrom([
      step(
        '1',
        'bash',
        { command: 'npm test' },
        'Tests  1 failed | 2 passed (3)\n\nCommand exited with code 1',
      ),
      step('2', 'bash', { command: 'npm test' }, 'Tests  3 passed (3)'),
      step('3', 'bash', { command: 'pwd' }, '/repo'),
    ])
    const { commands } = factsOf(log)
    expect(commands.get('npm test')).toEqual({
      command: 'npm test',
      purpose: 'check',
      runs: 2,
      outcome: 'ok',
      detail: 'Tests  3 passed (3)',
      seqs: [2, 4],
    })
    expect(commands.get('pwd')).toMatchObject({ purpose: 'look' })
  })

  test('a command that goes on in a session is one run, and its end is its outcome', () => {
    const running = 'Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n'
    const ended =
      'Wall time: 9 seconds\nProcess exited with code 1\nOutput:\n--- FAIL: TestA (0.0s)\n'
    const log = logFrom([
      step('1', 'exec_command', { cmd: 'go test ./...', workdir: '/repo' }, running),
      step('2', 'write_stdin', { session_id: 7, chars: '' }, running),
      step('3', 'write_stdin', { session_id: 7, chars: '' }, ended),
    ])
    expect(factsOf(chronological(log.slice(0, 2))).commands.get('go test ./...')?.outcome).toBe(
      'unknown',
    )
    const facts = factsOf(log)
    expect(facts.commands.get('go test ./...')).toMatchObject({
      runs: 1,
      outcome: 'failed',
      exitCode: 1,
    })
    expect(facts.errors).toMatchObject([{ owner: 'go test', text: '--- FAIL: TestA (0.0s)' }])
  })

  test('the error of a tool is the line that says what it is', () => {
    const output = 'ERROR:\nNo replacement was performed, the text did not appear.'
    const log = logFrom(
      step('1', 'str_replace_editor', { command: 'str_replace', path: 'a.c' }, output),
    )
    expect(factsOf(log).errors[0]?.text).toBe(
      'No replacement was performed, the text did not appear.',
    )
  })

  test('a command that finds nothing has not failed', () => {
    const log = logFrom(
      step(
        '1',
        'exec_command',
        { cmd: 'rg foo' },
        'Wall time: 0 seconds\nProcess exited with code 1\nOutput:\n',
      ),
    )
    expect(factsOf(log).commands.get('rg foo')).toMatchObject({ outcome: 'ok', exitCode: 1 })
  })

  test('what a pipe hides shows in the output of a check', () => {
    const log = logFrom(
      step(
        '1',
        'bash',
        { command: 'npm test 2>&1 | tail -5' },
        'FAIL src/a.test.ts\n1 failed, 2 passed',
      ),
    )
    expect([...factsOf(log).commands.values()][0]).toMatchObject({ outcome: 'failed' })
  })

  test('a command line is one line of at most 200 characters', () => {
    const command = `cat > a.txt <<'EOF'\n${'x '.repeat(400)}\nEOF\n`
    for (const name of factsOf(logFrom(step('1', 'bash', { command }, ''))).commands.keys()) {
      expect(name).toBe("cat > a.txt <<'EOF' …")
    }
    const long = factsOf(logFrom(step('1', 'bash', { command: `echo ${'y'.repeat(900)}\nls` }, '')))
    for (const name of long.commands.keys()) expect(name.length).toBeLessThanOrEqual(200)
  })

  test('an error is resolved when the same succeeds, and not by something narrower', () => {
    const fail = 'src/a.ts:3:1: error: boom\n\nCommand exited with code 1'
    const ran = (id: string, command: string, output: string): EntryDraft[] =>
      step(id, 'bash', { command }, output)
    const before = [ran('1', 'go test ./...', fail)]
    const resolved = (...after: EntryDraft[][]): unknown =>
      factsOf(logFrom([...before, ...after])).errors.map(({ owner, resolvedBy }) => [
        owner,
        resolvedBy,
      ])
    expect(resolved()).toEqual([['src/a.ts', undefined]])
    expect(resolved(ran('2', 'go test ./...', 'ok'))).toEqual([['src/a.ts', 4]])
    expect(resolved(ran('2', 'go test ./... 2>&1 | tail -3', 'ok'))).toEqual([['src/a.ts', 4]])
    expect(resolved(ran('2', 'go test ./pkg -run One', 'ok'))).toEqual([['src/a.ts', undefined]])
    expect(resolved(step('2', 'Edit', { file_path: 'src/a.ts', old_string: 'x' }, 'ok'))).toEqual([
      ['src/a.ts', undefined],
    ])
  })

  test('a test that failed is solved when a command that names it passes, a compiler by its package', () => {
    const long = 'TestAcceptsAnEmptyHeaderAtTheVeryEnd|'.repeat(6)
    const ran = (id: string, command: string, output: string, code = 0) =>
      step(id, 'Bash', { command }, code === 0 ? output : `Exit code ${code}\n${output}`)
    const first = `gofmt -w a_test.go && go test ./pkg -run '${long}TestKeepsTheLock' -count=1`
    const second = `gofmt -w b.go && go test ./pkg -run '${long}TestKeepsTheLock' -count=1`
    const other = `go test ./pkg -run '${long}TestKeepsTheLockLonger' -count=1`
    const failed = ran('1', first, '--- FAIL: TestKeepsTheLock (0.00s)', 1)
    const broken = ran('1', first, 'pkg/a_test.go:11:2: "time" imported and not used', 1)
    const edit = step('2', 'Edit', { file_path: 'pkg/b.go', old_string: 'a' }, 'ok')
    const errorsAfter = (...entries: EntryDraft[][]) =>
      factsOf(logFrom(entries.flat())).errors.map(({ resolvedBy, cure }) => ({ resolvedBy, cure }))
    expect(errorsAfter(failed, edit, ran('3', second, 'ok'))).toEqual([
      { resolvedBy: 6, cure: ['pkg/b.go'] },
    ])
    expect(errorsAfter(failed, edit, ran('3', other, 'ok'))[0]?.resolvedBy).toBe(undefined)
    expect(errorsAfter(broken, edit, ran('3', other, 'ok'))[0]?.resolvedBy).toBe(6)
    const said = ran('1', first, 'FAIL\n    a_test.go:152: expected a lock, got <nil>', 1)
    expect(errorsAfter(said, edit, ran('3', second, 'ok')).map((one) => one.resolvedBy)).toEqual([
      6,
    ])
    const elsewhere = other.replace('./pkg', './other')
    expect(errorsAfter(broken, edit, ran('3', elsewhere, 'ok'))[0]?.resolvedBy).toBe(undefined)
  })

  test('an error at a place is solved when the file was changed and a check of all code passes', () => {
    const ran = (id: string, command: string, output: string): EntryDraft[] =>
      step(id, 'bash', { command }, output)
    const failed = ran(
      '1',
      'npx tsgo --noEmit',
      "src/a.ts(3,1): error TS2339: Property 'x' does not exist\n\nCommand exited with code 2",
    )
    const edit = (path: string) => step('2', 'Edit', { file_path: path, old_string: 'a' }, 'ok')
    const solvedBy = (...entries: EntryDraft[][]): unknown =>
      factsOf(logFrom([failed, ...entries].flat())).errors.map(({ resolvedBy }) => resolvedBy)
    expect(solvedBy(edit('src/a.ts'), ran('3', 'npm run check', 'ok'))).toEqual([6])
    expect(solvedBy(edit('src/b.ts'), ran('3', 'npm run check', 'ok'))).toEqual([undefined])
    expect(solvedBy(edit('src/a.ts'), ran('3', 'npx eslint lib/b.ts', 'ok'))).toEqual([undefined])
    expect(solvedBy(edit('src/a.ts'), ran('3', 'npm test', 'ok'))).toEqual([undefined])
  })

  test('a patch that did not apply is solved by the next change of the file that it was for', () => {
    const failed = (id: string, text: string): EntryDraft[] => [
      assistant([call(id, 'Edit', { file_path: 'src/first.ts', old_string: 'x' })]),
      tool(result(id, 'Edit', { type: 'error-text', value: text })),
    ]
    const log = logFrom(
      [
        failed('1', 'verification failed: Failed to find expected lines in src/second.ts:'),
        step('2', 'Edit', { file_path: 'src/second.ts', old_string: 'y' }, 'ok'),
      ].flat(),
    )
    expect(factsOf(log).errors).toMatchObject([{ owner: 'src/second.ts', resolvedBy: 4 }])
  })

  test.each([
    ['Read', 'File does not exist.'],
    ['Read', "ENOENT: no such file or directory, open 'src/guess.ts'"],
    ['Bash', '[No result: the call was aborted.]'],
  ])('what %s says here is nothing to solve: %s', (name, text) => {
    const log = logFrom([
      assistant([call('1', name, { file_path: 'src/guess.ts', command: 'npm test' })]),
      tool(result('1', name, { type: 'error-text', value: text })),
    ])
    expect(factsOf(log).errors).toEqual([])
  })

  test('a commit of nothing is no error', () => {
    const output = 'Exit code 1\nOn branch main\nnothing to commit, working tree clean'
    const log = logFrom(step('1', 'Bash', { command: 'git add . && git commit -m x' }, output))
    expect(factsOf(log).errors).toEqual([])
  })

  test('a conflict is resolved by the commit, a failed edit by the next one', () => {
    const conflict = 'Exit code 1\nCONFLICT (content): Merge conflict in a.ts'
    const log = logFrom([
      assistant([call('1', 'Bash', { command: 'git merge main' })]),
      tool(result('1', 'Bash', { type: 'error-text', value: conflict })),
      assistant([call('2', 'Edit', { file_path: 'a.ts', old_string: 'x' })]),
      tool(
        result('2', 'Edit', { type: 'error-text', value: 'String to replace not found in file.' }),
      ),
      step('3', 'Edit', { file_path: 'a.ts', old_string: 'y' }, 'ok'),
      step(
        '4',
        'Bash',
        { command: 'git add a.ts && git commit --no-edit' },
        '[main ab12cd3] Merge',
      ),
    ])
    expect(factsOf(log).errors.map(({ resolvedBy }) => resolvedBy)).toEqual([8, 6])
  })
})

describe('names', () => {
  const namesOf = (...drafts: EntryDraft[][]): Facts['names'] => factsOf(logFrom(drafts)).names

  test('uses in calls and elsewhere are counted apart, and reasoning is not read', () => {
    const names = namesOf([
      assistant([
        { type: 'reasoning', text: 'secretName' },
        { type: 'text', text: 'look at parseHeader' },
        call('1', 'Edit', {
          file_path: 'src/parse/header.ts',
          new_string: 'parseHeader(parseHeader)',
        }),
      ]),
      tool(result('1', 'Edit', 'parseHeader')),
    ])
    expect(names.get('parseHeader')).toMatchObject({
      calls: 2,
      mentions: 2,
      lastSeq: 2,
      kind: 'identifier',
    })
    expect(names.get('parseHeader')?.owner).toBe('src/parse/header.ts')
    expect(names.has('secretName')).toBe(false)
  })

  test('a name belongs to the file of its line, of its section, or to the command', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/one.ts\n+firstName\n*** Update File: src/two.ts\n+secondName\n*** End Patch'
    const names = namesOf(
      step(
        '1',
        'grep',
        { pattern: 'x' },
        'src/found.ts:12: const foundName = 1\nelsewhere plainName\nsrc/around.ts-7- aroundName',
      ),
      step('2', 'apply_patch', patch, 'Success.'),
      step('3', 'bash', { command: 'npm test' }, 'at testedName'),
    )
    const owner = (name: string): string | undefined => names.get(name)?.owner
    expect(owner('foundName')).toBe('src/found.ts')
    expect(owner('aroundName')).toBe('src/around.ts')
    expect(owner('plainName')).toBe('')
    expect(owner('firstName')).toBe('src/one.ts')
    expect(owner('secondName')).toBe('src/two.ts')
    expect(owner('testedName')).toBe('npm test')
    expect(names.has('src/around.ts')).toBe(true)
  })

  test('paths are spelled from the root', () => {
    const log = logFrom([human('see /repo/src/parse/a.ts and /other/src/b.ts')])
    expect([...factsOf(log, { directories: ['/repo'] }).names.keys()]).toEqual([
      'src/parse/a.ts',
      '/other/src/b.ts',
    ])
  })

  test('a summary of another harness is hearsay; one of ours says nothing new', () => {
    const foreign = namesOf([checkpoint('we changed hiddenName in src/hidden/a.ts')])
    expect(foreign.get('hiddenName')).toMatchObject({ calls: 0, mentions: 0 })
    expect(factsOf(logFrom([checkpoint('src/hidden/a.ts edited')])).files.size).toBe(0)
    expect(namesOf([checkpoint('we changed hiddenName', { rung: 'model' })]).size).toBe(0)
  })

  test('what is used now ranks before what was used once, and calls before mentions', () => {
    const filler = (id: string): EntryDraft[] =>
      step(id, 'Read', { file_path: `f${id}.ts` }, 'word '.repeat(2_000))
    const log = logFrom([
      step('1', 'bash', { command: 'echo oldUsedName' }, ''),
      filler('2'),
      filler('3'),
      assistant('mentionedName'),
      step('4', 'bash', { command: 'echo nowUsedName' }, ''),
    ])
    const order = [...factsOf(log).names.values()]
      .toSorted((a, b) => (b.weight ?? 0) - (a.weight ?? 0))
      .map(({ name }) => name)
    expect(order.filter((name) => name.endsWith('Name'))).toEqual([
      'nowUsedName',
      'mentionedName',
      'oldUsedName',
    ])
  })
})

describe('what was said', () => {
  test('every human message is a request, without what a harness added to it', () => {
    const log = logFrom([
      harness('never push'),
      human('fix it <system-reminder>be nice</system-reminder>'),
      human([{ type: 'image', image: 'x' }]),
      { ...human('Continue'), origin: 'synthetic' } as EntryDraft,
    ])
    const { requests, rules } = factsOf(log)
    expect(requests).toEqual([{ text: 'fix it', seq: 2 }])
    expect(rules).toEqual([])
  })

  test('the text that ends a turn is an answer, whole; one on the way is a remark', () => {
    const closing = 'Tabs work now:\n\n- one\n  - two\n\n```\ncode\n```'
    const drafts = [
      human('go'),
      assistant('Looking around.'),
      assistant([
        { type: 'reasoning', text: 'It may be parseHeader.' },
        { type: 'text', text: 'The bug is in parseHeader: it drops tabs.' },
        call('1', 'Edit', { file_path: '/a/b.ts', old_string: 'x', new_string: 'y' }),
      ]),
      tool(result('1', 'Edit', 'The file has been updated successfully.')),
      assistant(closing),
    ]
    expect(factsOf(logFrom(drafts)).statements).toEqual([
      { text: 'Looking around.', seq: 2, source: 'remark' },
      { text: 'It may be parseHeader.', seq: 3, source: 'thought', worked: true },
      {
        text: 'The bug is in parseHeader: it drops tabs.',
        seq: 3,
        source: 'remark',
        worked: true,
      },
      { text: closing, seq: 5, source: 'answer', worked: true },
    ])
    expect(factsOf(logFrom(drafts.slice(0, 2))).statements).toEqual([
      { text: 'Looking around.', seq: 2, source: 'answer' },
    ])
  })

  test('an answer that the human says no to is disputed, one that is thanked for is not', () => {
    const said = (words: string) =>
      factsOf(logFrom([human('why?'), assistant('Because of the cache.'), human(words)])).statements
    for (const no of [
      'no, it is not the cache',
      "That's wrong.",
      'không đúng',
      '不对，再看看',
      'hmm, I think you have old information, there is no cache',
      'wait, this doesn’t look right to me',
      'actually, can you revert that?',
      'nah let’s roll back',
    ])
      expect(said(no)).toMatchObject([{ disputedBy: 3 }])
    for (const yes of [
      'Good, go on',
      'no problem, take your time',
      'Now fix it',
      'No, this is fine. Go on.',
      'can you undo a migration with it?',
    ])
      expect(said(yes)[0]).not.toHaveProperty('disputedBy')
  })

  test('a document is told without the numbers that a harness put before its lines', () => {
    const text = '# Rules\n\nNever edit the folder dist by hand.\n\nAsk before a release is made.'
    const shown = text.split('\n').map((line, at) => `${at + 7}. ${line}`)
    const drafts = [step('1', 'view', { path: '/a/RULES.md' }, shown.join('\n'))]
    expect(factsOf(logFrom(drafts)).statements).toMatchObject([{ source: 'document', text }])
    const list = '1. Read the parser first.\n2. Write its tests.\n3. Change the parser.'
    const listed = [step('1', 'view', { path: '/a/PLAN.md' }, list)]
    expect(factsOf(logFrom(listed)).statements).toMatchObject([{ text: list }])
  })

  test('a command that has run to its end since is not told as running', () => {
    const command = 'go test ./...'
    const running = 'Process running with session ID 7\nOutput:\n'
    const ended = 'Process exited with code 0\nOutput:\nok'
    const drafts = [step('1', 'exec_command', { cmd: command }, running)]
    const states = (all: typeof drafts) =>
      [...(factsOf(logFrom(all)).background ?? new Map()).values()].map(({ state }) => state)
    expect(states(drafts)).toEqual(['running'])
    expect(states([...drafts, step('2', 'exec_command', { cmd: command }, ended)])).toEqual([
      'ended',
    ])
    const other = step('2', 'exec_command', { cmd: 'go vet ./...' }, ended)
    expect(states([...drafts, other])).toEqual(['running'])
  })

  test('what calls pass on for a reader is told, in its words; a failed call says nothing', () => {
    const commit = 'git commit -m "Keep the lock while the index is written"'
    const body = `gh pr create --title x --body "$(cat <<'EOF'\nThe cache was never emptied, so old rows stayed.\nEOF\n)"`
    const told = (name: string, input: unknown, output: string): unknown[] =>
      factsOf(logFrom([step('1', name, input, output)])).statements
    expect(told('Bash', { command: commit }, '[main abc1234] Keep the lock')).toMatchObject([
      { text: 'Keep the lock while the index is written', source: 'message', about: 'git commit' },
    ])
    const signed = `${commit.slice(0, -1)}\n\nCo-Authored-By: Some Model <a@b.c>"`
    expect(told('Bash', { command: signed }, '[main abc1234] Keep the lock')).toMatchObject([
      { text: 'Keep the lock while the index is written' },
    ])
    expect(told('Bash', { command: body }, 'https://github.com/a/b/pull/1')).toMatchObject([
      { text: 'The cache was never emptied, so old rows stayed.', source: 'message' },
    ])
    expect(told('ExitPlanMode', { plan: '# Plan\n1. Do it.' }, 'approved')).toMatchObject([
      { text: '# Plan\n1. Do it.', source: 'plan' },
    ])
    expect(
      told(
        'Task',
        { description: 'look' },
        'The reader keeps one buffer for each of the files.\n\nIt is freed at the end.',
      ),
    ).toMatchObject([{ source: 'report', about: 'look' }])
    const code = '// The lock is kept because two writers would meet.\nlock()'
    expect(
      told('Write', { file_path: '/a/lock.ts', content: code }, 'File created successfully'),
    ).toMatchObject([
      { text: 'The lock is kept because two writers would meet.', source: 'comment' },
    ])
    expect(
      told(
        'Bash',
        { command: 'git commit -m "This one does not work at all"' },
        'Exit code 1\nerror: hook failed',
      ),
    ).toEqual([])
    expect(
      told(
        'ExitPlanMode',
        { plan: 'x y z' },
        "The user doesn't want to proceed with this tool use.",
      ),
    ).toEqual([])
  })

  test('of plans and of loaded instructions only the newest holds', () => {
    const { statements } = factsOf(
      logFrom([
        step('1', 'ExitPlanMode', { plan: 'First do this.' }, 'approved'),
        step('2', 'ExitPlanMode', { plan: 'Rather do that.' }, 'approved'),
      ]),
    )
    expect(statements).toMatchObject([{ overtakenBy: 3 }, { text: 'Rather do that.' }])
  })

  test('branch, commits and what was changed since are read from what Git prints', () => {
    const edit = step('1', 'Edit', { file_path: '/a/b.ts', old_string: 'x', new_string: 'y' }, 'ok')
    const commit = step(
      '2',
      'Bash',
      { command: 'git commit -am "x"' },
      '[fix abc1234] Fix the lock\n 1 file changed',
    )
    const after = step(
      '3',
      'Edit',
      { file_path: '/a/c.ts', old_string: 'x', new_string: 'y' },
      'ok',
    )
    const shown = step('4', 'Read', { file_path: '/a/log' }, '[main bbb1234] Not a commit')
    expect(factsOf(logFrom([edit, commit, after, shown])).repository).toEqual({
      branch: { name: 'fix', seq: 4 },
      commits: [{ sha: 'abc1234', subject: 'Fix the lock', seq: 4 }],
      changed: new Set(['/a/c.ts']),
    })
  })

  test('what is said over and over is told once', () => {
    const said = (id: string): EntryDraft[] => [
      assistant([
        { type: 'text', text: 'The bug is in parseHeader.' },
        call(id, 'bash', { command: 'ls' }),
      ]),
      tool(result(id, 'bash', 'x')),
    ]
    expect(factsOf(logFrom([said('1'), said('2'), said('3')])).statements).toHaveLength(1)
  })

  test('the list of things to do is the newest one, from a tool before prose', () => {
    const prose = assistant('Plan:\n- [x] one\n- [ ] two')
    expect(factsOf(logFrom([prose])).todos).toEqual([
      { text: 'one', status: 'done', seq: 1 },
      { text: 'two', status: 'open', seq: 1 },
    ])
    const tasks = [
      prose,
      step('1', 'TaskCreate', { subject: 'a' }, 'Task #1 created successfully: a'),
      step('2', 'TaskCreate', { subject: 'b' }, 'Task #2 created successfully: b'),
      step('3', 'TaskUpdate', { taskId: '1', status: 'completed' }, 'Updated task #1 status'),
      step('4', 'TaskUpdate', { taskId: '2', status: 'deleted' }, 'Updated task #2'),
      assistant('- [ ] three\n- [ ] four'),
    ]
    expect(factsOf(logFrom(tasks)).todos).toEqual([{ text: 'a', status: 'done', seq: 7, id: '1' }])
    const lists = [
      step('1', 'TodoWrite', { todos: [{ content: 'a', status: 'pending' }] }, 'ok'),
      step('2', 'TodoWrite', { todos: [{ content: 'b', status: 'in_progress' }] }, 'ok'),
    ]
    expect(factsOf(logFrom(lists)).todos).toEqual([{ text: 'b', status: 'active', seq: 4 }])
  })
})

/** Sessions with rewinds in them, also of what was rewound. */
const withRewinds = fc
  .tuple(
    arbitrarySession({ maxSteps: 20 }),
    fc.array(
      fc.record({
        at: fc.nat(60),
        to: fc.nat(60),
        resume: fc.option(fc.nat(60), { nil: undefined }),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([drafts, rewinds]): Chronological => {
    const entries: EntryDraft[] = [...drafts]
    for (const { at, to, resume } of rewinds) {
      const place = at % (entries.length + 1)
      const target = to % (place + 1)
      const rewind: EntryDraft = { kind: 'rewind', at: 0, to: target }
      if (resume !== undefined && target < place)
        rewind.resume = target + 1 + (resume % (place - target))
      entries.splice(place, 0, rewind)
    }
    return chronological(entries.map((draft, index): Entry => ({ ...draft, seq: index + 1 })))
  })

test('what is told is the history, whatever was rewound', () => {
  fc.assert(
    fc.property(withRewinds, fc.nat(80), (log, seq) => {
      const told = toldUpTo(log, seq).filter(({ kind }) => kind === 'message')
      expect(told).toEqual(historyOf(log, seq).entries)
    }),
    runs(60),
  )
})

test('folding entry by entry is folding at once', () => {
  fc.assert(
    fc.property(withRewinds, fc.array(fc.nat(80), { maxLength: 5 }), (log, stops) => {
      const whole = factsOf(log)
      const facts = emptyFacts()
      for (const upTo of [...stops].sort((a, b) => a - b)) advanceFacts(facts, log, { upTo })
      expect(advanceFacts(facts, log)).toEqual(whole)
    }),
    runs(60),
  )
})

test('what a rewind leaves is folded the same in slices as at once', () => {
  fc.assert(
    fc.property(withRewinds, (log) => {
      for (const { kind, seq } of log) {
        if (kind !== 'rewind') continue
        const folding = factsAfterRewind(log, seq)
        let folded = folding.next()
        while (folded.done !== true) folded = folding.next()
        expect(folded.value).toEqual(factsOf(log, { upTo: seq }))
      }
    }),
    runs(60),
  )
})

test('every path and every name of the index stands in the log', () => {
  fc.assert(
    fc.property(withRewinds, (log) => {
      const text = log.map(textOf).join('\n').replaceAll('\\', '/')
      const facts = factsOf(log)
      for (const path of facts.files.keys())
        for (const part of path.split('/')) expect(text).toContain(part)
      for (const name of facts.names.keys()) expect(text).toContain(name.replaceAll('\\', '/'))
      for (const { text: rule } of facts.rules) expect(text).toContain(rule.replaceAll('\\', '/'))
    }),
    runs(60),
  )
})

/** All that a log holds in text, as it is and with its JSON undone. */
function textOf(entry: Entry): string {
  if (entry.kind === 'checkpoint') return entry.summary
  if (entry.kind !== 'message') return ''
  const leaves: string[] = []
  for (const part of partsOf(entry.message)) {
    if (part.type === 'tool-call')
      JSON.stringify(
        part.input,
        (_, value: unknown) => (typeof value === 'string' && leaves.push(value), value),
      )
  }
  return [messageText(entry.message), ...leaves].join('\n')
}

test('no log makes it throw', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.anything(), fc.string({ unit: 'binary' })), {
        maxLength: 8,
      }),
      (calls) => {
        const log = logFrom(
          calls.map(([name, input, output], at) => step(`${at}`, name, input, output)),
        )
        expect(factsOf(log).seq).toBe(calls.length * 2)
      },
    ),
    runs(100),
  )
})
