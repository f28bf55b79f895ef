import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chronological, type Chronological } from '../../log/order.ts'
import { human, step } from '../../testing/generate/build.ts'
import { factsOf } from '../facts-of.ts'
import type { EntryDraft } from '../../log/entry.ts'

/** How a client on some platform writes the same absolute path. */
interface Spelling {
  root: string
  file: (absolute: string) => string
  shell: (absolute: string) => string
}

const unix: Spelling = {
  root: '/home/ann/work/shop',
  file: (path) => path,
  shell: (path) => path,
}
const onDrive = (path: string): string => path.replace('/home/ann', 'D:/Users/ann')
const backslashed = (path: string): string => onDrive(path).replaceAll('/', '\\')
const windows: Spelling = {
  root: backslashed(unix.root),
  file: backslashed,
  shell: (path) => `"${backslashed(path)}"`,
}
const gitBash: Spelling = {
  root: backslashed(unix.root),
  file: backslashed,
  shell: (path) => path.replace('/home/ann', '/d/Users/ann'),
}
const otherCase: Spelling = {
  root: backslashed(unix.root),
  file: (path) => onDrive(path).replace('D:/Users', 'd:/USERS'),
  shell: (path) => path.replace('/home/ann', '/D/Users/ann'),
}

const name = fc.constantFrom('src/a.ts', 'src/sub/b.ts', 'docs/read me.md', 'c.txt', 'src/A/d.go')
const action = fc.record({
  what: fc.constantFrom('read', 'write', 'edit', 'rm', 'mv', 'append', 'cd', 'quiet'),
  name,
})
type Action = { what: string; name: string }

function logOf(actions: readonly Action[], { root, file, shell }: Spelling): Chronological {
  const drafts: EntryDraft[] = [human('Tidy the shop.')]
  for (const [n, { what, name }] of actions.entries()) {
    const path = `${unix.root}/${name}`
    const bash = (command: string): EntryDraft[] => step(`c${n}`, 'Bash', { command }, 'done')
    const quoted = shell(path).includes('"') ? shell(path) : `'${shell(path)}'`
    if (what === 'read') drafts.push(...step(`c${n}`, 'Read', { file_path: file(path) }, 'text'))
    if (what === 'write')
      drafts.push(...step(`c${n}`, 'Write', { file_path: file(path), content: 'x' }, 'created'))
    if (what === 'edit')
      drafts.push(
        ...step(`c${n}`, 'Edit', { file_path: file(path), old_string: 'a', new_string: 'b' }, 'ok'),
      )
    if (what === 'rm') drafts.push(...bash(`rm ${quoted}`))
    if (what === 'mv') drafts.push(...bash(`mv ${quoted} ${quoted.replace(/(["'])$/, '.old$1')}`))
    if (what === 'append') drafts.push(...bash(`echo x >> ${quoted}`))
    if (what === 'cd')
      drafts.push(...bash(`cd ${shell(`${unix.root}/src`)} && touch z.ts && cd ..`))
    if (what === 'quiet') drafts.push(...bash(root.includes('\\') ? 'type x 2>nul' : 'true'))
  }
  return chronological(
    drafts.map((draft, at) => ({
      ...draft,
      seq: at + 1,
      ...(at === 0 && { metadata: { directory: root } }),
    })) as never,
  )
}

const changed = (log: Chronological): string[] =>
  [...factsOf(log).files.values()].map(({ path, state }) => `${state} ${path}`).sort()

describe('G8: one file is one file on every platform', () => {
  it.each([
    ['Windows paths', windows],
    ['Git Bash paths beside Windows paths', gitBash],
    ['capitals and small letters', otherCase],
  ])('%s name the same files as the same session on Unix', (_, spelling) => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), (actions) => {
        expect(changed(logOf(actions, spelling))).toEqual(changed(logOf(actions, unix)))
      }),
    )
  })

  it('a path of Unix that looks like a drive stays what it is', () => {
    const log = logOf([{ what: 'edit', name: 'src/a.ts' }], { ...unix, file: () => '/d/other.ts' })
    expect(changed(log)).toEqual(['edited /d/other.ts'])
  })

  it('in WSL, the drive C: is below /mnt/c', () => {
    const wsl = (path: string): string => path.replace('/home/ann', '/mnt/c/Users/ann')
    const spelling = {
      root: wsl(unix.root),
      file: (path: string) => path.replace('/home/ann', 'C:\\Users\\ann'),
      shell: wsl,
    }
    const actions = [
      { what: 'edit', name: 'src/a.ts' },
      { what: 'append', name: 'src/a.ts' },
    ]
    expect(changed(logOf(actions, spelling))).toEqual(['edited src/a.ts'])
  })
})

describe('G8: a relative directory is applied once', () => {
  const inShop = (drafts: EntryDraft[], directory = unix.root): Chronological =>
    chronological(
      drafts.map((draft, at) => ({
        ...draft,
        seq: at + 1,
        ...(at === 0 && { metadata: { directory } }),
      })) as never,
    )

  it('the working directory of a call', () => {
    const log = inShop([
      human('Go.'),
      ...step('1', 'shell', { command: 'touch a.ts', workdir: 'packages/api' }, ''),
    ])
    expect(changed(log)).toEqual(['created packages/api/a.ts'])
  })

  it('a `cd` that the shell keeps', () => {
    const shop = (directory: string): EntryDraft => human('Go.', { metadata: { directory } })
    const told = inShop([
      shop(unix.root),
      ...step('1', 'Bash', { command: 'cd packages && touch a.ts' }, ''),
      shop(`${unix.root}/packages`),
      ...step('2', 'Bash', { command: 'touch b.ts' }, ''),
    ])
    expect(changed(told)).toEqual(['created packages/a.ts', 'created packages/b.ts'])
  })

  it('a `cd` that the harness undid, as its records say', () => {
    const log = inShop([
      human('Go.'),
      ...step('1', 'Bash', { command: 'cd packages && touch a.ts' }, ''),
      ...step('2', 'Bash', { command: 'cd packages && touch b.ts' }, ''),
    ])
    expect(changed(log)).toEqual(['created packages/a.ts', 'created packages/b.ts'])
  })

  it('a `Set-Location` of PowerShell', () => {
    const log = inShop(
      [
        human('Go.'),
        ...step('1', 'powershell', { command: 'Set-Location packages; "x" > a.ts' }, ''),
      ],
      windows.root,
    )
    expect(changed(log)).toEqual(['created packages/a.ts'])
  })

  it('without records, where the first `cd` also names the root', () => {
    const log = chronological(
      [
        human('Go.'),
        ...step('1', 'Bash', { command: `cd ${unix.root}` }, ''),
        ...step('2', 'Bash', { command: 'cd packages' }, ''),
        ...step('3', 'Bash', { command: 'touch b.ts' }, ''),
      ].map((draft, at) => ({ ...draft, seq: at + 1 })) as never,
    )
    expect(changed(log)).toEqual(['created packages/b.ts'])
  })
})
