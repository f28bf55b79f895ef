import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { harnesses } from '../../../formats/harnesses.ts'
import { readSession } from '../../../formats/reading/read-session.ts'
import { contextOf } from '../../../log/context/context.ts'
import { estimateTokens } from '../../../tokens/estimate.ts'
import { messageTokens } from '../../../tokens/message-tokens.ts'
import { main } from '../../main.ts'
import { capturedIo } from '../../testing/captured-io.ts'
import { claudeSession } from '../../testing/claude-session.ts'
import { filesBelow as allBelow } from '../../testing/files-below.ts'
import { harnessHome } from '../../testing/harness-home.ts'
import { newDirectory, newFile, runMain } from '../../testing/run-main.ts'
import { formNames, harnessNames } from '../../written/handover.ts'

const long = claudeSession({ turns: 12, steps: 6 })
const path = newFile('session.jsonl', long)

/** All files but the ledger’s, which notes what was written. */
const filesBelow: typeof allBelow = (...given) =>
  allBelow(...given).filter((file) => !/throughline[\\/]ledger/.test(file))

async function done(argv: readonly string[], setting: Parameters<typeof runMain>[1] = {}) {
  const { code, out, err } = await runMain(argv, setting)
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) })
  return { out, err }
}

async function readBack(text: string) {
  const { format, log, facts } = await readSession([text])
  const { checkpoint, items } = contextOf(log)
  return { format, log, facts, summary: checkpoint?.summary, items }
}

describe('compact --to', () => {
  it.each(formNames)('%s writes the summary and the newest words in that form', async (name) => {
    const { out, err } = await done([
      'compact',
      '--if-needed',
      path,
      '--window',
      '32k',
      '--to',
      name,
    ])
    const { format, summary, log } = await readBack(out)
    expect(format).toBe(name)
    expect(summary).toMatch(/^## Goal\n/)
    const said = JSON.stringify(log)
    expect(said).toContain('Please make feature 12 work.')
    expect(said).not.toContain('value0x0x39')
    expect(err).toMatch(/^[\d,]+ → [\d,]+ tokens \(\d+%\): summarized locally/)
    expect(readFileSync(path, 'utf8')).toBe(long)
  })

  it('writes a session that fits as it is, and says so', async () => {
    const { out, err } = await done(['compact', '--if-needed', path, '--to', 'pi'])
    const { summary, log } = await readBack(out)
    // One more says which tools do the same work.
    expect({ summary, messages: log.length }).toEqual({ summary: undefined, messages: 169 })
    expect(err).toMatch(
      /^Small enough already: [\d,]+ tokens, written with the tools of pi\. Without --if-needed/,
    )
  })

  it('calls the tools of another harness as that harness does, and keeps its own', async () => {
    const { out: other } = await done(['compact', path, '--to', 'pi'])
    expect(other).toContain('"type":"toolCall"')
    expect(other).not.toMatch(/"name":"(?:Read|Edit|Bash)"/)
    const { out: same } = await done(['compact', path, '--to', 'claude-code'])
    expect(same).toMatch(/"name":"(?:Read|Edit|Bash)"/)
  })

  it.each([
    ['claude-code', '"customTitle":"Please make feature 1 work'],
    ['pi', '"name":"Please make feature 1 work'],
    ['qwen-code', '"customTitle":"Please make feature 1 work'],
    ['opencode', '"title": "Please make feature 1 work'],
    ['codex', '"thread_name":"Please make feature 1 work'],
    ['gemini-cli', '"summary":"Please make feature 1 work'],
    ['cn', '"title": "Please make feature 1 work'],
  ])('is called in %s what the original was called, and compacted', async (to, title) => {
    const { out } = await done(['compact', path, '--to', to])
    const line = out.split('\n').find((each) => each.includes(title))
    expect(line).toContain(' · compacted"')
  })

  it.each(['2k', '6k'])('holds no more than --keep %s', async (keep) => {
    const { out } = await done(['compact', '--if-needed', path, '--keep', keep, '--to', 'codex'])
    const { summary = '', log } = await readBack(out)
    const tokens = log.reduce(
      (sum, entry) =>
        entry.kind === 'message' ? sum + messageTokens(entry.message, estimateTokens) : sum,
      estimateTokens(summary),
    )
    expect(tokens).toBeLessThanOrEqual(Number.parseInt(keep, 10) * 1000)
  })

  it('takes -o, the short name of a harness, and JSON that no terminal obeys', async () => {
    const target = join(newDirectory(), 'session.jsonl')
    const hostile = newFile(
      's.jsonl',
      claudeSession({ turns: 6, text: '\x9b31m\u202eevil\x1b[2J' }),
    )
    await done(['compact', '--if-needed', hostile, '--to', 'claude', '-o', target])
    const text = readFileSync(target, 'utf8')
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
    expect(JSON.stringify((await readBack(text)).log)).toContain('\u202eevil')
  })

  it('says in a plan where it would go, and writes nothing', async () => {
    const { home, env } = harnessHome()
    const argv = ['compact', path, '--to', 'codex', '--install', '--dry-run']
    const { out } = await done(argv, { env, cwd: home })
    expect(out).toContain(`continues  in Codex, in ${home}`)
    expect(filesBelow(home)).toEqual([])
  })
})

/** What a client needs beside a session. */
const besides = /\/(?:workspace\.yaml|session_index\.jsonl|state\.json|([^/]+)\/\1\.json)$/

/** The folder of a session: its file's, and of one that keeps its agents apart, theirs. */
function sessionOf(file = ''): string {
  return dirname(file).replace(/\/agents\/main$/, '')
}

describe('compact --install', () => {
  it.each(harnessNames)('puts it where %s finds it, and prints how to go on', async (name) => {
    const { home, env } = harnessHome()
    const argv = ['compact', '--if-needed', path, '--window', '32k', '--to', name, '--install']
    const { out, err } = await done(argv, { env, cwd: home })
    const [file = '', ...others] = filesBelow(home).filter((made) => !besides.test(made))
    expect(others).toEqual([])
    const { summary, format } = await readBack(readFileSync(join(home, file), 'utf8'))
    expect({ format, summary }).toEqual({
      format: name,
      summary: expect.stringMatching(/^## Goal/),
    })
    expect(err).toMatch(/\n {2}(?:installed|written to) +\S/)
    const commands = out.trimEnd().split('\n')
    expect(
      commands.every((line) =>
        /^(?:claude|codex|opencode|pi|copilot|gemini|qwen|kimi|cn|cline) /.test(line),
      ),
    ).toBe(true)
    if (name.startsWith('opencode') || name === 'gemini-cli') {
      expect(out).toContain(join(home, file))
      return
    }
    const inspected = await done(['report', '--fill', `${name}:latest`], {
      env,
      cwd: newDirectory(),
    })
    expect(inspected.out).toContain('summary')
  })

  it('never does it twice to one place', async () => {
    const { home, env } = harnessHome()
    const argv = ['compact', path, '--to', 'claude', '--install']
    await done(argv, { env, cwd: home })
    await done(argv, { env, cwd: home })
    expect(filesBelow(home)).toHaveLength(2)
  })

  it('tells a program', async () => {
    const { home, env } = harnessHome()
    const argv = [
      'compact',
      '--if-needed',
      path,
      '--to',
      'claude',
      '--install',
      '--keep',
      '4k',
      '--json',
    ]
    const { out, err } = await done(argv, { env, cwd: home })
    const { session, file, tokens, ...rest } = JSON.parse(out)
    expect(err).toBe('')
    expect(rest).toEqual({
      version: 1,
      harness: 'claude-code',
      how: 'placed',
      directory: home,
      commands: [['claude', '--resume', session]],
    })
    expect(readFileSync(file, 'utf8')).toContain(session)
    expect(tokens.after).toBeLessThan(tokens.before)
  })

  it('goes on in the directory of the session, or in another one that is named', async () => {
    const { home, env } = harnessHome()
    const own = realpathSync(newDirectory())
    const other = realpathSync(newDirectory())
    const there = newFile('s.jsonl', long.replaceAll('/code/app', own))
    const argv = ['compact', there, '--to', 'claude', '--install']
    const { out } = await done(argv, { env, cwd: home })
    expect(out).toMatch(new RegExp(`^cd ${own} && claude --resume [\\w-]+\n$`))
    const named = await done([...argv, '--directory', other], { env, cwd: home })
    expect(named.out).toMatch(new RegExp(`^cd ${other} && `))
    const here = await done([...argv, '--directory', '.'], { env, cwd: other })
    expect(here.out).toMatch(/^claude --resume /)
    const slugs = filesBelow(join(home, '.claude/projects')).map((file) => file.split('/')[0])
    const slug = (directory: string): string => directory.replace(/\W|_/g, '-')
    expect(slugs).toEqual([slug(own), slug(other), slug(other)].sort())
  })

  it('runs no program in a directory that only the session names', async () => {
    const { home, env } = harnessHome()
    const there = newFile('s.jsonl', long.replaceAll('/code/app', newDirectory()))
    const argv = ['compact', there, '--to', 'opencode', '--install']
    const { out, err } = await done(argv, { env, cwd: home })
    expect(err).toContain('opencode loads files from the directory that the session names')
    expect(out).toMatch(/^cd \S+ && opencode import \S+\.json\nopencode --session ses_\w+\n$/)
  })

  it('changes nothing that is there, the session least of all', async () => {
    const { home, env, put } = harnessHome()
    const file = put('claude-code', 'f0000000-0000-4000-8000-000000000001', long)
    await done(['compact', 'claude:latest', '--to', 'claude', '--install'], {
      env,
      cwd: home,
    })
    expect(readFileSync(file, 'utf8')).toBe(long)
    expect(filesBelow(home)).toHaveLength(2)
  })

  it('writes nothing after Ctrl-C', async () => {
    const { home, env } = harnessHome()
    const { io, err, interrupt } = capturedIo({
      env,
      cwd: home,
      terminal: 80,
      onErr: (text) => text.includes('installing for') && interrupt(),
    })
    expect(await main(['compact', '--if-needed', path, '--to', 'claude', '--install'], io)).toBe(
      130,
    )
    expect(err()).toContain('interrupted; nothing was written.')
    expect(filesBelow(home)).toEqual([])
  })

  it('says so where no home is known, or something is in its way', async () => {
    const argv = ['compact', path, '--to', 'codex', '--install']
    const nowhere = await runMain(argv, { cwd: newDirectory() })
    expect(nowhere).toMatchObject({ code: 1, out: '' })
    expect(nowhere.err).toMatch(
      /^throughline: it is not known where .*, because no home directory is set/m,
    )
    const { home, env } = harnessHome()
    writeFileSync(join(home, '.codex'), '')
    const blocked = await runMain(argv, { env, cwd: home })
    expect(blocked).toMatchObject({ code: 1, out: '' })
    expect(blocked.err).toMatch(
      /^throughline: \S+ cannot be written \(\w+\), and nothing was left there/m,
    )
  })
})

const hostileDirectories = [
  '../../..',
  '/../../../../etc',
  '/',
  '\0',
  `/${'x'.repeat(10_000)}`,
  '~',
  '$(touch owned)',
  "'; touch owned; '",
  '//host/share',
  'C:\\..\\..\\Windows',
  '\x1b[2J\u202e',
]

describe('a session that lies about where it is', () => {
  it.each(harnesses.map(({ name }) => name))(
    'never makes a file outside of the folder of %s',
    async (name) => {
      for (const lie of hostileDirectories) {
        const around = newDirectory()
        const home = join(around, 'home')
        const cwd = join(around, 'work')
        mkdirSync(home)
        mkdirSync(cwd)
        const lying = claudeSession({ turns: 4 })
          .replaceAll('"/code/app"', JSON.stringify(lie))
          .replaceAll('"made"', JSON.stringify(lie))
        const env = { HOME: home, USERPROFILE: home }
        const argv = ['compact', '-', '--to', name, '--install']
        const { out, err } = await done(argv, { env, cwd, input: lying })
        const all = filesBelow(around)
        const made = all.filter((file) => !besides.test(file))
        expect(made).toHaveLength(1)
        // The list of Codex stands above the folders of its sessions.
        const own = all.filter((file) => file !== 'home/.codex/session_index.jsonl')
        for (const file of own) expect(file.startsWith(sessionOf(made[0]))).toBe(true)
        expect(made[0]).toMatch(
          /^home\/\.(?:claude|codex|pi|copilot|qwen|kimi-code|continue|cline|local\/share\/throughline)\//,
        )
        expect(out + err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
      }
    },
  )
})

describe('wrong usage', () => {
  it.each([
    [['--to', 'cluade-code'], '--to must be one of claude-code, codex, '],
    [['--to', 'codxe'], 'did you mean codex?'],
    [['--install'], '--install needs --to'],
    [['--directory', '.'], '--directory needs --to'],
    [['--to', 'openai-chat', '--install'], '--install is for harnesses'],
    [['--to', 'codex', '--install', '-o', 'x'], 'omit -o'],
    [['--to', 'codex', '--format', 'text'], 'omit --format'],
    [['--to', 'codex', '--json'], '--json only works with --install or --dry-run'],
  ])('%j is said in one line', async (options, message) => {
    const { code, out, err } = await runMain(['compact', '--if-needed', path, ...options])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).toMatch(/^throughline: [^\n]*\n$/)
  })

  it('is a directory that is not there', async () => {
    const { code, err } = await runMain([
      'compact',
      '--if-needed',
      path,
      '--to',
      'pi',
      '--directory',
      'none',
    ])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'throughline: --directory none: there is no such directory.\n',
    })
  })
})
