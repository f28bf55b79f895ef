// cli.mjs SEED SIZE: the command with odd input, Ctrl-C in the middle, closed pipes, no HOME. Exit codes are 0, 1, 2 or
// 130; an error is one line and no stack; Ctrl-C ends it within 0.5 s; head -1 makes no error; text has no control characters.
import { spawn } from 'node:child_process'
import { sqliteStore } from 'throughline/sqlite'
import { exportSession } from 'throughline/formats'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, allFiles, cli } from './lib.mjs'
const { seed, size, flags } = args()
const F = new Findings(),
  start = Date.now(),
  limit = size === 'long' ? 170_000 : 20_000,
  r = rng(seed)
const d = tempdir('cli'),
  home = path.join(d, 'home')
fs.mkdirSync(home)
const base = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' }

function run(a, o = {}) {
  return new Promise((done) => {
    const t0 = Date.now()
    let intAt = 0,
      hung = false
    const c = spawn(process.execPath, [...(o.argv0 ?? []), cli, ...a], {
      env: o.env ?? base,
      cwd: o.cwd ?? d,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const out = [],
      err = []
    let n = 0
    c.stdout.on('data', (x) => {
      out.push(x)
      n += x.length
      if (o.closeAfter !== undefined && n >= o.closeAfter) c.stdout.destroy()
    })
    if (o.closeAfter === 0) c.stdout.destroy()
    c.stderr.on('data', (x) => err.push(x))
    if (o.closeErr) c.stderr.destroy()
    c.stdin.on('error', () => {})
    if (o.input !== undefined) c.stdin.end(o.input)
    else if (o.intAt === undefined) c.stdin.end()
    const w = setTimeout(() => {
      hung = true
      c.kill('SIGKILL')
    }, o.limit ?? 30_000)
    let t
    if (o.intAt !== undefined)
      t = setTimeout(() => {
        intAt = Date.now()
        c.kill('SIGINT')
      }, o.intAt)
    c.on('close', (code, sig) => {
      clearTimeout(w)
      clearTimeout(t)
      F.count('runs')
      const q = {
        code,
        sig,
        out: Buffer.concat(out),
        err: Buffer.concat(err).toString(),
        ms: Date.now() - t0,
      }
      if (intAt) q.afterInt = Date.now() - intAt
      if (hung) F.broken('a hang', seed, a.join(' ').slice(0, 200))
      done(q)
    })
  })
}
const show = (a) => JSON.stringify(a).slice(0, 220)
function check(a, x, what = '') {
  if (x.sig) {
    F.broken('ended by a signal', seed, `${what} ${show(a)} ${x.sig}`)
    return
  }
  F.count(`exit ${x.code}`)
  if (![0, 1, 2, 130].includes(x.code))
    F.broken(
      'an exit code that is not documented',
      seed,
      `${what} ${show(a)} ${x.code} ${x.err.slice(0, 200)}`,
    )
  if (
    /\n\s+at .*(:\d+:\d+|node:internal)/.test(x.err) ||
    /\b(TypeError|RangeError|ReferenceError|ENOTDIR|Unhandled|ERR_[A-Z_]+)\b/.test(x.err)
  )
    F.broken('a stack or a foreign error', seed, `${what} ${show(a)}: ${x.err.slice(0, 300)}`)
  if (x.code === 1 || x.code === 2) {
    const e = x.err
      .trimEnd()
      .split('\n')
      .filter((l) => l.startsWith('throughline: '))
    const rest = x.err
      .trimEnd()
      .split('\n')
      .filter((l) => l && !l.startsWith('throughline: '))
    if (!x.err.trim() && !x.out.length)
      F.broken('a failure without a word', seed, `${what} ${show(a)}`)
    else if (e.length === 0 && x.code === 2) F.count('usage error of other form')
    if (x.code === 1 && rest.length && e.length) F.count('lines beside the error')
    if (e.length > 1) F.count('several error lines')
  }
  const text = x.out.toString() + x.err
  const json =
    a.includes('--json') || a.includes('ai-sdk') || a[0] === 'export' || a.includes('--to')
  const bad = [
    ...text.matchAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g),
  ]
  if (bad.length)
    F.broken(
      json ? 'raw control characters in JSON' : 'control characters in text',
      seed,
      `${what} ${show(a)}: ${[...new Set(bad.map((m) => m[0].charCodeAt(0).toString(16)))].join(' ')} near ${JSON.stringify(text.slice(Math.max(0, bad[0].index - 40), bad[0].index + 20))}`,
    )
  if (a.includes('--json') && x.code === 0 && x.out.length)
    try {
      JSON.parse(x.out.toString())
    } catch {
      F.broken('--json is no JSON', seed, `${what} ${show(a)}: ${x.out.toString().slice(0, 120)}`)
    }
}
// what to work on
const evil =
  'Look \x1b[31mred\x1b[0m \x1b]0;title\x07 \u202Eevil\u202C \x00nul \x9b31m c1 \r cr \b bs \u2066iso\u2069 lone \ud800 end 👩‍👩‍👧 é'
const st = sqliteStore({ file: path.join(d, 'store.db') })
for (const id of ['made', 'other name', 'evil\x1b[31m\u202Ename', '-dash', '../up', 'sämé']) {
  await st.append(id, [
    {
      kind: 'message',
      at: 1_790_000_000_000,
      origin: 'human',
      message: { role: 'user', content: id === 'made' ? 'Fix the parser. Never push.' : evil },
    },
  ])
  for (let i = 0; i < 30; i++)
    await st.append(id, [
      {
        kind: 'message',
        at: 1_790_000_000_000 + i,
        origin: 'model',
        finish: 'tool-calls',
        message: {
          role: 'assistant',
          content: [
            { type: 'text', text: `Step ${i} ${id === 'made' ? '' : evil}` },
            {
              type: 'tool-call',
              toolCallId: `c${i}`,
              toolName: id === 'made' ? 'Bash' : `Bash${'\x1b[1m'}`,
              input: { command: `cat f${i} ${id === 'made' ? '' : evil}` },
            },
          ],
        },
      },
      {
        kind: 'message',
        at: 1_790_000_000_000 + i,
        origin: 'tool',
        message: {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: `c${i}`,
              toolName: 'Bash',
              output: {
                type: 'text',
                value: `out ${i} `.repeat(200) + (id === 'made' ? '' : evil),
              },
            },
          ],
        },
      },
      {
        kind: 'message',
        at: 1_790_000_000_000 + i,
        origin: 'human',
        message: { role: 'user', content: `And now part ${i}: ${id === 'made' ? 'go on' : evil}` },
      },
    ])
}
const lines = []
for await (const l of exportSession(st, 'made')) lines.push(l)
const lines2 = []
for await (const l of exportSession(st, 'other name')) lines2.push(l)
st.close()
const f1 = path.join(d, 'session.jsonl'),
  f2 = path.join(d, 'evil\x1b[31m\u202E\n name.jsonl')
fs.writeFileSync(f1, lines.join(''))
fs.writeFileSync(f2, lines2.join(''))
fs.writeFileSync(path.join(d, 'empty'), '')
fs.writeFileSync(
  path.join(d, 'binary'),
  Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255)),
)
fs.writeFileSync(path.join(d, 'html'), '<html>')
fs.mkdirSync(path.join(d, 'dir'))
fs.writeFileSync(path.join(d, 'null.json'), 'null')
fs.writeFileSync(path.join(d, 'arr.json'), '[]')
fs.writeFileSync(path.join(d, 'deep.json'), '['.repeat(200000) + ']'.repeat(200000))
fs.writeFileSync(path.join(d, 'bom.jsonl'), '\ufeff' + lines.join(''))
fs.writeFileSync(path.join(d, 'u16.jsonl'), Buffer.from(lines.join(''), 'utf16le'))
fs.writeFileSync(
  path.join(d, 'proto.json'),
  '[{"role":"user","content":"a","__proto__":{"x":1}},{"role":"constructor","content":"b"}]',
)
fs.symlinkSync(path.join(d, 'loop'), path.join(d, 'loop'))
fs.writeFileSync(path.join(d, 'noread'), 'x', { mode: 0 })
const big = path.join(d, 'big.jsonl')
{
  const w = fs.createWriteStream(big)
  for (let k = 0; k < 1; k++) {
    w.write(
      JSON.stringify({ throughline: 'session', version: 1, id: 'big', entries: 24000 }) + '\n',
    )
    for (let i = 1; i <= 24000; i++)
      w.write(
        JSON.stringify({
          seq: i,
          kind: 'message',
          at: i,
          message:
            i % 2
              ? {
                  role: 'user',
                  content: `Message ${i} about src/file${i}.ts ${'and more words of it '.repeat(30)}`,
                }
              : { role: 'assistant', content: `Answer ${i} ${'text of the answer '.repeat(40)}` },
          origin: i % 2 ? 'human' : 'model',
        }) + '\n',
      )
  }
  await new Promise((x) => w.end(x))
}
const S = ['--store', path.join(d, 'store.db')]
const commands = [
  'resume',
  'list',
  'search',
  'handoff',
  'compact',
  'inspect',
  'report',
  'import',
  'sessions',
  'show',
  'recall',
  'undo',
  'pin',
  'unpin',
  'redact',
  'delete',
  'export',
  'install',
  'status',
  'statusline',
  'doctor',
  'uninstall',
  'run',
  'serve',
  'mcp',
  'config',
  'view',
]
const oddArgs = [
  '',
  ' ',
  '-',
  '--',
  '-1',
  '0',
  'NaN',
  '1e309',
  '99999999999999999999',
  '../../../etc/passwd',
  '/dev/null',
  '/',
  '.',
  'dir',
  'empty',
  'binary',
  'html',
  'null.json',
  'arr.json',
  'deep.json',
  'bom.jsonl',
  'u16.jsonl',
  'proto.json',
  'loop',
  'noread',
  'made',
  'other name',
  '-dash',
  '../up',
  'sämé',
  'evil',
  '__proto__',
  'constructor',
  'toString',
  'latest',
  'claude:',
  'claude:latest',
  'codex:latest',
  'nope:latest',
  ':',
  'x'.repeat(5000),
  'a\x1b[31mb',
  '\u202Eabc',
  '\ud800',
  '💥',
  'made:1',
  '1.2',
  '1-',
  '-5-3',
  '3-1',
  '%00',
  "'; DROP TABLE sessions; --",
  '*',
  '"',
  '$(id)',
  '`id`',
  'null',
  'undefined',
  f1,
  f2,
]
const opts = [
  '--json',
  '--keep',
  '--window',
  '--store',
  '--to',
  '--format',
  '--as',
  '--at',
  '--ref',
  '--secret',
  '--limit',
  '-n',
  '--since',
  '--in',
  '--path',
  '--tokens',
  '--offset',
  '--prices',
  '--top',
  '--focus',
  '-o',
  '--output',
  '--config',
  '--no-config',
  '--dry-run',
  '--yes',
  '--all',
  '--here',
  '--help',
  '-h',
  '--version',
  '--nope',
  '--keep=',
  '--keep=8k',
  '--window=32k',
  '--json=1',
  '-x',
  '---',
  '--directory',
  '--exam',
  '--fail-under',
  '--port',
  '--context',
  '--log',
  '--text',
  '--tool',
  '--model',
  '--base-url',
  '--if-needed',
  '--quiet',
  '-q',
]
// interactive or long-running ones get a Ctrl-C or no stdin
const jobs = []
const env = (o) => {
  const e = { ...base, ...o }
  for (const k of Object.keys(e)) if (e[k] === undefined) delete e[k]
  return e
}
// 1. fixed: every command with no arguments, help, and missing or odd homes
for (const c of commands) {
  if (['serve', 'view', 'mcp', 'run', 'doctor'].includes(c)) continue
  jobs.push(async () => {
    const a = [c, ...S]
    const noStore = ['list', 'install', 'status', 'statusline', 'doctor', 'uninstall'].includes(c)
      ? [c]
      : a
    check(noStore, await run(noStore), 'no arguments')
  })
  jobs.push(async () => {
    const a = [c, '--help']
    const x = await run(a)
    check(a, x)
    if (x.code !== 0) F.broken('--help fails', seed, c)
  })
  for (const [name, e] of [
    ['no HOME', { HOME: undefined }],
    ['HOME empty', { HOME: '' }],
    ['HOME is a file', { HOME: f1 }],
    ['HOME relative', { HOME: 'rel/home' }],
    ['HOME missing dir', { HOME: '/nonexistent/x' }],
    ['HOME odd', { HOME: path.join(d, `it's a "home" $x`) }],
  ])
    jobs.push(async () => {
      const a = [
        'search',
        'compact',
        'inspect',
        'show',
        'export',
        'report',
        'import',
        'recall',
        'handoff',
      ].includes(c)
        ? c === 'handoff'
          ? [c, f1, '--to', 'codex']
          : c === 'search'
            ? [c, 'parser']
            : c === 'export' || c === 'recall'
              ? [c, 'made', ...(c === 'recall' ? ['parser'] : []), ...S]
              : c === 'report'
                ? [c, f1, '--text']
                : [c, f1, ...(c === 'import' ? ['--store', path.join(d, `i${r.int(1e9)}.db`)] : [])]
        : [c]
      check(a, await run(a, { env: env(e) }), name)
    })
}
// 2. closed pipes
for (const a of [
  ['compact', f1],
  ['show', 'made', ...S],
  ['export', 'made', ...S],
  ['inspect', f1],
  ['report', f1, '--text'],
  ['compact', big, '--to', 'codex'],
  ['show', big],
  ['show', big, '--json'],
  ['--help'],
  ['compact', big, '--json'],
  ['sessions', ...S],
  ['search', 'parser', ...S],
  ['config'],
])
  for (const n of [0, 1, 70000])
    jobs.push(async () => {
      const x = await run(a, { closeAfter: n })
      check(a, { ...x, out: Buffer.alloc(0) }, `pipe closed after ${n}`)
      if (/EPIPE|Error/.test(x.err))
        F.broken('a closed pipe makes an error', seed, `${show(a)} ${x.err.slice(0, 200)}`)
      F.count('closed pipes')
    })
for (const a of [
  ['compact', f1],
  ['show', 'made', ...S],
  ['inspect', f1],
])
  jobs.push(async () => {
    const x = await run(a, { closeErr: true })
    check(a, x, 'stderr closed')
    if (x.code !== 0) F.broken('a closed stderr makes it fail', seed, `${show(a)} ${x.code}`)
  })
// 3. Ctrl-C
for (const a of [
  ['compact', big],
  ['inspect', big],
  ['show', big],
  ['import', big, '--store', path.join(d, 'big.db')],
  ['report', big, '-o', path.join(d, 'x.html')],
  ['eval', big],
  ['compact', '-'],
  ['pin', 'made', '-', ...S],
  ['redact', 'made', '--secret', '-', '--yes', ...S],
  ['mcp', f1],
  ['view', f1],
  ['serve', '--port', '0'],
  ['search', 'message', '--store', path.join(d, 'store.db')],
  ['handoff', big, '--to', 'pi'],
  ['compact', big, '--to', 'opencode', '-o', path.join(d, 'o.json')],
  ['resume', big, '--print'],
  ['import', '-', '--as', 'x', ...S],
])
  for (let k = 0; k < 6; k++)
    jobs.push(async () => {
      const at = k === 0 ? 40 : k === 1 ? 120 : 150 + r.int(1800)
      const x = await run(a, { intAt: at })
      F.count('interrupted')
      if (x.afterInt !== undefined) {
        if (x.afterInt > 500)
          F.broken('Ctrl-C took more than 0.5 s', seed, `${show(a)} at ${at} ms: ${x.afterInt} ms`)
        if (x.sig === 'SIGINT') F.count('killed by SIGINT itself')
        else if (![130, 0].includes(x.code))
          F.broken(
            'another exit code after Ctrl-C',
            seed,
            `${show(a)} at ${at}: ${x.code} ${x.err.slice(0, 160)}`,
          )
        else F.count(`after Ctrl-C ${x.code}`)
      }
      if (/\n\s+at /.test(x.err)) F.broken('a stack', seed, `${show(a)} ${x.err.slice(0, 200)}`)
      const left = allFiles(d).filter((f) => /\.tmp|~$|\.part|partial/.test(f))
      if (left.length) F.broken('a temporary file is left after Ctrl-C', seed, left.join(' '))
    })
// 4. odd input at random
const random = async () => {
  const c = r.pick(
    commands.filter((x) => !['serve', 'view', 'run', 'install', 'uninstall', 'doctor'].includes(x)),
  )
  const a = [c]
  for (let k = r.int(4); k > 0; k--) a.push(r.int(3) ? r.pick(oddArgs) : r.pick(opts))
  if (r.int(3) === 0) a.push(r.pick(opts), r.pick(oddArgs))
  if (r.int(2)) a.push(...S)
  if (a.some((x) => x.includes('\0'))) return
  // never overwrite what the others need
  const o = a.findIndex((x) => x === '-o' || x === '--output')
  if (o >= 0)
    a[o + 1] = r.pick([
      path.join(d, 'dir'),
      path.join(d, 'out.txt'),
      '/nonexistent/x',
      '/dev/full',
      path.join(d, 'dir/a/b'),
    ])
  if (['delete', 'redact'].includes(c)) a.push('--store', path.join(d, 'copy.db'))
  const x = await run(a, {
    input: r.pick([undefined, '', 'text', '\0\0', lines.join('').slice(0, 3000), '{"a":', evil]),
    limit: 20_000,
  })
  check(a, x)
}
fs.copyFileSync(path.join(d, 'store.db'), path.join(d, 'copy.db'))
const fixed = [...jobs]
for (let i = fixed.length - 1; i > 0; i--) {
  const j = r.int(i + 1)
  ;[fixed[i], fixed[j]] = [fixed[j], fixed[i]]
}
const lanes = [0, 1].map(async () => {
  while (Date.now() - start < limit) {
    const j = flags.has('random') ? undefined : fixed.pop()
    if (j && (size === 'long' ? true : r.int(3) > 0)) await j()
    else await random()
  }
})
await Promise.all(lanes)
F.count('fixed left', fixed.length)
fs.rmSync(d, { recursive: true, force: true })
F.end({ seconds: Math.round((Date.now() - start) / 1000) })
