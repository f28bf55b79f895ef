import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeSession } from '../../testing/claude-session.ts'
import { newTestStore, testStoreWithSession, type TestStore } from '../../testing/new-store.ts'

const isWindows = process.platform === 'win32'

/** An editor that does this to the file. */
function editor({ directory, file }: TestStore, script: string) {
  const path = join(directory, 'editor.sh')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return {
    env: { THROUGHLINE_STORE: file, EDITOR: path, PATH: process.env['PATH'] ?? '' },
    cwd: directory,
  }
}

async function contextOf({ done }: TestStore): Promise<string> {
  return done('report', '--history', 'made', '--context')
}

describe.skipIf(isWindows)('compact --edit', () => {
  it('saves the summary as somebody changed it', async () => {
    const store = await testStoreWithSession()
    const before = await contextOf(store)
    const setting = editor(
      store,
      'sed -i "s/^## Discoveries.*/&\\nThe values are read twice./" "$1"',
    )
    const { code, err } = await store.run(['compact', 'made', '--edit'], setting)
    expect({ code, err: err.includes('tokens') }).toEqual({ code: 0, err: true })
    expect(await contextOf(store)).toContain('The values are read twice.')
    await store.done('undo', 'made')
    expect(await contextOf(store)).toBe(before)
  })

  it('checks it again: what the human said stands, and no file is forgotten', async () => {
    const store = await testStoreWithSession()
    const script = `printf '## Goal\\nAll is done.\\n\\n## Discoveries\\n%s\\n' "$(printf 'The values were wrong because of the parser. %.0s' 1 2 3 4 5 6)" > "$1"`
    expect((await store.run(['compact', 'made', '--edit'], editor(store, script))).code).toBe(0)
    const context = await contextOf(store)
    expect(context).toContain('All is done.')
    expect(context).toContain('Never touch config/prod.ts.')
    expect(context).toContain('src/part3/file1.ts')
  })

  it.each([
    ['ends with an error', 'exit 3', 'the editor ended with 3: nothing was changed.'],
    ['leaves nothing', ': > "$1"', 'the summary is empty: nothing was changed.'],
    ['leaves a refusal', 'echo "I am sorry, I cannot help." > "$1"', 'Nothing was changed.'],
  ])('changes nothing where the editor %s', async (_, script, message) => {
    const store = await testStoreWithSession()
    const before = await store.read('made')
    const { code, err } = await store.run(['compact', 'made', '--edit'], editor(store, script))
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(await store.read('made')).toEqual(before)
  })

  it('needs an editor', async () => {
    const { fails } = await testStoreWithSession()
    expect(await fails(1, ['compact', 'made', '--edit'])).toBe(
      'throughline: --edit needs an editor: set EDITOR.\n',
    )
  })
})

describe('compact --preview', () => {
  it('shows plan and summary, and saves nothing without a yes', async () => {
    const { run, read } = await testStoreWithSession()
    const before = await read('made')
    const { code, out } = await run(['compact', 'made', '--preview'])
    expect(code).toBe(0)
    expect(out).toMatch(/Plan: summarize[^]*The summary:[^]*## Goal/)
    expect(await read('made')).toEqual(before)
  })

  it('saves it after a yes', async () => {
    const { run, read, file } = await testStoreWithSession()
    const before = await read('made')
    const env = { THROUGHLINE_STORE: file }
    const argv = ['compact', 'made', '--preview']
    const declined = await run(argv, { typed: 'n\n', terminal: 100, env })
    expect(declined.code).toBe(0)
    expect(declined.err).not.toMatch(/stored|reverts it/)
    expect(await read('made')).toEqual(before)
    expect((await run(argv, { typed: 'y\n', terminal: 100, env })).code).toBe(0)
    expect(await read('made')).toHaveLength(before.length + 1)
  })
})

describe('compact --from --through', () => {
  it('makes a summary of a stretch, and leaves the rest word for word', async () => {
    const store = await testStoreWithSession()
    const before = await contextOf(store)
    const { code, err } = await store.run(['compact', 'made', '--from', '30', '--through', '100'])
    expect({ code, err: err.includes('summarized locally') }).toEqual({ code: 0, err: true })
    const after = await contextOf(store)
    expect(after).toContain('covers entries 30 to 100 alone')
    const refs = (text: string): number[] =>
      [...text.matchAll(/^=== .*\[(\d+)\.?\d*\]$/gm)].map(([, seq]) => Number(seq))
    const [was, is] = [refs(before), refs(after)]
    expect(is.filter((seq) => seq >= 32 && seq <= 98)).toEqual([])
    expect(is.filter((seq) => seq < 29)).toEqual(was.filter((seq) => seq < 29))
    expect(is.filter((seq) => seq > 102)).toEqual(was.filter((seq) => seq > 102))
    expect(after).toMatch(/\[Entries \d+–\d+ stood here; the summary covers them\.\]/)
    await store.done('undo', 'made')
    expect(await contextOf(store)).toBe(before)
  })

  it('can be done again, and before a compaction of the whole', async () => {
    const store = await testStoreWithSession()
    await store.done('pin', 'made', 'It is for the release.')
    for (const [from, through] of [
      ['30', '60'],
      ['80', '110'],
    ] as const) {
      expect(
        (await store.run(['compact', 'made', '--from', from, '--through', through])).code,
      ).toBe(0)
    }
    const twice = await contextOf(store)
    expect(twice).toContain('It is for the release.')
    expect(twice).toContain('feature 4')
    expect((await store.run(['compact', 'made'])).code).toBe(0)
    const whole = await contextOf(store)
    expect(whole.length).toBeLessThan(twice.length)
    expect(whole).toContain('Never touch config/prod.ts.')
  })

  it('shows the plan of it', async () => {
    const { run } = newTestStore()
    const { out } = await run([
      'compact',
      'session.jsonl',
      '--from',
      '30',
      '--through',
      '100',
      '--dry-run',
    ])
    expect(out).toMatch(/1–2\d +\d+ messages +kept/)
    expect(out).toMatch(/summarized +\d+ messages/)
  })

  it.each([
    [['--from', '500', '--through', '600'], 1, 'the model sees none of these entries'],
    [['--from', '2', '--through', '9999'], 1, 'they hold the latest request'],
    [['--from', '9', '--through', '2'], 2, '--from must not come after'],
    [['--from', '9'], 2, 'belong together'],
    [['--from', 'x', '--through', '2'], 2, '--from must be the number of an entry'],
    [['--from', '1', '--through', '2', '--if-needed'], 2, 'omit --if-needed'],
  ] as const)('refuses %j', async (more, code, message) => {
    const { fails } = newTestStore()
    expect(await fails(code, ['compact', 'session.jsonl', ...more])).toContain(message)
  })
})

describe('what is printed', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`

  it('is said to hold a secret by its kind and its place, never by itself', async () => {
    const { run, directory } = newTestStore()
    const text = claudeSession({ says: ['Start.', 'Then.', `Use ${secret} for the push.`] })
    writeFileSync(join(directory, 'leak.jsonl'), text)
    const { err } = await run(['compact', 'leak.jsonl'])
    expect(err).toMatch(/looks like secrets: 1 GitHub token, in .*\d+\.0/)
    expect(err).not.toContain(secret.slice(0, 20))
    expect((await run(['compact', 'session.jsonl'])).err).not.toContain('secret')
  })

  it.skipIf(isWindows || process.platform === 'darwin')(
    'is copied with a few lines that say what it is',
    async () => {
      const store = await testStoreWithSession()
      const { directory, file } = store
      writeFileSync(join(directory, 'xclip'), `#!/bin/sh\ncat > "${directory}/clip.txt"\n`)
      chmodSync(join(directory, 'xclip'), 0o755)
      const env = {
        THROUGHLINE_STORE: file,
        DISPLAY: ':0',
        PATH: `${directory}:${process.env['PATH']}`,
      }
      const { code, out, err } = await store.run(['compact', 'made', '--copy'], {
        env,
        cwd: directory,
      })
      expect({ code, out }).toEqual({ code: 0, out: '' })
      expect(err).toContain('Copied to the clipboard by xclip')
      const copied = readFileSync(join(directory, 'clip.txt'), 'utf8')
      expect(copied).toMatch(
        /^What follows is an agent’s earlier session \(claude-code, in \/code\/app\)/,
      )
      expect(copied).toContain('throughline recall made REF')
      expect(copied).toContain('=== summary')
    },
  )

  it('is copied through the terminal where there is no such program', async () => {
    const { run, directory } = newTestStore()
    const { err } = await run(['compact', 'session.jsonl', '--keep', '3k', '--copy'], {
      terminal: 80,
      cwd: directory,
      env: { PATH: '' },
    })
    const [, base64 = ''] = /\u001b\]52;c;([A-Za-z0-9+/=]+)\u0007/.exec(err) ?? []
    expect(Buffer.from(base64, 'base64').toString()).toContain('=== summary')
    const nowhere = await run(['compact', 'session.jsonl', '--copy'], {
      cwd: directory,
      env: { PATH: '' },
    })
    expect(nowhere).toMatchObject({ code: 1, out: '' })
    expect(existsSync(join(directory, 'clip.txt'))).toBe(false)
  })
})
