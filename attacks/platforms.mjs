// platforms.mjs SEED SIZE: odd paths and names, odd homes, read-only places, a full disk, a clock that goes backwards.
import { openSession, forkSession, memoryStore, recall } from 'throughline'
import { sqliteStore } from 'throughline/sqlite'
import { jsonLinesStore } from 'throughline/stores'
import {
  exportSession,
  readSession,
  writtenSession,
  harnesses,
  apiWriters,
  readStored,
} from 'throughline/formats'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { rng, args, Findings, tempdir, cli, allFiles, toolMessage } from './lib.mjs'
const { seed, size, flags } = args()
const F = new Findings(),
  start = Date.now(),
  limit = size === 'long' ? 170_000 : 18_000
const d = tempdir('platforms')
const own = (e) => typeof e?.code === 'string' && e.constructor?.code === e.code
const foreign = (what, sd, e) => {
  if (!own(e))
    F.broken(
      'foreign error',
      sd,
      `${what}: ${e?.name} ${e?.code} ${String(e?.message ?? e).slice(0, 200)} ${String(e?.stack).split('\n')[1]?.trim()}`,
    )
  else {
    F.count(`error ${e.code}${e.failure ? ' ' + e.failure : ''}`)
    if (String(e.message).length < 25)
      F.broken('an error does not say what to do', sd, `${what}: ${e.message}`)
  }
}
const stores = (n) => [
  ['memory', memoryStore()],
  ['sqlite', sqliteStore({ file: path.join(d, `${n}.db`) })],
  ['jsonl', jsonLinesStore({ directory: path.join(d, `${n}-j`) })],
]
const roots = [
  ['posix', '/w/app', '/'],
  ['drive', 'C:\\w\\app', '\\'],
  ['drive /', 'C:/w/app', '/'],
  ['drive lower', 'c:\\w\\app', '\\'],
  ['unc', '\\\\server\\share\\app', '\\'],
  ['long', '\\\\?\\C:\\w\\app', '\\'],
  ['wsl', '/mnt/c/w/app', '/'],
  ['msys', '/c/w/app', '/'],
  ['spaces', '/w/it\'s a "dir" $x', '/'],
]
const names = [
  ['plain', 'parser'],
  ['nfd', 'cafe\u0301'],
  ['nfc', 'caf\u00e9'],
  ['emoji zwj', '👩‍👩‍👧‍👦'],
  ['bidi', 'a\u202Eb\u202Cc'],
  ['control', 'a\x1b[31mb'],
  ['newline', 'a\nb'],
  ['cr', 'a\rb'],
  ['tab', 'a\tb'],
  ['nul', 'a\0b'],
  ['lone high', 'a\ud83db'],
  ['lone low', 'a\udc00b'],
  ['surrogates swapped', 'a\udc00\ud800b'],
  ['very long', 'n'.repeat(5000)],
  ['quote', `a"b'c\`d`],
  ['dollar', '$(rm -rf x)'],
  ['brackets', 'a[1]{2}(3)'],
  ['ref like', '[12.0]'],
  ['markdown', '# a *b* <c>'],
  ['tags', '</prior-conversation-summary>'],
  ['dots', '..'],
  ['space end', 'a '],
  ['ls ps', 'a\u2028b\u2029c'],
  ['fffd', 'a\ufffdb'],
  ['bom', '\ufeffa'],
  ['hangul jamo', '\u1112\u1161\u11ab'],
  ['turkish', 'İı'],
  ['rtl', 'שלום'],
  ['zero width', 'a\u200bb'],
  ['tag chars', 'a\u{e0041}b'],
  ['noncharacter', 'a\uffffb'],
]
function entries(root, sep, name, eol) {
  const f = (x) => `${root}${sep}src${sep}${name}${x}.ts`,
    o = []
  let at = 1_790_000_000_000
  const m = (x) => o.push({ kind: 'message', at: (at += 1000), ...x })
  m({
    origin: 'human',
    message: { role: 'user', content: `Please fix ${f('A')}.${eol}Never touch ${f('K')}.${eol}` },
  })
  const tool = (t, input, out) => {
    const id = `c${o.length}`
    m({
      origin: 'model',
      finish: 'tool-calls',
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: `I take ${name}.` },
          { type: 'tool-call', toolCallId: id, toolName: t, input },
        ],
      },
    })
    m({
      origin: 'tool',
      message: toolMessage(id, t, out),
    })
  }
  for (let k = 0; k < 4; k++) {
    tool('Read', { file_path: f('A') }, `1\tconst a = '${name}'${eol}2\tline${eol}`.repeat(80))
    tool(
      'Edit',
      { file_path: f('A'), old_string: 'a', new_string: name },
      `The file ${f('A')} has been updated.`,
    )
    tool(
      'Write',
      { file_path: f(`B${k}`), content: name + eol },
      `File created successfully at: ${f(`B${k}`)}`,
    )
    tool(
      'Bash',
      { command: `cd "${root}" && npm test -- ${name}` },
      `ok${eol}${name}${eol}Tests 3 passed${eol}`,
    )
    m({
      origin: 'model',
      finish: 'stop',
      message: { role: 'assistant', content: `Part ${k} of ${name} is done.` },
    })
    m({ origin: 'human', message: { role: 'user', content: `Go on with part ${k + 1}, ${name}.` } })
  }
  return o
}
const wellFormed = (x) => {
  let ok = true
  JSON.stringify(x, (_, v) => {
    if (typeof v === 'string' && !v.isWellFormed()) ok = false
    return v
  })
  return ok
}
async function content(r, sd) {
  const [rn, root, sep] = r.pick(roots),
    [nn, name] = r.pick(names),
    eol = r.pick(['\n', '\r\n', '\r']),
    what = `${rn}/${nn}/${JSON.stringify(eol)}`
  const es = entries(root, sep, name, eol),
    n = `c${r.int(1e9)}`
  let summaries = []
  for (const [kind, st] of stores(n)) {
    try {
      await st.append('s', es)
      const back = await st.read('s')
      if (JSON.stringify(back.map((e) => ({ ...e, seq: undefined }))) !== JSON.stringify(es))
        F.broken('what was stored is read back differently', sd, `${what} ${kind}`)
      const s = await openSession({
        store: st,
        id: 's',
        window: { context: 16_000 },
        directories: [root],
      })
      await s.compact()
      if (!wellFormed(s.messages()))
        F.broken('a context that is not well-formed', sd, `${what} ${kind}`)
      const cp = s.context().checkpoint
      if (cp) summaries.push(cp.summary.replace(/\d{4}-\d\d-\d\dT[^ ]*/g, ''))
      const facts = await s.facts()
      const changed = [...facts.files.values()].filter((x) => x.state !== 'read').length
      const odd = !/^(plain|nfd|nfc|emoji zwj|rtl|turkish|hangul jamo|quote|dollar)$/.test(nn)
      if (!odd && changed !== 5)
        F.broken(
          'changed files are missing or doubled',
          sd,
          `${what} ${kind}: ${changed} instead of 5: ${[...facts.files.keys()]
            .map((x) => JSON.stringify(x))
            .join(' ')
            .slice(0, 300)}`,
        )
      if (!odd && nn !== 'quote' && facts.rules.length !== 1)
        F.broken(
          'the rule was not found',
          sd,
          `${what}: ${JSON.stringify(facts.rules.map((x) => x.text)).slice(0, 200)}`,
        )
      if (
        cp &&
        (String(s.messages()[0]?.content).match(/<\/prior-conversation-summary>/g) ?? []).length > 1
      )
        F.broken('a name closes the tags of the summary', sd, what)
      for (const q of [
        { words: name },
        { path: `${root}${sep}src${sep}${name}A.ts` },
        { path: `${name}A.ts` },
        { ref: '1' },
      ])
        try {
          const a = await recall(st, 's', q)
          if (/[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/.test(a.text))
            F.broken(
              'a recall answer with control characters',
              sd,
              `${what} ${JSON.stringify(a.text.match(/.{0,20}[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069].{0,20}/)?.[0])}`,
            )
          if ('path' in q && !odd && a.passages.length === 0)
            F.broken('a file is not found by its path', sd, `${what} ${JSON.stringify(q)}`)
        } catch (e) {
          foreign(`${what} recall ${Object.keys(q)}`, sd, e)
          if ('path' in q && !odd)
            F.broken(
              'a file is not found by its path',
              sd,
              `${what} ${JSON.stringify(q).slice(0, 160)}`,
            )
        }
      // export and import
      const out = []
      for await (const l of exportSession(st, 's')) out.push(l)
      const rd = await readSession([Buffer.from(out.join(''))])
      const all = await st.read('s')
      if (JSON.stringify(rd.log) !== JSON.stringify(all))
        F.broken('an export is read back differently', sd, `${what} ${kind}`)
      if (out.some((l) => /[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e]/.test(l)))
        F.count('export lines with raw control or bidi characters')
      // every format
      if (kind === 'memory')
        for (const w of [...harnesses.map((h) => h.writer), ...apiWriters]) {
          let c = 0
          try {
            const rs = await readStored(st, 's')
            const t = w.write(
              writtenSession(
                rs.log,
                { ...rs.facts, directory: root },
                {
                  kind: 'session',
                  name: 's',
                },
              ),
              {
                session: '0195d4a1-0000-7000-8000-000000000001',
                newId: () => `0195d4a1-0000-7000-8000-${String(++c).padStart(12, '0')}`,
                now: 1_790_000_100_000,
                directory: root,
              },
            ).text
            const b = await readSession([Buffer.from(t)])
            F.count('written and read')
            if (b.format !== w.name && !apiWriters.includes(w))
              F.broken('read as another format', sd, `${what} ${w.name} ${b.format}`)
            if (b.skippedCount) F.broken('its own file has damaged lines', sd, `${what} ${w.name}`)
            const last = b.log.findLast((e) => e.kind === 'message' && e.origin === 'human')
            const want = `Go on with part 4, ${name}.`.toWellFormed()
            if (
              nn !== 'nul' &&
              !JSON.stringify(last ?? '').includes(JSON.stringify(want).slice(1, -1)) &&
              !JSON.stringify(last ?? '').includes(
                JSON.stringify(`Go on with part 4, ${name}.`).slice(1, -1),
              )
            )
              F.broken(
                'the latest request is another after writing and reading',
                sd,
                `${what} ${w.name}: ${String(JSON.stringify(last?.message)).slice(0, 160)}`,
              )
          } catch (e) {
            foreign(`${what} write ${w.name}`, sd, e)
          }
        }
      F.count('contents')
    } catch (e) {
      foreign(`${what} ${kind}`, sd, e)
    } finally {
      st.close?.()
    }
  }
  if (new Set(summaries).size > 1)
    F.broken('the same log gives other summaries in other stores', sd, what)
}
async function ids(r, sd) {
  const groups = [
    ['\ud800', '\ud801', '\ufffd', '\udc00'],
    ['a\0b', 'a', 'a\0', 'a\0c'],
    ['caf\u00e9', 'cafe\u0301'],
    ['A', 'a'],
    ['a', 'a ', ' a', 'a\n'],
    ['x'.repeat(300), 'x'.repeat(301)],
    ['../s', 's', './s', 's/', '/s'],
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
    ['con', 'CON', 'nul', 'aux.txt'],
    ['1', '1.0', '01'],
    ['a/b', 'a\\b', 'a:b', 'a*b'],
    ['', ' '],
    ['\u202Ea', 'a'],
    ['x'.repeat(100_000), 'x'.repeat(100_001)],
    ["a'b", 'a"b', 'a`b', 'a--'],
    ['🙂', '\ud83d', '\ude42'],
  ]
  const g = r.pick(groups),
    n = `i${r.int(1e9)}`
  for (const [kind, st] of stores(n)) {
    const ok = new Map()
    for (const id of g)
      try {
        await st.append(id, [
          { kind: 'pin', at: 1, text: `of ${JSON.stringify(id).slice(0, 40)} ${id.length}` },
        ])
        ok.set(id, `of ${JSON.stringify(id).slice(0, 40)} ${id.length}`)
      } catch (e) {
        foreign(`${kind} id ${JSON.stringify(id).slice(0, 40)}`, sd, e)
      }
    for (const [id, t] of ok)
      try {
        const es = await st.read(id)
        if (es.length !== 1 || es[0].text !== t)
          F.broken(
            'two names are one session',
            sd,
            `${kind} ${JSON.stringify(id).slice(0, 40)}: ${JSON.stringify(es.map((e) => e.text))}`,
          )
      } catch (e) {
        foreign(`${kind} read ${JSON.stringify(id).slice(0, 40)}`, sd, e)
      }
    try {
      const l = (await st.sessions()).map((x) => x.id)
      for (const id of ok.keys())
        if (!l.includes(id))
          F.broken(
            'a session is listed under another name',
            sd,
            `${kind} ${JSON.stringify(id).slice(0, 40)} not in ${JSON.stringify(l).slice(0, 160)}`,
          )
    } catch (e) {
      foreign(`${kind} sessions`, sd, e)
    }
    try {
      if (ok.size > 1) {
        const [a, b] = [...ok.keys()]
        await st.remove(a)
        if ((await st.read(b)).length === 0)
          F.broken(
            'removing one session removed another',
            sd,
            `${kind} ${JSON.stringify([a, b]).slice(0, 80)}`,
          )
      }
    } catch (e) {
      foreign(`${kind} remove`, sd, e)
    }
    F.count('names')
    st.close?.()
  }
}
const run = (a, env, cwd = d, input = '') => {
  const x = spawnSync(process.execPath, [cli, ...a], {
    env: { PATH: process.env.PATH, ...env },
    cwd,
    encoding: 'utf8',
    input,
    timeout: 60_000,
    maxBuffer: 1e9,
  })
  F.count('commands')
  return x
}
async function homes(r, sd) {
  const f = path.join(d, 'h.jsonl')
  if (!fs.existsSync(f)) {
    const m = memoryStore()
    await m.append('s', entries('/w', '/', 'x', '\n'))
    const out = []
    for await (const l of exportSession(m, 's')) out.push(l)
    fs.writeFileSync(f, out.join(''))
  }
  const name = r.pick([
    'with space',
    `it's "q"`,
    'a$b`c',
    'new\nline',
    'ü€😀',
    'cafe\u0301',
    '-dash',
    '#hash',
    'a%20b',
    'a;b&c|d',
    '*?[x]',
    'back\\slash',
    'tab\tx',
    '~',
    ' lead',
    'a:b',
    'x'.repeat(200),
    '\x1b[31m',
    '\u202Erev',
  ])
  const home = path.join(d, 'homes', name)
  fs.mkdirSync(home, { recursive: true })
  const s = run(['import', f, '--as', 'one'], { HOME: home })
  if (s.status !== 0) {
    F.broken(
      'import fails in an odd HOME',
      sd,
      `${JSON.stringify(name)}: ${s.stderr.slice(0, 200)}`,
    )
    return
  }
  for (const a of [
    ['sessions'],
    ['show', 'one'],
    ['compact', 'one', '--keep', '4k'],
    ['undo', 'one'],
    ['search', 'parser', '--json'],
    ['config'],
    ['status'],
    ['redact', 'one', '--secret', 'Tests 3 passed', '--yes'],
    ['handoff', 'one', '--to', 'claude-code', '--install'],
    ['handoff', 'one', '--to', 'codex', '--install', '--json'],
    ['list', '--json'],
    ['delete', 'one', '--yes'],
  ]) {
    const x = run(a, { HOME: home })
    if (x.status !== 0)
      F.broken(
        'a command fails in an odd HOME',
        sd,
        `${JSON.stringify(name)} ${a}: ${x.status} ${x.stderr.slice(0, 200)}`,
      )
    if (!a.includes('--json') && /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]/.test(x.stdout + x.stderr))
      F.broken(
        'control characters of a path are printed',
        sd,
        `${JSON.stringify(name)} ${a}: ${JSON.stringify((x.stdout + x.stderr).match(/.{0,30}[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e].{0,10}/)?.[0])}`,
      )
  }
  const outside = fs.readdirSync(d).filter((x) => !/^(homes|h\.jsonl|mnt|.*\.db.*|.*-j)$/.test(x))
  if (outside.length) F.broken('files outside of HOME', sd, `${JSON.stringify(name)}: ${outside}`)
}
function mounted(opts, f) {
  const m = path.join(d, 'mnt')
  fs.mkdirSync(m, { recursive: true })
  const x = spawnSync('mount', ['-t', 'tmpfs', '-o', opts, 'tmpfs', m])
  if (x.status !== 0) {
    F.count('no mount')
    return
  }
  return f(m).finally(() => {
    spawnSync('umount', ['-l', m])
  })
}
async function full(r, sd) {
  const kind = r.pick(['sqlite', 'sqlite', 'jsonl']),
    kb = r.pick([300, 800, 2500, 4200, 6500, 9000, 18_000, 24_000])
  await mounted(`size=${kb}k`, async (m) => {
    const acked = [],
      open = () =>
        kind === 'sqlite'
          ? sqliteStore({ file: path.join(m, 's.db') })
          : jsonLinesStore({ directory: path.join(m, 'j') })
    let st
    try {
      st = open()
    } catch (e) {
      if (kind === 'jsonl' && e.code === 'ENOSPC') return
      foreign(`full disk ${kb}k open ${kind}`, sd, e)
      return
    }
    const what = `${kind} ${kb}k`
    // Documented: where less than 15 MB are free, nothing is kept in reserve for a redaction.
    const hasReserve = kind === 'sqlite' && kb > 16_000
    let fails = 0
    for (let i = 0; i < 3000 && fails < 4; i++) {
      const t = `K${i}Z ${r.text(r.pick([50, 800, 6000, kb > 16_000 ? 60_000 : 800]))}`
      try {
        await st.append('s', [
          { kind: 'message', at: i, origin: 'human', message: { role: 'user', content: t } },
        ])
        acked.push(t)
      } catch (e) {
        fails++
        foreign(`${what} append`, sd, e)
        if (own(e) && e.failure && e.failure !== 'full')
          F.broken('a full disk is called something else', sd, `${what} ${e.failure}: ${e.message}`)
      }
    }
    if (fails) F.count('full disks')
    const look = async (when, less) => {
      try {
        const es = await st.read('s')
        const have = new Set(es.map((e) => String(e.message?.content)))
        for (const t of acked)
          if (!less?.has(t) && !have.has(t)) {
            F.broken(
              'acknowledged, and lost on a full disk',
              sd,
              `${what} ${when} ${t.slice(0, 20)} of ${acked.length}, read ${es.length}`,
            )
            break
          }
      } catch (e) {
        foreign(`${what} read ${when}`, sd, e)
        F.broken('a full disk cannot be read', sd, `${what} ${when}`)
      }
    }
    await look('after')
    st.close?.()
    try {
      st = open()
    } catch (e) {
      foreign(`${what} reopen`, sd, e)
      F.broken('a full store cannot be opened again', sd, `${what} ${e.message}`)
      return
    }
    await look('reopened')
    const works = {
      pin: (s) => s.pin('Never push on Friday.'),
      compact: (s) => s.compact(),
      undo: (s) => s.undo(),
      fork: () => forkSession(st, 's', 'f'),
    }
    for (const [name, work] of Object.entries(works)) {
      if (!fails) break
      try {
        await work(await openSession({ store: st, id: 's', window: { context: 100_000 } }))
        F.count(`${name} on a full disk`)
      } catch (e) {
        foreign(`${what} ${name}`, sd, e)
        F.count(`${name} ${e.code} ${e.failure ?? ''}`)
        if (own(e) && e.failure === 'full' && !/Make room/.test(e.message))
          F.broken('a full disk, and no word of what to do', sd, `${what} ${name}: ${e.message}`)
      }
      await look(`after ${name}`)
    }
    if (fails && acked.length > 5) {
      const less = new Set([acked[2]])
      try {
        const s = await openSession({ store: st, id: 's', window: { context: 100_000 } })
        const rep = await s.redact({ text: acked[2].slice(0, 40) })
        F.count('redacted on a full disk')
        if (!rep.seqs.length) F.broken('a redaction on a full disk did nothing', sd, what)
        st.close?.()
        for (const f of allFiles(m))
          if (fs.readFileSync(f).includes(acked[2].slice(5, 40)))
            F.broken(
              'bytes of a redacted text stay on a full disk',
              sd,
              `${what} ${path.basename(f)}`,
            )
        st = open()
        await look('after a redaction', less)
      } catch (e) {
        foreign(`${what} redact`, sd, e)
        if (hasReserve)
          F.broken(
            'a redaction does not work on a full disk',
            sd,
            `${what} ${acked.length} entries: ${e.code} ${e.failure} ${e.message}`,
          )
        else F.count('no redaction on a full disk')
      }
      try {
        await st.remove('s')
        F.count('deleted on a full disk')
        if ((await st.read('s')).length) F.broken('deleted, and still there', sd, what)
        st.close?.()
        for (const f of allFiles(m)) {
          const b = fs.readFileSync(f)
          if (acked.slice(3).some((t) => b.includes(t.slice(0, 25))))
            F.broken('bytes of a deleted session stay', sd, `${what} ${path.basename(f)}`)
        }
        st = open()
        await st.append('again', [{ kind: 'pin', at: 1, text: 'x' }])
      } catch (e) {
        foreign(`${what} remove`, sd, e)
        if (hasReserve)
          F.broken(
            'a deletion does not work on a full disk',
            sd,
            `${what}: ${e.code} ${e.failure} ${e.message}`,
          )
        else F.count('no deletion on a full disk')
      }
    }
    st.close?.()
    // -o is all or nothing
    const f = path.join(d, 'h.jsonl')
    if (fs.existsSync(f)) {
      const target = path.join(m, 'out.txt')
      try {
        fs.writeFileSync(target, 'before')
      } catch {}
      const had = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : undefined
      const x = run(['compact', f, '-o', target, '--no-config'], { HOME: d })
      const now = fs.existsSync(target) ? fs.readFileSync(target, 'utf8') : undefined
      if (x.status !== 0) {
        F.count('-o refused on a full disk')
        if (now !== had)
          F.broken(
            '-o left something half written',
            sd,
            `${what} ${x.stderr.slice(0, 120)} ${String(now).length}`,
          )
        if (/\n\s+at /.test(x.stderr)) F.broken('a stack', sd, x.stderr.slice(0, 200))
        const left = fs.readdirSync(m).filter((y) => /out/.test(y) && y !== 'out.txt')
        if (left.length) F.broken('a temporary file is left on a full disk', sd, `${left}`)
      }
    }
  })
}
async function readOnly(r, sd) {
  const kind = r.pick(['sqlite', 'jsonl']),
    state = r.pick(['closed', 'open', 'empty'])
  await mounted('size=20m', async (m) => {
    const open = () =>
      kind === 'sqlite'
        ? sqliteStore({ file: path.join(m, 's.db') })
        : jsonLinesStore({ directory: path.join(m, 'j') })
    if (state !== 'empty') {
      const st = open()
      await st.append('s', entries('/w', '/', 'x', '\n'))
      if (state === 'closed') st.close?.()
      else {
        fs.cpSync(m, path.join(d, 'hot'), { recursive: true })
        st.close?.()
        for (const f of fs.readdirSync(m)) fs.rmSync(path.join(m, f), { recursive: true })
        fs.cpSync(path.join(d, 'hot'), m, { recursive: true })
        fs.rmSync(path.join(d, 'hot'), { recursive: true })
      }
    }
    if (spawnSync('mount', ['-o', 'remount,ro', m]).status !== 0) {
      F.count('no remount')
      return
    }
    const what = `read-only ${kind} ${state}`
    F.count('read-only places')
    let st
    try {
      st = open()
    } catch (e) {
      if (!own(e) && kind === 'jsonl') {
        F.count(`jsonl open: ${e.code}`)
        return
      }
      foreign(`${what} open`, sd, e)
      if (state === 'closed' && kind === 'sqlite') F.count('a read-only store cannot be opened')
      const x = run(['show', 's', '--store', path.join(m, 's.db')], { HOME: d })
      F.count(`show on it: exit ${x.status}`)
      if (/\n\s+at /.test(x.stderr)) F.broken('a stack', sd, x.stderr.slice(0, 200))
      return
    }
    try {
      const es = await st.read('s')
      if (state !== 'empty' && es.length < 30)
        F.broken('a read-only store reads less', sd, `${what} ${es.length}`)
      F.count('read-only reads')
    } catch (e) {
      foreign(`${what} read`, sd, e)
    }
    for (const [n, f] of [
      ['append', () => st.append('s', [{ kind: 'pin', at: 1, text: 'x' }])],
      ['remove', () => st.remove('s')],
      ['search', () => st.search('s', { phrases: [['fix']], match: 'any', limit: 3 })],
      ['sessions', () => st.sessions()],
      ['fork', () => forkSession(st, 's', 't')],
    ])
      try {
        await f()
        if (['append', 'fork'].includes(n))
          F.broken('a write to a read-only place is acknowledged', sd, `${what} ${n}`)
      } catch (e) {
        foreign(`${what} ${n}`, sd, e)
      }
    st.close?.()
    const f = path.join(d, 'h.jsonl')
    if (fs.existsSync(f))
      for (const a of [
        ['compact', f, '-o', path.join(m, 'o.txt')],
        ['import', f, '--store', path.join(m, 'n.db')],
        ['report', f, '-o', m],
        ['search', 'parser', '--store', path.join(m, 's.db')],
        ['export', 's', '-o', m, '--store', path.join(m, 's.db')],
      ]) {
        const x = run(a, { HOME: d })
        if (/\n\s+at |TypeError/.test(x.stderr))
          F.broken('a stack', sd, `${a} ${x.stderr.slice(0, 200)}`)
        F.count(`read-only ${a[0]} exit ${x.status}`)
      }
  })
}
async function clock(r, sd) {
  for (const [kind, st] of stores(`k${r.int(1e9)}`)) {
    let t = 1_790_000_000_000
    const now = () => (t -= r.int(100_000))
    try {
      const odd = r.pick([
        0,
        -1,
        1e15,
        8.64e15,
        8.64e15 + 1,
        1.5,
        1e20,
        -8.64e15,
        Number.MAX_SAFE_INTEGER,
      ])
      for (let i = 0; i < 6; i++)
        await st.append(
          's',
          entries('/w', '/', `x${i}`, '\n')
            .slice(0, 8)
            .map((e) => ({ ...e, at: i === 3 ? odd : now() })),
        )
      const s = await openSession({ store: st, id: 's', window: { context: 12_000 }, now })
      await s.compact()
      await s.say('More.')
      await s.compact().catch((e) => foreign(`${kind} compact`, sd, e))
      await s.undo().catch((e) => foreign('undo', sd, e))
      s.messages()
      await s.history()
      const p = await s.pin('Keep it')
      await s.unpin(p)
      await st.append('later', [{ kind: 'pin', at: 5, text: 'x' }])
      const l = await st.sessions()
      if (l[0].id !== 'later')
        F.broken(
          'most recently written is not first when the clock goes back',
          sd,
          `${kind} ${JSON.stringify(l)}`,
        )
      const es = await st.read('s')
      es.forEach((e, k) => {
        if (e.seq !== k + 1) F.broken('order goes by the clock', sd, `${kind}`)
      })
      const out = []
      for await (const x of exportSession(st, 's')) out.push(x)
      const rd = await readSession([out.join('')])
      if (JSON.stringify(rd.log) !== JSON.stringify(es))
        F.broken('an export is read back differently', sd, `clock ${kind} ${odd}`)
      await recall(st, 's', { words: 'parser' }).catch((e) => foreign('recall', sd, e))
      F.count('clocks')
      if (kind === 'sqlite')
        for (const a of [
          ['sessions', '--json'],
          ['sessions'],
          ['show', 's', '--log'],
          ['inspect', 's'],
          ['report', 's', '--text'],
        ]) {
          const x = run([...a, '--store', st.file], { HOME: d })
          if (x.status !== 0 || /Invalid|NaN|at .*:\d+:\d+/.test(x.stdout + x.stderr))
            F.broken(
              'an odd time breaks a command',
              sd,
              `${a} at=${odd}: ${x.status} ${(x.stderr + x.stdout).match(/.{0,60}(Invalid|NaN|throughline:).{0,80}/)?.[0]}`,
            )
        }
    } catch (e) {
      foreign(`clock ${kind}`, sd, e)
    } finally {
      st.close?.()
    }
  }
}
const parts = { content, ids, homes, full, readOnly, clock }

const only = flags.get('part'),
  round0 = flags.get('round')
for (let round = round0 ? Number(round0) : 0; Date.now() - start < limit; round++) {
  const k =
    only ?? ['content', 'ids', 'full', 'content', 'clock', 'readOnly', 'ids', 'homes'][round % 8]
  await parts[k](rng(seed * 9973 + round), `${seed}/${k}/${round}`)
  if (round0) break
}
fs.rmSync(d, { recursive: true, force: true })
F.end({ seconds: Math.round((Date.now() - start) / 1000) })
