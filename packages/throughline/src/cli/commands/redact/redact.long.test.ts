import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forkSession } from '../../../session/operations/fork.ts'
import { newTestStore, testStoreWithSession, type TestStore } from '../../testing/new-store.ts'
import type { EntryDraft } from '../../../log/entry.ts'

const secret = 'sk-live-0123456789abcdef'
const says = [`Deploy with ${secret}.`, 'And now?']

/** A session that holds the secret, its fork, and one that holds nothing of it. */
async function leaked(): Promise<TestStore> {
  const store = await testStoreWithSession({ turns: 3, says })
  await store.done('compact', 'made')
  await store.inside((inner) => forkSession(inner, 'made', 'copy'))
  await store.inside((inner) => inner.append('other', [{ kind: 'pin', at: 0, text: 'nothing' }]))
  return store
}

/** Every byte of the store's files. */
function bytesOf({ directory }: TestStore): string {
  return readdirSync(directory)
    .filter((name) => name.startsWith('sessions.db'))
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('')
}

const sealed = { openai: { type: 'compaction', encryptedContent: 'gAAAAsealed' } }
const sealedMessage: EntryDraft = {
  kind: 'message',
  at: 0,
  origin: 'model',
  message: {
    role: 'assistant',
    content: [{ type: 'custom', kind: 'openai.compaction', providerOptions: sealed }],
  },
}

describe('redact', () => {
  it('takes a secret out of a session, says where, and where else it stands', async () => {
    const store = await leaked()
    const out = await store.done('redact', 'made', '--secret', secret, '--yes')
    expect(out).toMatch(/^Redacted 2 entries of made \(1, 32\)\.\n/)
    expect(out).toContain(
      'Other sessions still contain it: 2 entries of copy (1, 32). --all-sessions redacts it in all.\n',
    )
    expect(out).toContain(
      `The file that it was imported from was not changed: ${store.directory}/session.jsonl`,
    )
    expect(JSON.stringify(await store.read('made'))).not.toContain(secret)
    expect(await store.done('report', '--history', 'made', '1')).toBe(
      '=== user [1]\nDeploy with [redacted].\n',
    )
    expect(out + (await store.done('report', '--history', 'made', '--log'))).not.toContain(secret)
  })

  it('names the sessions that Throughline wrote for a client and that still hold it', async () => {
    const store = await leaked()
    const { directory, file } = store
    const env = { THROUGHLINE_STORE: file, HOME: directory }
    const inHome = (...argv: string[]) => store.run(argv, { env })
    await inHome(
      'resume',
      'made',
      '--in',
      'claude',
      '--print',
      '--keep',
      '2k',
      '--directory',
      directory,
    )
    const { out } = await inHome('redact', 'made', '--secret', secret, '--yes')
    expect(out).toMatch(
      /Not changed, and still holding it: 1 session that Throughline wrote for a client: \S+\.jsonl\.\n/,
    )
  })

  it('removes what only a provider can read, and says so', async () => {
    const store = await leaked()
    await store.inside((inner) => inner.append('made', [sealedMessage]))
    const at = (await store.read('made')).at(-1)?.seq
    const out = await store.done('redact', 'made', '--secret', secret, '--yes')
    expect(out).toContain(
      `Removed what a provider compacted and only it can read, because that may contain it: entry ${at} of made.`,
    )
    expect(bytesOf(store)).not.toContain('gAAAAsealed')
  })

  it('says the same of another session, where that alone holds the secret', async () => {
    const store = await leaked()
    await store.done('redact', 'made', '--secret', secret, '--yes')
    await store.inside((inner) => inner.append('copy', [sealedMessage]))
    const given = ['other', '--secret', secret, '--all-sessions', '--yes']
    const out = await store.done('redact', ...given)
    const at = (await store.read('copy')).findLast(({ kind }) => kind === 'message')?.seq
    expect(out).toContain(`because that may contain it: entry ${at} of copy.`)
  })

  it('takes it out of every session, and leaves no byte of it in the store', async () => {
    const store = await leaked()
    const before = await store.read('other')
    const { redacted, left } = await store.json(
      'redact',
      'other',
      '--secret',
      secret,
      '--all-sessions',
      '--yes',
    )
    expect(redacted).toEqual([
      { session: 'copy', seqs: [1, 32] },
      { session: 'made', seqs: [1, 32] },
    ])
    expect(left).toEqual([])
    expect(bytesOf(store)).not.toContain(secret)
    expect(await store.read('other')).toEqual(before)
  })

  it('takes out what a ref says, and its copies in forks', async () => {
    const store = await leaked()
    await store.done('redact', 'made', '1', '--all-sessions', '--yes')
    expect(bytesOf(store)).not.toContain(says[0])
    expect(await store.done('report', '--history', 'copy', '1')).toBe('=== user [1]\n[redacted]\n')
  })

  it.each([
    ['', secret],
    ['a line end', `${secret}\n`],
    ['a Windows line end', `${secret}\r\n`],
  ])('reads the secret from standard input, with %j behind it', async (_, input) => {
    const store = await leaked()
    const { code } = await store.run(['redact', 'made', '--secret', '-', '--yes'], {
      input,
      cwd: store.directory,
      env: { THROUGHLINE_STORE: store.file },
    })
    expect(code).toBe(0)
    expect(JSON.stringify(await store.read('made'))).not.toContain(secret)
  })

  it('reads it unseen in a terminal, and then asks', async () => {
    const store = await leaked()
    const setting = { terminal: 200, env: { THROUGHLINE_STORE: store.file } }
    const argv = ['redact', 'made', '--secret', '-']
    const no = await store.run(argv, { ...setting, typed: `${secret}\nn\n` })
    expect(no).toMatchObject({ code: 1, out: '' })
    expect(JSON.stringify(await store.read('made'))).toContain(secret)
    const yes = await store.run(argv, { ...setting, typed: `${secret}\ny\n` })
    expect(yes.code).toBe(0)
    expect(JSON.stringify(await store.read('made'))).not.toContain(secret)
    for (const { out, err } of [no, yes]) {
      expect(out + err).not.toContain(secret)
      expect(err).toContain(
        'Redact this text in 2 entries of made (1, 32)? This cannot be undone. [y/N]',
      )
    }
  })

  it('never says the secret again, whatever goes wrong', async () => {
    const store = await leaked()
    for (const argv of [
      ['redact', 'made', '--secret', secret],
      ['redact', 'none', '--secret', secret, '--yes'],
      ['redact', 'other', '--secret', secret, '--yes'],
      ['redact', 'made', '1', '--secret', secret, '--yes'],
      ['redact', 'made', '--secret', 'sk-li', '--yes'],
    ]) {
      const env = { THROUGHLINE_STORE: store.file, THROUGHLINE_DEBUG: '1' }
      const { code, out, err } = await store.run(argv, { cwd: store.directory, env })
      expect(code).toBeGreaterThan(0)
      expect(out + err).not.toContain('sk-li')
    }
  })

  it.each([
    [2, [], 'what should be redacted?'],
    [2, ['abc', '--yes'], 'to redact a text, use --secret TEXT'],
    [2, ['--secret', '-', '--yes'], 'standard input contains no secret'],
    [2, ['1'], 'Redact the text of 1 in'],
    [1, ['999', '--yes'], 'no ref "999"'],
    [1, ['--secret', 'abc', '--yes'], 'of at least 6 characters'],
    [
      1,
      ['--secret', 'nowhere to be found', '--yes'],
      'no entry of made contains this text in a form that is looked for. It cannot be found where',
    ],
  ])('ends with %d and one line, and changes nothing, at %j', async (code, options, message) => {
    const { fails, read } = await testStoreWithSession({ turns: 3, says })
    const before = await read('made')
    expect(await fails(code, ['redact', 'made', ...options])).toContain(message)
    expect(await read('made')).toEqual(before)
  })

  it('stops a megabyte that is no secret', async () => {
    const { fails, done } = newTestStore()
    await done('import', 'session.jsonl')
    const input = 'x'.repeat(1_000_001)
    const argv = ['redact', 'made', '--secret', '-', '--yes']
    expect(await fails(1, argv, { input, env: { THROUGHLINE_STORE: '/none' } })).toContain(
      'more than a megabyte cannot be a secret',
    )
  })
})
